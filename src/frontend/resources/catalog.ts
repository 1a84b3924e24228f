/** What clients are told to exist as resources. */

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface ListedTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

const JSON_TYPE = 'application/json';

export const RESOURCES: readonly ListedResource[] = [
  {
    uri: 'lsp-diagnostics://',
    name: 'diagnostics of all open files',
    description: 'Errors and warnings by file; null where the server could not say. Can be subscribed to.',
    mimeType: JSON_TYPE,
  },
  {
    uri: 'lsp-servers://',
    name: 'language servers',
    description:
      'The servers of this session and their states: ready, indexing, crashed. Can be subscribed to.',
    mimeType: JSON_TYPE,
  },
  {
    uri: 'lsp-references://',
    name: 'files changed on disk',
    description: 'After a change here, earlier answers about references are old. Can be subscribed to.',
    mimeType: JSON_TYPE,
  },
];

export const TEMPLATES: readonly ListedTemplate[] = [
  {
    uriTemplate: 'lsp-diagnostics:///{+filePath}',
    name: 'diagnostics of a file',
    description: 'Errors and warnings of the file as it is on disk; null if the server could not say.',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: 'lsp-hover:///{+filePath}{?line,column,language_id}',
    name: 'hover',
    description: 'Signature, type and documentation at a place; line and column are 1-based.',
    mimeType: 'text/plain',
  },
  {
    uriTemplate: 'lsp-completions:///{+filePath}{?line,column,language_id}',
    name: 'completions',
    description: 'What could be written at a place; line and column are 1-based.',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: 'skill://{skill}/SKILL.md',
    name: 'skill',
    description: 'A workflow with these tools; the prompts of the server are the same.',
    mimeType: 'text/markdown',
  },
];
