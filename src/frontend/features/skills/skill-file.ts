/**
 * A SKILL.md as data: its front matter, and the text below it. The front matter is the part of YAML that our own files
 * use: a value in a line, and one map of texts. A test holds it to be what the SDK of the protocol reads.
 */

export type FrontMatterValue = string | Readonly<Record<string, string>>;
export type FrontMatter = Readonly<Record<string, FrontMatterValue>>;

export interface SkillFile {
  readonly frontMatter: FrontMatter;
  readonly body: string;
}

const FILE = /^---\n([\s\S]*?)^---[ \t]*\n([\s\S]*)$/m;
const ENTRY = /^( *)([a-z][\w-]*):(?: +(.*))?$/;

/** Fails with the line that is not understood. */
export function parseSkillFile(text: string): SkillFile {
  const [whole, head = '', body = ''] = FILE.exec(text.replaceAll('\r\n', '\n')) ?? [];
  if (whole === undefined || !text.startsWith('---'))
    throw new Error('a skill begins with front matter between two lines ---');
  const frontMatter: Record<string, FrontMatterValue> = {};
  let map: Record<string, string> | undefined;
  for (const line of head.split('\n').filter((each) => each.trim() !== '')) {
    const [, indent, key = '', value] = ENTRY.exec(line) ?? [];
    if (indent === undefined) throw new Error(`front matter: ${line}`);
    if (indent === '') {
      map = value === undefined ? {} : undefined;
      frontMatter[key] = map ?? scalar(value ?? '', line);
    } else if (map === undefined) throw new Error(`front matter: ${line}`);
    else map[key] = scalar(value ?? '', line);
  }
  return { frontMatter, body: body.trim() };
}

/** What stands in quotes is as in JSON; what does not is a text as it is, and must not look like anything else. */
function scalar(value: string, line: string): string {
  if (!value.startsWith('"')) {
    if (/^[[\]{}>|*&!%#`@,?'-]|: | #|:$|^(?:[\d.+]+|true|false|null|~)?$/i.test(value))
      throw new Error(`front matter: put quotes around the value of ${line}`);
    return value;
  }
  const text: unknown = JSON.parse(value);
  if (typeof text !== 'string') throw new Error(`front matter: ${line}`);
  return text;
}

export function textOf(frontMatter: FrontMatter, key: string): string | undefined {
  const value = frontMatter[key];
  return typeof value === 'string' ? value : undefined;
}

export function metadataOf(frontMatter: FrontMatter, key: string): string | undefined {
  const { metadata } = frontMatter;
  return typeof metadata === 'object' ? metadata[key] : undefined;
}

export function words(text: string | undefined): readonly string[] {
  return (text ?? '').split(' ').filter((word) => word !== '');
}
