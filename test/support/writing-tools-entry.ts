/** The front end with two more tools: one that writes and can show what, and one that writes and cannot. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { notWritten } from '../../src/frontend/access/permission.ts';
import { tools } from '../../src/frontend/features/registry.ts';
import { runFrontEnd } from '../../src/frontend/main.ts';
import { defineTool, type Tool } from '../../src/frontend/tools/define-tool.ts';

const text = z.string().describe('Text');
const filePath = z.string().describe('File');

const appendText = defineTool({
  name: 'append_text',
  title: 'Append text',
  description: 'Appends.',
  effect: 'write',
  hasPreview: true,
  input: () => z.strictObject({ file_path: filePath, text, dry_run: z.boolean().optional() }),
  output: () => z.strictObject({ applied: z.boolean() }),
  run: async (input, { roots, permission, audit }) => {
    const file = roots.resolve(input.file_path);
    const summary = `append ${JSON.stringify(input.text)}`;
    const edit = { mode: 'text-match', filePath: file, oldText: '', newText: input.text } as const;
    const preview = { text: `would ${summary}`, data: { applied: false } };
    audit.note({ edit: { ...edit, apply: false } });
    if (input.dry_run ?? permission.defaultDryRun) return { ...preview, hint: permission.howToApply };
    const consent = await permission.confirmWrite({
      tool: 'append_text',
      summary,
      files: [roots.display(file)],
    });
    if (consent !== 'allowed') return { ...preview, notes: [notWritten(consent, permission)] };
    appendFileSync(file, input.text);
    audit.note({
      edit: { ...edit, apply: true },
      before: { errors: 2, warnings: 0, files: [file] },
      after: { errors: 1, warnings: 3, files: [file] },
    });
    return { text: 'appended', data: { applied: true } };
  },
});

const wipeFile = defineTool({
  name: 'wipe_file',
  title: 'Wipe file',
  description: 'Empties.',
  effect: 'write',
  input: () => z.strictObject({ file_path: filePath }),
  output: () => z.string(),
  run: async (input, { roots }) => {
    writeFileSync(roots.resolve(input.file_path), '');
    return { text: 'wiped', data: 'wiped' };
  },
});

(tools as Tool[]).push(appendText, wipeFile);
const [, entryScript = '', ...args] = process.argv;
process.exit(await runFrontEnd({ args, entryScript, onWarm: () => {} }));
