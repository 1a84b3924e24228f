/** What agents pay for answers, counted on those in test/golden: one of every tool, as text and as JSON. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tokensIn } from '../../../support/tokens.ts';

const golden = path.resolve(import.meta.dirname, '../../../golden');

function kept(ending: string): readonly string[] {
  const files = readdirSync(golden).filter((name) => name.endsWith(ending));
  return files.map((name) => readFileSync(path.join(golden, name), 'utf8'));
}

/** The data is kept with line breaks, for those who read it, and sent without. */
function asSent(text: string): string {
  const data = /^([[{][\s\S]*?\n[\]}])(\n[\s\S]*)$/.exec(text);
  return data?.[1] === undefined ? text : JSON.stringify(JSON.parse(data[1])) + data[2];
}

function sum(texts: readonly string[]): number {
  return texts.reduce((tokens, text) => tokens + tokensIn(text), 0);
}

describe('answers as text', () => {
  it('take little more than half the tokens of the same answers as JSON', () => {
    const [texts, data] = [kept('.text.txt'), kept('.json.txt')];
    expect(texts.length).toBeGreaterThan(40);
    expect(data).toHaveLength(texts.length);
    expect(sum(texts) / sum(data.map(asSent))).toBeLessThan(0.6);
  });
});
