/** All tools. A new family is one more line here; nothing else lists tools by name. */

import type { Tool } from '../tools/define-tool.ts';
import { buildTools } from './builds/tools.ts';
import { annotationTools } from './completion/annotation-tools.ts';
import { writingTools } from './completion/tools.ts';
import { documentTools } from './diagnostics/document-tools.ts';
import { diagnosticTools } from './diagnostics/tools.ts';
import { symbolDocumentationTools } from './documentation/documentation-tools.ts';
import { inspectTools } from './documentation/tools.ts';
import { symbolEditTools } from './edits/symbol-tools.ts';
import { applyEditTools } from './edits/tools.ts';
import { editingContextTools } from './explore/editing-context-tools.ts';
import { exploreTools } from './explore/tools.ts';
import { executeCommandTools } from './fixes/command-tools.ts';
import { fixTools } from './fixes/tools.ts';
import { formattingTools } from './formatting/tools.ts';
import { healthTools } from './health/tools.ts';
import { callTools } from './hierarchies/call-tools.ts';
import { typeHierarchyTools } from './hierarchies/type-tools.ts';
import { impactTools } from './impact/tools.ts';
import { moveFileTools } from './moving/tools.ts';
import { highlightTools } from './navigation/highlight-tools.ts';
import { symbolPathTools } from './navigation/symbol-path.ts';
import { definitionTools } from './navigation/tools.ts';
import { symbolSourceTools } from './outline/source-tools.ts';
import { symbolTools } from './outline/tools.ts';
import { phaseTools } from './phases/tools.ts';
import { referenceTools } from './references/tools.ts';
import { renameTools } from './rename/tools.ts';
import { sessionTools } from './servers/session-tools.ts';
import { serverTools } from './servers/tools.ts';
import { workspaceTools } from './servers/workspace-tools.ts';
import { safeEditTools } from './simulation/safe-edit-tools.ts';
import { simulationTools } from './simulation/tools.ts';
import { typeCheckTools } from './type-checks/tools.ts';

export const tools: readonly Tool[] = [
  ...exploreTools,
  ...editingContextTools,
  ...symbolTools,
  ...symbolPathTools,
  ...symbolSourceTools,
  ...symbolDocumentationTools,
  ...definitionTools,
  ...referenceTools,
  ...highlightTools,
  ...callTools,
  ...typeHierarchyTools,
  ...inspectTools,
  ...impactTools,
  ...diagnosticTools,
  ...fixTools,
  ...writingTools,
  ...simulationTools,
  ...safeEditTools,
  ...renameTools,
  ...formattingTools,
  ...applyEditTools,
  ...moveFileTools,
  ...executeCommandTools,
  ...symbolEditTools,
  ...annotationTools,
  ...documentTools,
  ...buildTools,
  ...typeCheckTools,
  ...serverTools,
  ...sessionTools,
  ...workspaceTools,
  ...healthTools,
  ...phaseTools,
];

export function toolNamed(name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name);
}
