/** The folders that a session works in beside its root, and what changed in them. */
import { z } from 'zod';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { fail, failureOf } from '../../../shared/base/failure.ts';
import { isInside, pathToUri } from '../../../shared/base/paths.ts';
import type { FileChange, ServerLink } from '../../../shared/link/server-link.ts';
import { tryEach } from '../../ask/try-each.ts';
import { type FolderServing, offers, type ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import type { SessionFolder } from '../../workspace/roots.ts';

const folderPath = () => z.string().min(1).describe('Directory');
/** Every folder with its name, which is its path. */
const folderList = () => z.array(z.strictObject({ uri: z.string(), name: z.string() }));

export const workspaceTools = [
  defineTool({
    name: 'add_workspace_folder',
    title: 'Add workspace folder',
    description:
      'Lets this session also work in another directory: its files may be read, and servers that can work in several folders get it.',
    effect: 'expand',
    input: () => z.strictObject({ path: folderPath() }),
    output: () =>
      z.strictObject({
        added: z.string(),
        /** The folder that it lies in already, so that nothing was to be added. */
        inside: z.string().optional(),
        workspace_folders: folderList(),
      }),
    run: async (input, context) => {
      const { roots, folders, permission } = context;
      const plan = folders.plan(input.path);
      const [folder] = plan.folders;
      const inside = roots.folderAround(folder);
      const serving =
        inside === undefined
          ? await folders.add(await permission.consentTo('expand', () => plan), context.during())
          : [];
      const sentence =
        inside === undefined ? `Folder added: ${folder}` : `Nothing to add: ${folder} lies in ${inside}`;
      return {
        text: [sentence, ...(await folderLines(context)), ...serving.map((one) => servingLine(one))].join(
          '\n',
        ),
        data: {
          added: folder,
          ...(inside === undefined ? {} : { inside }),
          workspace_folders: folderData(context),
        },
        notes: favours(serving),
        hint: inside === undefined ? 'name its files by absolute paths' : undefined,
      };
    },
  }),

  defineTool({
    name: 'remove_workspace_folder',
    title: 'Remove workspace folder',
    description: 'Ends what add_workspace_folder began; the root stays.',
    effect: 'read',
    changesSession: true,
    input: () => z.strictObject({ path: folderPath() }),
    output: () => z.strictObject({ removed: z.string(), workspace_folders: folderList() }),
    run: async (input, context) => {
      const folder = await context.folders.remove(input.path);
      return {
        text: [`Folder removed: ${folder}`, ...(await folderLines(context))].join('\n'),
        data: { removed: folder, workspace_folders: folderData(context) },
      };
    },
  }),

  defineTool({
    name: 'list_workspace_folders',
    title: 'List workspace folders',
    description: 'The directories that this session works in, who named them, and the servers in each.',
    effect: 'read',
    input: () => z.strictObject({}),
    output: () => z.strictObject({ workspace_folders: folderList() }),
    run: async (_input, context) => {
      const refused = context.folders.refusedClientRoots;
      return {
        text: (await folderLines(context)).join('\n'),
        data: { workspace_folders: folderData(context) },
        notes: [
          ...favours(context.servers.open().flatMap((link) => (link.folders.length > 0 ? [{ link }] : []))),
          ...(refused.length === 0
            ? []
            : [`not taken of the client's roots: ${refused.join(', ')}${howToAdd(context)}`]),
        ],
      };
    },
  }),

  defineTool({
    name: 'did_change_watched_files',
    title: 'Report changed files',
    description:
      'Tells running servers that files changed on disk. Rarely necessary: changes are noticed without it.',
    effect: 'read',
    changesSession: true,
    input: () =>
      z.strictObject({
        changes: z
          .array(
            z.strictObject({
              path: z.string().min(1).optional().describe('The file'),
              uri: z.string().min(1).optional().describe('Instead of path'),
              type: z
                .union([z.enum(['created', 'changed', 'deleted']), z.literal([1, 2, 3])], {
                  error: 'must be created, changed or deleted, or 1, 2 or 3',
                })
                .describe('1 to 3 in this order'),
            }),
          )
          .min(1)
          .describe('What happened'),
      }),
    output: () => z.string(),
    run: async (input, context) => {
      const changes = input.changes.map((change, index) => changeOf(context, change, `changes[${index}]`));
      const concerned = context.servers.open().flatMap((link) => {
        const own = changes.filter((change) => serves(link, change.path));
        return own.length > 0 ? [{ link, own }] : [];
      });
      const told = await tryEach(
        concerned,
        ({ link }) => link.language,
        async ({ link, own }) => {
          await link.tellChanges(own, context.during());
          return `${link.language} in ${context.roots.display(link.root)}: ${own.length}`;
        },
      );
      if (told.done.length === 0 && told.firstError !== undefined) throw told.firstError;
      const sentence =
        concerned.length === 0
          ? 'No server is running that these files belong to; the next one reads them as they are'
          : 'File change notifications sent';
      return {
        text: [
          sentence,
          ...told.done,
          ...told.notDone.map(({ language, why }) => `${language}: ${why}`),
        ].join('\n'),
        data: sentence,
      };
    },
  }),
];

const ORIGIN = { start: 'from the start', client: 'from the client', tool: 'added' } as const;

/** Not where it would be refused. */
function howToAdd(context: ToolContext): string {
  if (context.roots.isFixed) return '; -r says what the roots are';
  return offers(context, 'add_workspace_folder') ? '; add_workspace_folder adds one' : '';
}

async function folderLines(context: ToolContext): Promise<readonly string[]> {
  const { folders, primary } = context.roots;
  const lines = folders.map((folder) => {
    const servers = context.servers.open().filter((link) => serves(link, folder.path));
    const names = servers.map(({ language, root }) =>
      isInside(folder.path, root) ? language : `${language} (with ${root})`,
    );
    return `  ${folder.path}  ${originOf(folder, primary)}${names.length === 0 ? '' : `; servers: ${names.join(', ')}`}`;
  });
  return [`${counted(folders.length, 'workspace folder')}; root ${primary}`, ...lines];
}

function originOf({ path, from }: SessionFolder, primary: AbsPath): string {
  return path === primary ? 'root' : ORIGIN[from];
}

function folderData(context: ToolContext): { uri: string; name: string }[] {
  return context.roots.folders.map(({ path }) => ({ uri: pathToUri(path), name: path }));
}

function servingLine({ language, link, against }: FolderServing): string {
  if (link) return `${language}: the server of ${link.root} works in it, too`;
  return `${language}: a server of its own on first use${against === undefined ? '' : `, because ${against}`}`;
}

/** One server has one environment, and it was started in the first of its folders. */
function favours(serving: readonly { readonly link?: ServerLink }[]): string[] {
  return serving.flatMap(({ link }) =>
    link
      ? [
          `the ${link.language} server may favour ${link.root}, its first folder: settings and environment are those found there`,
        ]
      : [],
  );
}

function serves(link: ServerLink, file: AbsPath): boolean {
  return [link.root, ...link.folders].some((root) => isInside(file, root));
}

const TYPES: Readonly<Record<string | number, FileChange['type']>> = {
  1: 'create',
  2: 'change',
  3: 'delete',
  created: 'create',
  changed: 'change',
  deleted: 'delete',
};

function changeOf(
  context: ToolContext,
  { path, uri, type }: { path?: string | undefined; uri?: string | undefined; type: string | number },
  which: string,
): FileChange {
  const given = path ?? uri;
  if (given === undefined || (path !== undefined && uri !== undefined))
    fail({ kind: 'invalid-input', message: `${which} must name one file`, next: 'Pass path or uri' });
  try {
    return { path: context.roots.resolve(given), type: TYPES[type] ?? 'change' };
  } catch (error) {
    const failure = failureOf(error);
    if (failure?.kind === 'outside-roots') fail({ ...failure, path: `${which} ${given}` });
    throw error;
  }
}
