/**
 * `--tools pyright`: type checks by pyright's command line, and what its language server knows of a position. Every line
 * and column starts at 1, every answer has a `status`, and no tool writes.
 */
import { z } from 'zod';
import { fail } from '../../../../shared/base/failure.ts';
import { defineTool, type ToolLiteral } from '../../../tools/define-tool.ts';
import type { MakeFacade } from '../../../tools/facade.ts';
import {
  checkAnswer,
  completionsAnswer,
  definitionsAnswer,
  hoverAnswer,
  referencesAnswer,
  signatureAnswer,
} from './answers.ts';
import { healthAnswer } from './health-answer.ts';
import { unionFace } from './union-face.ts';

const position = {
  file: z.string().min(1).describe('Absolute path of a Python file'),
  line: z.number().int().min(1).describe('1-based'),
  column: z.number().int().min(1).describe('1-based'),
};

type Position = z.output<z.ZodObject<typeof position>>;

export const pyrightTools: MakeFacade = (base) => [
  readingTool(
    {
      name: 'check_types',
      title: 'Check types',
      description: 'Run Pyright type checking on a Python file or directory.',
      input: () =>
        z.strictObject({
          path: z.string().min(1).describe('Absolute path of a file or directory'),
          python_version: z.string().min(1).optional().describe('E.g. 3.11; default: the project’s'),
        }),
      limitMs: () => base.config.checkTypes.timeoutMs + MARGIN_MS,
      run: async (input, context) => {
        checkVersion(input.python_version);
        return checkAnswer(await base.run('check_types', { ...input, limit: MOST }, context));
      },
    },
    'Path',
  ),
  readingTool({
    name: 'get_hover',
    title: 'Hover',
    description: 'Type and documentation of the symbol at a position.',
    input: () => z.strictObject(position),
    run: async (input, context) =>
      hoverAnswer(await base.run('inspect_symbol', { ...at(input), full: true }, context)),
  }),
  readingTool({
    name: 'go_to_definition',
    title: 'Go to definition',
    description: 'Where the symbol at a position is defined.',
    input: () => z.strictObject(position),
    run: async (input, context) => definitionsAnswer(await base.run('go_to_definition', at(input), context)),
  }),
  readingTool({
    name: 'get_completions',
    title: 'Completions',
    description: 'What can be written at a position, with kind, type and documentation.',
    input: () =>
      z.strictObject({
        ...position,
        trigger_character: z.string().min(1).optional().describe('E.g. "."; default: found out'),
        limit: z.number().int().min(1).max(MOST).default(20).describe('Default 20'),
      }),
    run: async ({ trigger_character, limit, ...input }, context) => {
      const trigger = trigger_character === undefined ? {} : { trigger_character };
      const args = { ...at(input), ...trigger, limit, docs: true };
      return completionsAnswer(await base.run('get_completions', args, context));
    },
  }),
  readingTool({
    name: 'find_references',
    title: 'Find references',
    description: 'Every use of the symbol at a position.',
    input: () =>
      z.strictObject({
        ...position,
        include_declaration: z.boolean().default(true).describe('Default true'),
      }),
    run: async ({ include_declaration, ...input }, context) => {
      const args = { ...at(input), include_declaration, limit: MOST };
      return referencesAnswer(await base.run('find_references', args, context));
    },
  }),
  readingTool({
    name: 'get_signature',
    title: 'Signature',
    description: 'Signature of the call around a position, with the active parameter.',
    input: () => z.strictObject(position),
    run: async (input, context) => signatureAnswer(await base.run('get_signature_help', at(input), context)),
  }),
  readingTool({
    name: 'health_check',
    title: 'Check health',
    description: 'Pyright version, language server status, configuration, metrics and uptime.',
    input: () => z.strictObject({}),
    run: async (_input, context) => healthAnswer(await base.run('health_check', {}, context), base.config),
  }),
];

const MOST = 200;
const MARGIN_MS = 15_000;

type Literal<Input extends z.ZodObject> = Omit<
  ToolLiteral<Input, z.ZodType>,
  'effect' | 'face' | 'output' | 'hasPreview' | 'asksItself'
>;

/** The only way in which tools of this profile are made, so that none of them can write. */
function readingTool<Input extends z.ZodObject>(literal: Literal<Input>, subject: 'File' | 'Path' = 'File') {
  return defineTool({ ...literal, effect: 'read', face: unionFace(subject), output: () => z.unknown() });
}

function checkVersion(version: string | undefined): void {
  if (version === undefined || /^\d+\.\d+$/.test(version)) return;
  fail({
    kind: 'invalid-input',
    message: `Invalid Python version format: ${version}`,
    next: "Expected format: '3.10', '3.11', etc.",
  });
}

function at({ file: file_path, line, column }: Position) {
  return { file_path, line, column };
}
