/**
 * Diagnostics in all the manners seen in real servers. They are a function of the text alone:
 * a line with ERROR has an error, one with WARN a warning, so that a test can tell which text was looked at.
 */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { measure } from './documents.mjs';
import { waitForFile } from './gates.mjs';

const PULL = ['pull', 'pull-dynamic', 'pull-unchanged'];
const PUSH = ['versioned', 'unversioned', 'constant', 'two-stage', 'silent-clear', 'old-after-new', 'none'];
const PROVIDER = { identifier: 'fake', interFileDependencies: false, workspaceDiagnostics: false };

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
      ? { diagnosticProvider: PROVIDER }
      : {};
  }

  /** Registers pulling, if the client can be registered with; otherwise everything is pushed, as pyright does. */
  async initialized(clientCapabilities) {
    if (this.#profile !== 'pull-dynamic') return;
    if (!clientCapabilities.textDocument?.diagnostic?.dynamicRegistration) return;
    this.#registered = true;
    await this.#session.ask('client/registerCapability', {
      registrations: [
        { id: 'fake-diagnostics', method: 'textDocument/diagnostic', registerOptions: PROVIDER },
      ],
    });
  }

  pull({ textDocument, previousResultId }) {
    const text = this.#session.documents.textOf(textDocument.uri);
    const items = findings(text ?? '', this.#session.encoding);
    if (this.#profile !== 'pull-unchanged') return { kind: 'full', items };
    const resultId = createHash('sha256')
      .update(text ?? '')
      .digest('hex')
      .slice(0, 12);
    return resultId === previousResultId
      ? { kind: 'unchanged', resultId }
      : { kind: 'full', resultId, items };
  }

  async changed(document) {
    const { uri, version, text, previous } = document;
    if (this.#isPulled() || this.#profile === 'none') return;
    const items = findings(text, this.#session.encoding);
    if (this.#profile === 'two-stage') this.#publish(uri, version, []);
    // Without a reason to wait the list must be out before the next message is answered.
    if (this.#options.gate !== undefined || this.#options.delayMs !== undefined) await this.#held(version);
    if (this.#profile === 'silent-clear' && items.length === 0) return;
    this.#publish(uri, version, items);
    if (this.#profile === 'old-after-new' && previous) {
      this.#publish(uri, previous.version, findings(previous.text, this.#session.encoding));
    }
    for (const file of this.#options.also ?? []) this.publishNow({ uri: pathToFileURL(file).href });
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
      diagnostics: diagnostics ?? findings(text(), this.#session.encoding),
    });
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
}

function findings(text, encoding) {
  return text.split(/\r\n|\n|\r/).flatMap((line, number) =>
    [...line.matchAll(/\b(ERROR|WARN)\b/g)].map((match) => ({
      range: {
        start: { line: number, character: measure(line.slice(0, match.index), encoding) },
        end: { line: number, character: measure(line.slice(0, match.index + match[0].length), encoding) },
      },
      severity: match[1] === 'ERROR' ? 1 : 2,
      code: match[1] === 'ERROR' ? 'fake-error' : 'fake-warning',
      source: 'fake',
      message: line.trim(),
    })),
  );
}
