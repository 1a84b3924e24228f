/**
 * Diagnostics in all the manners seen in real servers. They are a function of the texts alone:
 * a line with ERROR has an error, one with WARN a warning, and one with `NEEDS other.txt` an error while that file
 * contains BROKEN, so that a test can tell which texts were looked at.
 */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { measure } from './documents.mjs';
import { waitForFile } from './gates.mjs';

const PULL = ['pull', 'pull-dynamic', 'pull-unchanged'];
const PUSH = ['versioned', 'unversioned', 'constant', 'two-stage', 'silent-clear', 'old-after-new', 'none'];
const PROVIDER = { identifier: 'fake', interFileDependencies: true };

export class Diagnostics {
  #profile;
  #options;
  #session;
  #registered = false;

  constructor(options, session) {
    this.#profile = options.profile ?? 'versioned';
    this.#options = options;
    this.#session = session;
    if (![...PULL, ...PUSH].includes(this.#profile))
      throw new Error(`unknown diagnostics profile "${this.#profile}"`);
  }

  /** What the initialize answer says about diagnostics. */
  capabilities() {
    return this.#profile === 'pull' || this.#profile === 'pull-unchanged'
      ? { diagnosticProvider: this.#provider() }
      : {};
  }

  /** Registers pulling, if the client can be registered with; otherwise everything is pushed, as pyright does. */
  async initialized(clientCapabilities) {
    if (this.#profile !== 'pull-dynamic') return;
    if (!clientCapabilities.textDocument?.diagnostic?.dynamicRegistration) return;
    this.#registered = true;
    await this.#session.ask('client/registerCapability', {
      registrations: [
        { id: 'fake-diagnostics', method: 'textDocument/diagnostic', registerOptions: this.#provider() },
      ],
    });
  }

  pull({ textDocument, previousResultId }) {
    const { uri } = textDocument;
    const related = (this.#options.related ?? []).map((file) => pathToFileURL(file).href);
    return {
      ...this.#reportOn(uri, previousResultId),
      ...(related.length === 0
        ? {}
        : { relatedDocuments: Object.fromEntries(related.map((other) => [other, this.#reportOn(other)])) }),
    };
  }

  pullWorkspace() {
    const { documents } = this.#session;
    const open = documents.all().map(({ uri, version }) => ({ uri, version }));
    const also = (this.#options.also ?? []).map((file) => ({ uri: pathToFileURL(file).href, version: null }));
    return { items: [...open, ...also].map((item) => ({ ...item, ...this.#reportOn(item.uri) })) };
  }

  async changed(document) {
    if (this.#isPulled() || this.#profile === 'none') return;
    const { uri, version, text, previous } = document;
    if (this.#profile === 'two-stage') this.#publish(uri, version, []);
    // Without a reason to wait the list must be out before the next message is answered.
    if (this.#options.gate !== undefined || this.#options.delayMs !== undefined) await this.#held(version);
    this.#publishUnlessSilent(uri, version, text);
    if (this.#profile === 'old-after-new' && previous)
      this.#publish(uri, previous.version, this.#findings(uri, previous.text));
    for (const file of this.#options.also ?? []) this.publishNow({ uri: pathToFileURL(file).href });
    if (!this.#options.dependents) return;
    for (const other of this.#session.documents.all())
      if (other.uri !== uri) this.#publishUnlessSilent(other.uri, other.version, other.text);
  }

  closed(document) {
    if (this.#isPulled() || this.#profile === 'none' || this.#options.clearOnClose === false) return;
    this.#session.notify('textDocument/publishDiagnostics', { uri: document.uri, diagnostics: [] });
  }

  /** Publishes at once what is given, or what the current text gives. */
  publishNow({ uri, version, diagnostics }) {
    const text = () => this.#session.documents.textOf(uri) ?? '';
    this.#session.notify('textDocument/publishDiagnostics', {
      uri,
      ...(version === undefined ? {} : { version }),
      diagnostics: diagnostics ?? this.#findings(uri, text()),
    });
  }

  #provider() {
    return { ...PROVIDER, workspaceDiagnostics: this.#options.workspace === true };
  }

  #reportOn(uri, previousResultId) {
    const items = this.#findings(uri, this.#session.documents.textOf(uri) ?? '');
    if (this.#profile !== 'pull-unchanged') return { kind: 'full', items };
    const resultId = createHash('sha256').update(JSON.stringify(items)).digest('hex').slice(0, 12);
    return resultId === previousResultId
      ? { kind: 'unchanged', resultId }
      : { kind: 'full', resultId, items };
  }

  #publishUnlessSilent(uri, version, text) {
    const items = this.#findings(uri, text);
    if (this.#profile === 'silent-clear' && items.length === 0) return;
    this.#publish(uri, version, items);
  }

  #publish(uri, version, diagnostics) {
    const shown = { unversioned: {}, constant: { version: 1 } }[this.#profile] ?? { version };
    this.#session.notify('textDocument/publishDiagnostics', { uri, ...shown, diagnostics });
  }

  async #held(version) {
    const { gate, delayMs } = this.#options;
    if (gate !== undefined) await waitForFile(gate.replaceAll('{version}', String(version)), true);
    if (delayMs !== undefined) await pause(delayMs);
  }

  #isPulled() {
    return this.#profile === 'pull-dynamic' ? this.#registered : PULL.includes(this.#profile);
  }

  #findings(uri, text) {
    const { encoding, documents } = this.#session;
    const problem = ([, mark, name]) =>
      mark !== 'NEEDS' || isBroken(documents.textOf(new URL(name, uri).href));
    return text.split(/\r\n|\n|\r/).flatMap((line, number) =>
      [...line.matchAll(MARKS)].filter(problem).map(({ index, 1: mark }) => ({
        range: {
          start: { line: number, character: measure(line.slice(0, index), encoding) },
          end: { line: number, character: measure(line.slice(0, index + mark.length), encoding) },
        },
        severity: mark === 'WARN' ? 2 : 1,
        code: { ERROR: 'fake-error', WARN: 'fake-warning', NEEDS: 'fake-need' }[mark],
        source: 'fake',
        message: line.trim(),
      })),
    );
  }
}

const MARKS = /\b(ERROR|WARN|NEEDS)\b(?: (\S+))?/g;

function isBroken(text) {
  return text?.includes('BROKEN') === true;
}
