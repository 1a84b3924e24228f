/**
 * What a test may be called, from its title in the source: the title as written, and what vitest makes of it.
 * `${…}` stands for any text. Of a table (`.each`, `.for`) the titles of its rows are known as far as
 * the rows are literals.
 */
import ts from 'typescript5';

export type Title = ts.StringLiteralLike | ts.TemplateExpression;

export function isTitle(node: ts.Expression): node is Title {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** The source of a regular expression that matches all names of the test; `table` is the argument of `.each`. */
export function titlePattern(title: Title, table: ts.Expression | undefined): string {
  const written = writtenPattern(title);
  if (table === undefined || !ts.isStringLiteralLike(title)) return written;
  const rows = rowsOf(table).map((row, index) => rowPattern(title.text, row, index));
  return `(?:${[written, ...rows].join('|')})`;
}

function writtenPattern(title: Title): string {
  if (!ts.isTemplateExpression(title)) return escaped(title.text);
  return (
    escaped(title.head.text) + title.templateSpans.map((span) => `.+${escaped(span.literal.text)}`).join('')
  );
}

function rowsOf(table: ts.Expression): readonly ts.Expression[] {
  const plain = withoutTypes(table);
  return ts.isArrayLiteralExpression(plain) ? plain.elements : [];
}

function rowPattern(title: string, row: ts.Expression, index: number): string {
  const plain = withoutTypes(row);
  const values = ts.isArrayLiteralExpression(plain) ? [...plain.elements] : [plain];
  return title
    .split(/(%[sdifjoO#%]|\$[\w.]+)/)
    .map((part, at) => {
      if (at % 2 === 0) return escaped(part);
      if (part === '%%') return '%';
      if (part === '%#') return String(index);
      const isField = part.startsWith('$');
      const value = isField ? memberOf(plain, part.slice(1)) : values.shift();
      if (value === undefined) return '.+';
      const shown = valuePattern(value, part === '%j');
      // Vitest puts texts of fields in quotes.
      return isField ? `'?${shown}'?` : shown;
    })
    .join('');
}

function memberOf(row: ts.Expression, name: string): ts.Expression | undefined {
  if (!ts.isObjectLiteralExpression(row)) return undefined;
  const members = row.properties.filter((property) => ts.isPropertyAssignment(property));
  return members.find((property) => property.name.getText() === name)?.initializer;
}

function valuePattern(value: ts.Expression, asJson: boolean): string {
  const plain = withoutTypes(value);
  if (ts.isStringLiteralLike(plain)) return escaped(asJson ? JSON.stringify(plain.text) : plain.text);
  return ts.isNumericLiteral(plain) ? escaped(plain.text) : '.+';
}

/** The value itself, without what only its type is told by, and without parentheses. */
export function withoutTypes(node: ts.Expression): ts.Expression {
  return ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)
    ? withoutTypes(node.expression)
    : node;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
