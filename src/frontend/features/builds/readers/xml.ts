/**
 * The elements of one name in an XML text, with all that is in them. Reports hold what tests printed, which may look
 * like XML itself: comments and CDATA are told from elements, and nothing external is ever loaded.
 * Decision: docs/decisions/dependencies.md#reports-in-xml-by-a-scanner-of-our-own
 */

export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Its own, without that of its children. */
  readonly text: string;
}

export interface XmlElements {
  readonly elements: readonly XmlElement[];
  /** False when the text ends before its elements do: its writer was stopped, and more may have been to come. */
  readonly isWhole: boolean;
}

export function xmlElements(xml: string, name: string): XmlElements {
  const elements: XmlElement[] = [];
  /** Those that are open, from the wanted one inwards. */
  const inside: Open[] = [];
  let depth = 0;
  for (const [, cdata, closed, opened, attributes = '', empty, text] of xml.matchAll(TOKEN)) {
    const current = inside.at(-1);
    if (current && cdata !== undefined) current.text += cdata;
    if (current && text !== undefined) current.text += unescaped(text);
    if (opened !== undefined) {
      if (empty === '') depth += 1;
      if (!current && opened !== name) continue;
      const element: Open = { name: opened, attributes: attributesIn(attributes), children: [], text: '' };
      if (empty === '') inside.push(element);
      else (current?.children ?? elements).push(element);
    }
    if (closed !== undefined) {
      depth -= 1;
      const element = inside.pop();
      if (element) (inside.at(-1)?.children ?? elements).push(element);
    }
  }
  return { elements, isWhole: depth === 0 };
}

interface Open extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

/** A comment, CDATA, an instruction, the end of an element, its beginning, or text. */
const TOKEN =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<[?!][^>]*>|<\/([^\s>]+)\s*>|<([^\s/>]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>|([^<]+)/g;

function attributesIn(text: string): ReadonlyMap<string, string> {
  const found = [...text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)];
  return new Map(
    found.map(([, name = '', double, single]) => [name, unescaped(double ?? single ?? '')] as const),
  );
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
