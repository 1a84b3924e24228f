import { describe, expect, it } from 'vitest';
import { DiagnosticSeverity } from 'vscode-languageserver-protocol';
import type { Finding } from '../../../../../src/frontend/features/diagnostics/diagnostics.ts';
import { linesWithImportsFolded } from '../../../../../src/frontend/features/diagnostics/unresolved-imports.ts';
import { absolutePath } from '../../../../../src/shared/base/paths.ts';

function finding(line: number, code: string, message: string): Finding {
  const start = { line, column: 8 };
  const file = absolutePath('/w/a.py');
  return {
    file,
    start,
    end: start,
    severity: DiagnosticSeverity.Error,
    code,
    source: 'x',
    message,
    line: '',
  };
}

const missing = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    finding(index + 1, 'reportMissingImports', `Import "package${index}" could not be resolved`),
  );

describe('imports that cannot be resolved', () => {
  it('share a line that says where the server looks, before what else is wrong', () => {
    const other = finding(9, 'reportCallIssue', 'Expected 1 argument');
    expect(linesWithImportsFolded([...missing(4), other], 'interpreter /w/.venv/bin/python')).toEqual([
      '  E 1:8 4 imports cannot be resolved (interpreter /w/.venv/bin/python); are dependencies installed? package0, package1, package2, package3',
      '  E 9:8 reportCallIssue Expected 1 argument',
    ]);
  });

  it('are told one by one when they are few', () => {
    expect(linesWithImportsFolded(missing(3), undefined)).toHaveLength(3);
  });
});
