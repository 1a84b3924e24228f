/**
 * What a server has said it could not load, recognized by its rules; each trouble lasts until the server says that it
 * is over.
 */
import type { ProgressToken, PublishDiagnosticsParams } from 'vscode-languageserver-protocol';
import type { LineRule, LoadRule, StatusRule } from '../protocol/load-rules.ts';

/** rust-analyzer sends `health` and `message`, jdtls `type` and `message`. */
export interface ServerStatus {
  readonly quiescent?: boolean;
  readonly health?: string;
  readonly message?: string | null;
  readonly type?: string;
}

/** Of what a server prints, how it begins and how it ends: tools name the victim first and the cause last. */
const MOST_HEAD = 160;
const MOST_TAIL = 100;

export class LoadTroubles {
  readonly #rules: readonly LoadRule[];
  readonly #reasons = new Map<string, string>();

  constructor(rules: readonly LoadRule[]) {
    this.#rules = rules;
  }

  /** The first of them, with what can be done. */
  get reason(): string | undefined {
    return this.#reasons.values().next().value;
  }

  line(text: string): void {
    for (const rule of this.#of('line')) {
      const over = rule.over?.exec(text);
      if (over) this.#lineOver(rule, over.groups?.of);
      const said = rule.says.exec(text);
      if (said) this.#reasons.set(this.#key(rule, said.groups?.of), told(rule, said.groups));
    }
  }

  /** True for a progress that is no work but tells of a trouble. */
  progress(token: ProgressToken, value: { kind: string; title?: string; message?: string }): boolean {
    const rule = this.#of('progress').find(
      (each) => this.#reasons.has(this.#key(each, token)) || each.title.test(value.title ?? ''),
    );
    if (!rule) return false;
    const key = this.#key(rule, token);
    if (value.kind === 'end') this.#reasons.delete(key);
    else if (value.message !== undefined) this.#reasons.set(key, told(rule, { why: value.message }));
    return true;
  }

  published({ uri, diagnostics }: PublishDiagnosticsParams): void {
    for (const rule of this.#of('diagnostic')) {
      if (!rule.file.test(uri)) continue;
      const found = diagnostics.find((each) => rule.isMeant(each));
      if (found) this.#reasons.set(this.#key(rule, uri), told(rule, { why: messageOf(found) }));
      else this.#reasons.delete(this.#key(rule, uri));
    }
  }

  status(status: ServerStatus): void {
    for (const rule of this.#of('status')) {
      // Others, such as jdtls' ProjectStatus, say nothing about loading: it warns of any error in any source.
      if (status.health === undefined && !/^(Error|Started|ServiceReady)$/.test(status.type ?? '')) continue;
      const reason = statusReason(rule, status);
      if (reason === undefined) this.#reasons.delete(this.#key(rule));
      else this.#reasons.set(this.#key(rule), reason);
    }
  }

  #lineOver(rule: LineRule, of: string | undefined): void {
    const prefix = this.#key(rule, of);
    for (const key of [...this.#reasons.keys()])
      if (of === undefined ? key.startsWith(prefix) : key === prefix) this.#reasons.delete(key);
  }

  #key(rule: LoadRule, of: ProgressToken = ''): string {
    return `${this.#rules.indexOf(rule)} ${of}`;
  }

  #of<By extends LoadRule['by']>(by: By) {
    return this.#rules.filter((rule): rule is Extract<LoadRule, { by: By }> => rule.by === by);
  }
}

function statusReason({ known, harmless }: StatusRule, status: ServerStatus): string | undefined {
  const { health, type } = status;
  const isError = health === 'error' || type === 'Error';
  if (!isError && health !== 'warning') return undefined;
  const message = status.message ?? '';
  for (const rule of known) {
    const said = rule.says.exec(message);
    if (said) return told(rule, said.groups);
  }
  if (!isError && harmless?.test(message)) return undefined;
  return oneLine(message) || 'it reports an error';
}

function told(
  { reason, next, aside }: { reason: string; next: string; aside?: RegExp },
  groups: Readonly<Record<string, string | undefined>> = {},
): string {
  const filled = reason.replace(/\$(\w+)/g, (_all, name: string) => {
    const said = groups[name] ?? '';
    // Where nothing else was said, this is the reason.
    return oneLine((aside && said.replace(aside, '')) || said);
  });
  return `${filled}; ${next}`;
}

function oneLine(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.;:]+$/, '');
  if (line.length <= MOST_HEAD + MOST_TAIL) return line;
  return `${line.slice(0, MOST_HEAD).replace(/\s\S*$/, '')} … ${line.slice(-MOST_TAIL).replace(/^\S*\s/, '')}`;
}

function messageOf({ message }: { message: unknown }): string {
  return typeof message === 'string' ? message : JSON.stringify(message);
}
