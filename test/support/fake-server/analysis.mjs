/**
 * What helps a writer: documentation of completions, signatures, fixes, hints and token kinds, all a function of the
 * text and of what the client sends. A capability set to null in the scenario switches one off.
 */
import { measure, offsetAt, positionAt } from './documents.mjs';

const LEGEND = { tokenTypes: ['keyword', 'variable'], tokenModifiers: ['declaration', 'readonly'] };
const KEYWORDS = new Set(['const', 'let', 'function', 'class', 'export', 'new', 'return']);
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

export const ANALYSIS_CAPABILITIES = {
  completionProvider: { triggerCharacters: ['.'], resolveProvider: true },
  signatureHelpProvider: { triggerCharacters: ['(', ','] },
  codeActionProvider: { resolveProvider: true },
  executeCommandProvider: { commands: ['fake.run'] },
  inlayHintProvider: true,
  semanticTokensProvider: { legend: LEGEND, range: true, full: true },
};

export const ANALYSIS_HANDLERS = {
  'completionItem/resolve': (item) => ({
    ...item,
    detail: `the word ${item.label}`,
    documentation: { kind: 'markdown', value: `Stands for **${item.label}**.` },
  }),
  'textDocument/signatureHelp': (params, session) => signatureHelp(params, session),
  'textDocument/codeAction': (params) => codeActions(params),
  'codeAction/resolve': (action, session) => ({ ...action, edit: upperCased(action.data, session) }),
  'textDocument/inlayHint': (params, session) => inlayHints(params, session),
  'textDocument/semanticTokens/full': ({ textDocument }, session) => tokens(textDocument, undefined, session),
  'textDocument/semanticTokens/range': ({ textDocument, range }, session) =>
    tokens(textDocument, range, session),
};

/** The call around the position, if the function is declared in the same file as `function name(a, b)`. */
function signatureHelp({ textDocument, position }, { documents, encoding }) {
  const text = documents.textOf(textDocument.uri) ?? '';
  const before = text.slice(0, offsetAt(text, position, encoding));
  const call = /([\p{L}_$][\p{L}\p{N}_$]*)\(([^()]*)$/u.exec(before);
  const declared = call && new RegExp(`function ${call[1]}\\(([^)]*)\\)`, 'u').exec(text);
  if (!declared) return null;
  const label = `${call[1]}(${declared[1]})`;
  let from = call[1].length + 1;
  const parameters = declared[1].split(', ').map((name) => {
    const offsets = [from, from + name.length];
    from += name.length + 2;
    return { label: offsets, documentation: `What ${name} is.` };
  });
  const documentation = { kind: 'markdown', value: `Calls ${call[1]}.` };
  return {
    signatures: [{ label, documentation, parameters }],
    activeSignature: 0,
    activeParameter: call[2].split(',').length - 1,
  };
}

/** One fix for each problem it is told of, one whose edit must be asked for, one that is not possible, and a command. */
function codeActions({ textDocument: { uri }, range, context }) {
  const fixes = context.diagnostics.map((diagnostic) => ({
    title: `Remove ${diagnostic.code}`,
    kind: 'quickfix',
    isPreferred: true,
    diagnostics: [diagnostic],
    edit: { changes: { [uri]: [{ range: diagnostic.range, newText: '' }] } },
  }));
  return [
    ...fixes,
    { title: 'Upper-case the line', kind: 'refactor.rewrite', data: { uri, line: range.start.line } },
    { title: 'Extract', kind: 'refactor.extract', disabled: { reason: 'nothing is selected' } },
    { title: 'Run it', command: 'fake.run', arguments: [1, 'two'] },
  ];
}

function upperCased({ uri, line }, { documents, encoding }) {
  const text = lineAt(documents.textOf(uri) ?? '', line);
  const end = { line, character: measure(text, encoding) };
  const edit = { range: { start: { line, character: 0 }, end }, newText: text.toUpperCase() };
  return { documentChanges: [{ textDocument: { uri, version: null }, edits: [edit] }] };
}

/** The type of constants behind their names, and `first:` before the first argument of calls. */
function inlayHints({ textDocument, range }, { documents, encoding }) {
  const text = documents.textOf(textDocument.uri) ?? '';
  const at = (offset) => positionAt(text, offset, encoding);
  const types = [...text.matchAll(/\bconst [\p{L}_$][\p{L}\p{N}_$]*(?= =)/gu)].map((match) => ({
    position: at(match.index + match[0].length),
    label: [{ value: ': ' }, { value: 'number' }],
    kind: 1,
  }));
  const names = [...text.matchAll(/[\p{L}\p{N}_$]\((?=[^)])/gu)].map((match) => ({
    position: at(match.index + 2),
    label: 'first:',
    kind: 2,
    tooltip: 'the first argument',
    paddingRight: true,
  }));
  return [...names, ...types].filter(
    ({ position: { line } }) => range.start.line <= line && line <= range.end.line,
  );
}

function tokens({ uri }, range, { documents, encoding }) {
  const text = documents.textOf(uri) ?? '';
  const data = [];
  let last = { line: 0, character: 0 };
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const position = positionAt(text, index, encoding);
    if (range && (position.line < range.start.line || position.line > range.end.line)) continue;
    const lines = position.line - last.line;
    const isDeclared = /\b(const|let|function|class) $/.test(text.slice(0, index));
    const isConstant = /\bconst $/.test(text.slice(0, index));
    data.push(
      lines,
      lines === 0 ? position.character - last.character : position.character,
      measure(word, encoding),
      KEYWORDS.has(word) ? 0 : 1,
      (isDeclared ? 1 : 0) | (isConstant ? 2 : 0),
    );
    last = position;
  }
  return { data };
}

function lineAt(text, line) {
  return (text.split('\n')[line] ?? '').replace(/\r$/, '');
}
