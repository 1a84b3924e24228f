/** All tools. A new family is one more line here; nothing else lists tools by name. */
import { annotationTools } from './annotations.ts';
import { applyEditTools } from './apply-edit.ts';
import { buildTools } from './builds.ts';
import { callTools } from './calls.ts';
import type { Tool } from './define-tool.ts';
import { definitionTools } from './definition.ts';
import { diagnosticTools } from './diagnostics.ts';
import { documentTools } from './documents.ts';
import { editingContextTools } from './editing-context.ts';
import { executeCommandTools } from './execute-command.ts';
import { exploreTools } from './explore.ts';
import { fixTools } from './fixes.ts';
import { formattingTools } from './formatting.ts';
import { highlightTools } from './highlights.ts';
import { impactTools } from './impact.ts';
import { inspectTools } from './inspect.ts';
import { moveFileTools } from './move-file.ts';
import { referenceTools } from './references.ts';
import { renameTools } from './rename.ts';
import { safeEditTools } from './safe-edit.ts';
import { serverTools } from './servers.ts';
import { simulationTools } from './simulation.ts';
import { symbolDocumentationTools } from './symbol-documentation.ts';
import { symbolEditTools } from './symbol-edits.ts';
import { symbolPathTools } from './symbol-path.ts';
import { symbolSourceTools } from './symbol-source.ts';
import { symbolTools } from './symbols.ts';
import { typeHierarchyTools } from './type-hierarchy.ts';
import { workspaceTools } from './workspace.ts';
import { writingTools } from './writing.ts';

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
  ...serverTools,
  ...workspaceTools,
];

export function toolNamed(name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name);
}
