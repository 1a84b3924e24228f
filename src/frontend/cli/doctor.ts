/** Checks an installation where it is used: the machine, the state directory, and each server by really starting it. */
import { accessSync, constants } from 'node:fs';
import { counted } from '../../shared/base/counted.ts';
import { failureOf, messageOf } from '../../shared/base/failure.ts';
import { daemonDirectory } from '../../shared/rendezvous/daemon-record.ts';
import { currentPlace, socketCandidates } from '../../shared/rendezvous/endpoint.ts';
import { isPrivateDirectory } from '../../shared/rendezvous/private-directory.ts';
import { VERSION } from '../../shared/version.ts';
import { keptFiles } from '../features/edits/apply/kept-files.ts';
import { tools } from '../features/registry.ts';
import { remainingOf } from '../invoke/call-deadline.ts';
import { listBrokers } from '../link/broker-control.ts';
import { failureSentence } from '../render/failure.ts';
import type { Session } from '../session/session.ts';
import type { ToolContext } from '../tools/context.ts';
import { environmentOf, stateDirectoryOf } from './brokers.ts';
import {
  type Command,
  EXIT_FAILED,
  interruption,
  type Program,
  print,
  serveOptions,
  withSession,
} from './command.ts';

/** `warn` is worth knowing; `broken` makes the exit code 1. */
interface Finding {
  readonly verdict: 'ok' | 'warn' | 'broken';
  readonly text: string;
}

const SERVER_MS = 60_000;

export const doctorCommand: Command = {
  usage: 'doctor',
  describe: 'check the installation, and every language server that this directory needs',
  options: (parser) => parser,
  run: async (argv, program) => {
    const findings: Finding[] = [];
    const tell = async (found: readonly Finding[]) => {
      findings.push(...found);
      for (const { verdict, text } of found) await print(`${verdict.toUpperCase().padEnd(7)}${text}`);
    };
    await tell([
      {
        verdict: 'ok',
        text: `agent-lsp ${VERSION}, node ${process.version}, ${process.platform} ${process.arch}`,
      },
    ]);
    await tell(stateFindings(program));
    await tell(await brokerFindings(program));
    await tell(await keptFindings(program));
    const options = { ...serveOptions(argv), daemon: 'never' as const };
    await withSession(options, program, (session) => checkServers(session, tell));
    const broken = findings.filter(({ verdict }) => verdict === 'broken').length;
    await print(broken === 0 ? 'Everything that is there works.' : `${broken} broken; see above.`);
    return broken === 0 ? 0 : EXIT_FAILED;
  },
};

function stateFindings(program: Program): Finding[] {
  const directory = stateDirectoryOf(program);
  const [socket] = socketCandidates(
    daemonDirectory(directory, '0'.repeat(20)),
    '0'.repeat(16),
    currentPlace(environmentOf(program).env),
  );
  const findings: Finding[] = [];
  if (isMissing(directory))
    findings.push({ verdict: 'ok', text: `state directory ${directory} (made when needed)` });
  else if (!isPrivateDirectory(directory))
    findings.push({
      verdict: 'broken',
      text: `state directory ${directory} is open to others: chmod 700 ${directory}`,
    });
  else if (!isWritable(directory))
    findings.push({
      verdict: 'broken',
      text: `state directory ${directory} is not writable: set AGENT_LSP_STATE_DIR`,
    });
  else findings.push({ verdict: 'ok', text: `state directory ${directory} (private, writable)` });
  findings.push(
    socket
      ? { verdict: 'ok', text: `sockets at ${socket.path} (${Buffer.byteLength(socket.path)} bytes)` }
      : {
          verdict: 'broken',
          text: 'no place for sockets with a short enough path: set AGENT_LSP_STATE_DIR to a short one',
        },
  );
  return findings;
}

async function brokerFindings(program: Program): Promise<Finding[]> {
  const listings = await listBrokers(stateDirectoryOf(program));
  const running = listings.filter(({ kind }) => kind === 'running').length;
  const findings: Finding[] = [{ verdict: 'ok', text: `shared servers running: ${running}` }];
  for (const listing of listings) {
    if (listing.kind === 'unreachable')
      findings.push({
        verdict: 'broken',
        text: `${listing.record.language} in ${listing.record.root} does not answer: ${listing.reason}; agent-lsp daemon-stop --all --now`,
      });
    if (listing.kind === 'stale')
      findings.push({
        verdict: 'warn',
        text: `${listing.directory} is left over (${listing.reason}); the next start cleans it up`,
      });
  }
  return findings;
}

async function keptFindings(program: Program): Promise<Finding[]> {
  const { length } = await keptFiles(stateDirectoryOf(program));
  if (length === 0) return [];
  const texts = counted(length, 'text that an edit', { many: 'texts that edits' });
  return [{ verdict: 'warn', text: `${texts} had to put aside: agent-lsp kept lists and removes them` }];
}

async function checkServers(
  session: Session,
  tell: (found: readonly Finding[]) => Promise<void>,
): Promise<void> {
  const signal = interruption();
  for (const root of session.roots.all) {
    const contextFor = () =>
      session.context({
        signal,
        remainingMs: remainingOf(session.clock, SERVER_MS),
        tools,
        watch: () => {},
        report: () => {},
      });
    const { languages, installed, missing } = await contextFor().servers.detect(root);
    await tell([
      { verdict: 'ok', text: `${root}: ${languages.join(', ') || 'no source files of a known language'}` },
    ]);
    for (const { language, server, install } of missing)
      await tell([
        { verdict: 'warn', text: `${language}: ${server} is not installed; install with: ${install}` },
      ]);
    for (const { language, path } of installed)
      await tell([await checkServer(contextFor(), root, { language, path })]);
  }
}

async function checkServer(
  context: ToolContext,
  root: Session['roots']['primary'],
  { language, path }: { language: string; path: string },
): Promise<Finding> {
  const startedAt = context.clock.now();
  try {
    const { started } = await context.servers.start({ root, languageId: language });
    const [link] = started;
    const facts = await link?.facts(context.during());
    if (!link || !facts) return { verdict: 'broken', text: `${language}: ${path} was not started` };
    const seconds = ((context.clock.now() - startedAt) / 1_000).toFixed(1);
    const lacking = context.tools.filter(
      ({ needs }) => needs !== undefined && !facts.methods.includes(needs),
    );
    const without =
      lacking.length === 0 ? 'all tools work' : `without ${lacking.map(({ name }) => name).join(', ')}`;
    const version = facts.serverVersion === undefined ? '' : ` ${facts.serverVersion}`;
    const roles = await context.servers.rolesOf(link);
    return {
      verdict: 'ok',
      text: `${language}: ${facts.serverName}${version} in ${seconds} s, ${without} (${link.command})${roles === undefined ? '' : `; ${roles}`}`,
    };
  } catch (error) {
    const failure = failureOf(error);
    return {
      verdict: 'broken',
      text: `${language}: ${failure ? failureSentence(failure) : messageOf(error)}`,
    };
  }
}

function isMissing(directory: string): boolean {
  return !canAccess(directory, constants.F_OK);
}

function isWritable(directory: string): boolean {
  return canAccess(directory, constants.W_OK);
}

function canAccess(directory: string, mode: number): boolean {
  try {
    accessSync(directory, mode);
    return true;
  } catch {
    return false;
  }
}
