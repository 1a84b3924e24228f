/**
 * Which projects the server knows of. Servers know a project only while one of its files is open, so one file of each
 * project is kept open here, on behalf of a user of its own beside the sessions.
 */
import { DocumentSymbolRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../base/brand.ts';
import { type Clock, withTimeout } from '../../base/lifetime.ts';
import { pathToUri } from '../../base/paths.ts';
import type { Reach, ReachQuestion } from '../../link/reach-question.ts';
import type { ServerPlan } from '../../link/server-plan.ts';
import { WorkspaceProjects } from '../../projects/workspace-projects.ts';
import type { WatchedFiles } from '../disk/watched-files.ts';
import type { Documents } from '../documents/documents.ts';
import type { PinBook } from '../documents/pin-book.ts';
import { renewProject } from '../protocol/engine-projects.ts';
import type { SpokenServer } from '../protocol/spoken-server.ts';
import { nearestFirst, showInTurn } from './show-in-turn.ts';

const USER = 'projects';
/** How long a question waits for projects once the server has answered one; the first may take what it is given. */
const SHOWING_MS = 2_000;

/** A server process with the files that it was told of. */
interface FiledServer extends Pick<SpokenServer, 'connection' | 'ended' | 'offered' | 'quirks'> {
  readonly documents: Documents;
  readonly watchedFiles: WatchedFiles;
}

/** What had been heard when a project was last asked about. */
interface Asked {
  /** Notifications to the server. */
  readonly told: number;
  /** Files that came or went. */
  readonly moved: number;
}

const NEVER_ASKED: Asked = { told: -1, moved: -1 };

export class ShownProjects {
  readonly #plan: ServerPlan;
  readonly #pins: PinBook;
  readonly #clock: Clock;
  readonly #projects: WorkspaceProjects;
  /** Those that were needed last at the end. */
  readonly #files = new Set<AbsPath>();
  /** Up to which news each of them was asked about. */
  readonly #askedAt = new Map<AbsPath, Asked>();
  /** No question across files has been asked of this process yet. */
  #isNew = true;

  constructor(plan: ServerPlan, pins: PinBook, clock: Clock) {
    this.#plan = plan;
    this.#pins = pins;
    this.#clock = clock;
    this.#projects = new WorkspaceProjects(plan, clock);
  }

  /** A new server process. */
  follow({ watchedFiles, ended }: Pick<FiledServer, 'watchedFiles' | 'ended'>): void {
    this.#projects.follow(watchedFiles, ended);
    this.#askedAt.clear();
    this.#isNew = true;
  }

  /**
   * Opens what the question needs and says what the server still knows nothing of. The wait for its turn counts as well
   * from `asked` on, except with a new server, for which everybody waits.
   */
  async reach(
    instance: FiledServer,
    folders: readonly AbsPath[],
    question: ReachQuestion,
    asked: number,
  ): Promise<Reach> {
    const { watchedFiles, documents } = instance;
    const { mostProjects: most } = instance.quirks;
    const began = this.#isNew ? this.#clock.now() : asked;
    await watchedFiles.catchUp({ spansFiles: true });
    const where = { root: this.#plan.root, folders, certain: watchedFiles.seesAll, mostProjects: most.asked };
    const { behind, ...reach } = await this.#projects.reach(question, where);
    const before = new Set(documents.files());
    const standsFor = (file: AbsPath) => behind.get(file) ?? [file];
    const known = reach.documents.filter((file) => before.has(file));
    const others = reach.documents.filter((file) => !before.has(file));
    const fresh = nearestFirst(others, question.file, standsFor);
    const { lookMs, showMs = SHOWING_MS } = question;
    const end = began + (this.#isNew ? lookMs : Math.min(lookMs, showMs, SHOWING_MS));
    await openAll(documents, known);
    const inTime = (work: Promise<void>) =>
      withTimeout(
        work.then(() => true),
        Math.max(0, end - this.#clock.now()),
        () => false,
        this.#clock,
      );
    // A server that is busy gets no more to load: every file would make its next answer later, and outdate the one it works on.
    const isFree = fresh.length === 0 || (await inTime(hasRead(instance, documents.files().slice(-1))));
    const { opened, read } = await showInTurn(isFree ? fresh : [], {
      clock: this.#clock,
      open: async (files) => inTime(hasRead(instance, await openAll(documents, files))),
      isOver: () => this.#clock.now() > end,
    });
    this.#isNew = false;
    const now = new Set(documents.files());
    const open = [...known, ...opened].filter((file) => now.has(file));
    for (const file of this.#keep(open, most.kept)) documents.close(file);
    // A search by name lists what any project had, and a text that was tried out has left it there.
    const isByName = question.file === undefined;
    const late = await this.#bringUpToDate(instance, isByName ? [...this.#files] : open, isByName, inTime);
    const later = [...fresh.slice(read), ...late].flatMap(standsFor);
    const { world } = watchedFiles;
    return { ...reach, world, documents: open.filter((file) => !before.has(file)), later };
  }

  /**
   * Asks about a file of each project that has not been asked since there was news that it has to know of. Returns those of
   * them that the server has not brought up to date in time; it goes on with them.
   */
  async #bringUpToDate(
    instance: FiledServer,
    files: readonly AbsPath[],
    isByName: boolean,
    inTime: (work: Promise<void>) => Promise<boolean>,
  ): Promise<readonly AbsPath[]> {
    const { connection, quirks } = instance;
    const { projectsWait } = quirks;
    const { moves } = this.#projects;
    if (projectsWait === 'never' || (projectsWait === 'after-moves' && !isByName && moves === 0)) return [];
    const isKnown = ({ told, moved }: Asked) =>
      projectsWait === 'after-news' || isByName ? told === connection.told : moved === moves;
    const late = files.filter((file) => !isKnown(this.#askedAt.get(file) ?? NEVER_ASKED));
    const waiting = new Set<AbsPath>();
    const asked = late.flatMap((file) => {
      const heard = { told: connection.told, moved: moves };
      const renewed = renewProject(instance, file)?.catch(() => void this.#askedAt.delete(file));
      if (renewed) {
        this.#askedAt.set(file, heard);
        return [];
      }
      waiting.add(file);
      const params = { textDocument: { uri: pathToUri(file) } };
      const answered = () => {
        waiting.delete(file);
        this.#askedAt.set(file, heard);
      };
      const failed = () => void waiting.delete(file);
      return [connection.request(DocumentSymbolRequest.method, params).then(answered, failed)];
    });
    const isDone = await inTime(Promise.all(asked).then(() => {}));
    return isDone ? [] : [...waiting];
  }

  /** Returns those that are not to be kept open any more: loading a project again takes longer than a file takes room. */
  #keep(files: readonly AbsPath[], most: number): readonly AbsPath[] {
    for (const file of files) {
      this.#files.delete(file);
      this.#files.add(file);
      this.#pins.add(USER, file);
    }
    const kept = Math.max(most, files.length);
    const leaving = [...this.#files].slice(0, Math.max(0, this.#files.size - kept));
    for (const file of leaving) this.#files.delete(file);
    return leaving.filter((file) => this.#pins.remove(USER, file));
  }
}

/** What cannot be opened, because it is gone or no text, has nothing to tell either. */
async function openAll(documents: Documents, files: readonly AbsPath[]): Promise<readonly AbsPath[]> {
  const opened = files.map((file) =>
    documents.sync(file).then(
      () => file,
      () => undefined,
    ),
  );
  return (await Promise.all(opened)).flatMap((file) => file ?? []);
}

/** An answer about the last of them comes after the others were read. */
async function hasRead(
  { connection }: Pick<SpokenServer, 'connection'>,
  files: readonly AbsPath[],
): Promise<void> {
  const last = files.at(-1);
  if (last === undefined) return;
  const params = { textDocument: { uri: pathToUri(last) } };
  await connection.request(DocumentSymbolRequest.method, params, { raw: true }).catch(() => {});
}
