/**
 * Every skill is a file of the Agent Skills format that a model can afford to read, and names only calls that there are. That
 * they lead where the text says is shown by walking them (test/real/skills.test.ts).
 */

import { listedSkill } from '../src/frontend/features/skills/listed-skills.ts';
import { listedPrompt } from '../src/frontend/features/skills/prompts.ts';
import { metadataOf, parseSkillFile, textOf, words } from '../src/frontend/features/skills/skill-file.ts';
import { stepsOf } from '../test/support/skill-steps.ts';
import { tokensIn } from '../test/support/tokens.ts';
import { type CheckResult, type Problem, plural, runWhenMain } from './lib/report.ts';
import { type JsonSchema, loadTools } from './lib/tool-registry.ts';
import { filesBelow, lineAt, readText } from './lib/tree.ts';

/** Of the format. */
const FORMAT = { name: 64, description: 1_024, compatibility: 500 };
const KEYS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];
/** Ours: a skill is read at once, and clients show an agent all descriptions, some of them 8,000 characters in all. */
const LINES = { least: 40, most: 80 };
const MOST_TOKENS = 800;
const MOST_DESCRIPTIONS = 6_000;
const MOST_LISTED_TOKENS = 3_000;

/** Parameters of every tool by its name. */
type Parameters = ReadonlyMap<string, JsonSchema>;

export async function checkSkills(root: string): Promise<CheckResult> {
  const tools: Parameters = new Map((await loadTools(root)).map(({ name, input }) => [name, input]));
  const files = filesBelow(root, 'skills', (file) => file.endsWith('SKILL.md'));
  const problems: Problem[] = [];
  const texts = files.map((file) => ({ file, text: readText(root, file) }));
  for (const { file, text } of texts) {
    const say = (message: string, line?: number) => problems.push({ file, line, message });
    try {
      checkFrontMatter(file, text, tools, say);
      checkText(text, tools, say);
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  }
  if (problems.length > 0) return { problems };
  const listed = texts.map(({ file, text }) => listedSkill(file.split('/').at(-2) ?? '', text));
  const characters = listed.reduce((sum, { description }) => sum + description.length, 0);
  if (characters > MOST_DESCRIPTIONS)
    problems.push({
      file: 'skills',
      message: `descriptions of ${characters} characters (limit ${MOST_DESCRIPTIONS})`,
    });
  const listTokens = tokensIn(JSON.stringify({ prompts: listed.map(listedPrompt) }));
  if (listTokens > MOST_LISTED_TOKENS)
    problems.push({
      file: 'skills',
      message: `prompts/list needs ${listTokens} tokens (budget ${MOST_LISTED_TOKENS})`,
    });
  const largest = Math.max(...texts.map(({ text }) => tokensIn(text)));
  const note = `${plural(files.length, 'skill')}, the largest of ${largest} tokens of ${MOST_TOKENS}; descriptions: ${characters} characters of ${MOST_DESCRIPTIONS}; prompts/list: ${listTokens} tokens of ${MOST_LISTED_TOKENS}`;
  return { problems, notes: [note] };
}

type Say = (message: string, line?: number) => void;

function checkFrontMatter(file: string, text: string, tools: Parameters, say: Say): void {
  const { frontMatter, body } = parseSkillFile(text);
  const folder = file.split('/').at(-2);
  const name = textOf(frontMatter, 'name') ?? '';
  if (name !== folder) say(`is called ${name} in the folder ${folder}`);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) say('has a name that is not small letters, digits and dashes');
  for (const key of Object.keys(frontMatter))
    if (!KEYS.includes(key)) say(`has the key ${key}, which the format does not have`);
  for (const key of KEYS) if (frontMatter[key] === undefined) say(`has no ${key}`);
  for (const [key, limit] of Object.entries(FORMAT))
    if ((textOf(frontMatter, key) ?? '').length > limit) say(`has a ${key} of more than ${limit} characters`);
  if (!/ Use /.test(textOf(frontMatter, 'description') ?? ''))
    say('does not say in its description when to use it');
  const allowed = words(textOf(frontMatter, 'allowed-tools'));
  const optional = words(metadataOf(frontMatter, 'optional-tools'));
  for (const tool of allowed) {
    if (!tools.has(tool)) say(`allows ${tool}, which is no tool`);
    if (!body.includes(tool)) say(`allows ${tool} and does not mention it`);
  }
  for (const tool of optional)
    if (!allowed.includes(tool)) say(`can do without ${tool}, which it does not allow`);
  for (const { tool } of stepsOf(text))
    if (!allowed.includes(tool)) say(`calls ${tool} and does not allow it`);
  checkNames(text, { allowed, tools }, say);
}

/** What the prose names has to be at hand: a tool that is allowed, or a parameter of one. */
function checkNames(
  text: string,
  { allowed, tools }: { readonly allowed: readonly string[]; readonly tools: Parameters },
  say: Say,
): void {
  const parameters = new Set(allowed.flatMap((tool) => Object.keys(tools.get(tool)?.properties ?? {})));
  for (const { 1: word = '', index } of text.matchAll(/`([a-z]+(?:_[a-z]+)+)/g)) {
    if (tools.has(word) && !allowed.includes(word))
      say(`names ${word} and does not allow it`, lineAt(text, index));
    else if (!tools.has(word) && !parameters.has(word))
      say(`speaks of ${word}, which is neither a tool nor a parameter of those allowed`, lineAt(text, index));
  }
  for (const { 1: name = '', index } of text.matchAll(/`"([a-z_]+)":/g))
    if (!parameters.has(name))
      say(`speaks of "${name}", which no tool takes that is allowed`, lineAt(text, index));
}

function checkText(text: string, tools: Parameters, say: Say): void {
  const count = text.trimEnd().split('\n').length;
  if (count < LINES.least || count > LINES.most) say(`has ${count} lines (${LINES.least} to ${LINES.most})`);
  const tokens = tokensIn(text);
  if (tokens > MOST_TOKENS) say(`needs ${tokens} tokens (budget ${MOST_TOKENS})`);
  for (const { tool, template, line } of stepsOf(text)) {
    const schema = tools.get(tool);
    if (!schema) {
      say(`calls ${tool}, which is no tool`, line);
      continue;
    }
    const given = Object.keys(JSON.parse(template.replaceAll(/: <[^>]+>/g, ': 1')));
    for (const key of given)
      if (!schema.properties?.[key]) say(`passes ${key} to ${tool}, which does not take it`, line);
    for (const key of schema.required ?? [])
      if (!given.includes(key)) say(`calls ${tool} without ${key}`, line);
  }
}

await runWhenMain(import.meta.url, 'skills', checkSkills);
