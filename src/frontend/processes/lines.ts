/** Output as lines and as its last part, both within bounds: a build may print gigabytes, and lines of any length. */

/** More of one line than any message has; what is beyond is dropped until the line ends. */
const MAX_LINE = 256 * 1024;

/** Cuts a stream of text into lines. A carriage return ends a line as well: that is how progress bars move. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #rest = '';
  #dropping = false;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: string): void {
    const parts = chunk.split(LINE_END);
    const rest = parts.pop() ?? '';
    for (const part of parts) {
      this.#add(part);
      this.#end();
    }
    this.#add(rest);
  }

  /** What came after the last line end is a line, too. */
  end(): void {
    if (this.#rest !== '') this.#end();
  }

  #add(text: string): void {
    if (this.#dropping) return;
    this.#rest += text;
    if (this.#rest.length <= MAX_LINE) return;
    this.#rest = this.#rest.slice(0, MAX_LINE);
    this.#dropping = true;
  }

  #end(): void {
    const line = this.#rest;
    this.#rest = '';
    this.#dropping = false;
    if (line !== '') this.#onLine(plain(line));
  }
}

const LINE_END = /[\r\n]/;

/** Without colours and other commands for terminals, which some programs print whatever they are told. */
function plain(line: string): string {
  return line.includes('\u001b') ? line.replace(TERMINAL_COMMAND, '') : line;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal commands begin with this character
const TERMINAL_COMMAND = /\u001b(\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(\u0007|\u001b\\)|[@-Z\\-_])/g;

/** The last lines of an output, and how much came before them. */
export class OutputTail {
  readonly #most: number;
  #lines: string[] = [];
  #kept = 0;
  #cut = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(line: string): void {
    const kept = line.length > this.#most ? line.slice(0, this.#most) : line;
    this.#cut += line.length - kept.length;
    this.#lines.push(kept);
    this.#kept += kept.length + 1;
    // Thrown away in large pieces: shifting for every line of a long output would take quadratic time.
    if (this.#kept > this.#most * 2) this.#trim();
  }

  get text(): string {
    this.#trim();
    const said = this.#cut === 0 ? '' : `[${this.#cut} characters before this were cut]\n`;
    return said + this.#lines.join('\n');
  }

  last(count: number): readonly string[] {
    return this.#lines.filter((line) => line.trim() !== '').slice(-count);
  }

  #trim(): void {
    let first = 0;
    while (this.#kept > this.#most && first < this.#lines.length - 1) {
      const length = (this.#lines[first]?.length ?? 0) + 1;
      this.#kept -= length;
      this.#cut += length;
      first += 1;
    }
    if (first > 0) this.#lines = this.#lines.slice(first);
  }
}
