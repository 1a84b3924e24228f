/**
 * Which projects the server has been shown, so that it can answer about them: of each a file is kept open, because
 * servers know a project only then. These files count as those of a user beside the sessions.
 */
import { DocumentSymbolRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../base/brand.ts';
import type { Clock } from '../base/lifetime.ts';
import { pathToUri } from '../base/paths.ts';
import type { Reach, ReachQuestion } from '../projects/reach-question.ts';
import { WorkspaceProjects } from '../projects/workspace-projects.ts';
import type { ServerPlan } from '../server-plan.ts';
import type { Documents } from './documents.ts';
import { renewProject } from './engine-answers.ts';
import type { PinBook } from './pin-book.ts';
import type { SpokenServer } from './spoken-server.ts';
import type { WatchedFiles } from './watched-files.ts';

const USER = 'projects';
/** Loading a project again takes longer than a file takes room. More than one question needs at most (reach.ts). */
const MOST_FILES = 256;

/** A server process with the files that it was told of. */
interface FiledServer extends Pick<SpokenServer, 'connection' | 'offered' | 'quirks'> {
  readonly documents: Documents;
  readonly watchedFiles: WatchedFiles;
}

export class ShownProjects {
  readonly #plan: ServerPlan;
  readonly #pins: PinBook;
  readonly #projects: WorkspaceProjects;
  /** Those that were needed last at the end. */
  readonly #files = new Set<AbsPath>();
  /** Up to which news each of them was asked about. */
  readonly #askedAt = new Map<AbsPath, number>();

  constructor(plan: ServerPlan, pins: PinBook, clock: Clock) {
    this.#plan = plan;
    this.#pins = pins;
    this.#projects = new WorkspaceProjects(plan, clock);
  }

  /** A new server process. */
  follow({ watchedFiles }: Pick<FiledServer, 'watchedFiles'>): void {
    this.#projects.follow(watchedFiles);
    this.#askedAt.clear();
  }

  /** Opens what the question needs and says what the server still knows nothing of. */
  async reach(instance: FiledServer, folders: readonly AbsPath[], question: ReachQuestion): Promise<Reach> {
    const { watchedFiles, documents } = instance;
    await watchedFiles.catchUp({ spansFiles: true });
    const where = { root: this.#plan.root, folders, certain: watchedFiles.seesAll };
    const reach = await this.#projects.reach(question, where);
    const before = new Set(documents.files());
    const opened = await Promise.all(
      // What cannot be opened, because it is gone or no text, has nothing to tell either.
      reach.documents.map((file) =>
        documents.sync(file).then(
          () => file,
          () => undefined,
        ),
      ),
    );
    const open = opened.flatMap((file) => file ?? []);
    for (const file of this.#keep(open)) documents.close(file);
    await this.#bringUpToDate(instance, open);
    return { ...reach, documents: open.filter((file) => !before.has(file)) };
  }

  /** Asks about a file of each project that has not been asked since there was news. */
  async #bringUpToDate(instance: FiledServer, files: readonly AbsPath[]): Promise<void> {
    const { connection, quirks } = instance;
    const news = { never: 0, 'after-moves': this.#projects.moves, 'after-news': connection.told };
    const latest = news[quirks.projectsWait];
    if (latest === 0) return;
    const late = files.filter((file) => this.#askedAt.get(file) !== latest);
    const asked = late.flatMap((file) => {
      this.#askedAt.set(file, latest);
      const failed = () => void this.#askedAt.delete(file);
      const renewed = renewProject(instance, file)?.catch(failed);
      if (renewed) return [];
      const params = { textDocument: { uri: pathToUri(file) } };
      return [connection.request(DocumentSymbolRequest.method, params).catch(failed)];
    });
    await Promise.all(asked);
  }

  /** Returns those that are not to be kept open any more. */
  #keep(files: readonly AbsPath[]): readonly AbsPath[] {
    for (const file of files) {
      this.#files.delete(file);
      this.#files.add(file);
      this.#pins.add(USER, file);
    }
    const leaving = [...this.#files].slice(0, Math.max(0, this.#files.size - MOST_FILES));
    for (const file of leaving) this.#files.delete(file);
    return leaving.filter((file) => this.#pins.remove(USER, file));
  }
}
