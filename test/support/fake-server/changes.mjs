/**
 * What changes more than was asked about: commands, some of which have the client edit, and import lines that follow a
 * file which gets another name. A scenario announces them; the answers are a function of the texts.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const CHANGE_HANDLERS = {
  'workspace/executeCommand': ({ command, arguments: args = [] }, session, reply) => {
    const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
    if (!run) throw new Error(`no command ${command}`);
    return run(args, session, reply);
  },
  'workspace/willRenameFiles': ({ files }, { language }) => {
    const changes = {};
    for (const { oldUri, newUri } of files)
      for (const { uri, range, before } of language.usesEverywhere(stemOf(oldUri)))
        if (before === 'import ')
          changes[uri] = [...(changes[uri] ?? []), { range, newText: stemOf(newUri) }];
    return Object.keys(changes).length === 0 ? null : { changes };
  },
};

const COMMANDS = {
  'fake.run': (args) => ({ ran: args }),
  /** Puts a text at the beginning of each file, one request after the other. */
  'fake.insert': async ([text, ...uris], session) => {
    const answers = [];
    for (const uri of uris) answers.push(await session.ask('workspace/applyEdit', insertion(uri, text)));
    return { applied: answers.map(({ result }) => result.applied) };
  },
  /** Asks for the edit only when the command is answered. */
  'fake.insertLate': ([text, uri], session, reply) => {
    reply.with({ result: 'soon' });
    void session.ask('workspace/applyEdit', insertion(uri, text));
  },
};

function insertion(uri, text) {
  const start = { line: 0, character: 0 };
  const edit = { documentChanges: [{ textDocument: { uri, version: null }, edits: [] }] };
  edit.documentChanges[0].edits.push({ range: { start, end: start }, newText: text });
  return { label: 'insert', edit };
}

function stemOf(uri) {
  return path.basename(fileURLToPath(uri)).replace(/\.\w+$/, '');
}
