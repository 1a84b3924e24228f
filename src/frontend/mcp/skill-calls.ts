/**
 * Skills over MCP: as prompts, which nearly every client shows, and by the skills extension of the protocol, by which a
 * client loads them as if they were installed. Which ones there are depends on the tools that the session lists.
 * Decision: docs/decisions/skills.md#only-those-whose-tools-are-listed
 */
import { failureOf } from '../../shared/base/failure.ts';
import type { OfferedValues } from '../features/skills/argument-values.ts';
import type { ListedSkill } from '../features/skills/listed-skills.ts';
import type { ListedPrompt } from '../features/skills/prompts.ts';
import type { LazySession } from '../session/lazy-session.ts';
import { extensionOffers } from './extension-offers.ts';
import { INVALID_PARAMS, protocolError } from './protocol-error.ts';
import type { ToolSet } from './tool-set.ts';

export const SKILL_SCHEME = 'skill://';
const MANIFEST = '/SKILL.md';
const MARKDOWN = 'text/markdown';

type Given = Readonly<Record<string, string>>;

export interface PromptResult {
  readonly description: string;
  readonly messages: { role: 'user'; content: { type: 'text'; text: string } }[];
  readonly [other: string]: unknown;
}

/** A skill as the extension describes it: by its front matter, with what a client needs to check its file. */
export interface SkillEntry {
  readonly uri: string;
  readonly frontmatter: ListedSkill['frontMatter'];
  readonly resources: { uri: string; digest: string; size: number }[];
}

/** What of a session is needed here. */
type SessionDoor = Pick<LazySession, 'config' | 'open'>;

export class SkillCalls {
  readonly #session: SessionDoor;
  readonly #toolSet: ToolSet;
  /** A file of the package that has the skills. */
  readonly #fileOfPackage: string;

  constructor(session: SessionDoor, toolSet: ToolSet, fileOfPackage: string) {
    this.#session = session;
    this.#toolSet = toolSet;
    this.#fileOfPackage = fileOfPackage;
  }

  async prompts(): Promise<ListedPrompt[]> {
    const [{ listedPrompt }, { skills }, prompts] = await Promise.all([
      loadPrompts(),
      this.#skills(),
      this.#addedPrompts(),
    ]);
    const added = prompts.map(({ name, description, arguments: args }) => ({
      name,
      description,
      arguments: args,
    }));
    return [...skills.map(listedPrompt), ...added];
  }

  /** Fails with an error of the protocol for names and arguments that are wrong. */
  async prompt(name: string, given: Given = {}): Promise<PromptResult> {
    return refusing(async () => {
      const added = await this.#added(name);
      if (added) return asked(added.description, await added.text(given));
      const [{ skillNamed, promptText }, { skills, all }] = await Promise.all([
        loadPrompts(),
        this.#skills(),
      ]);
      const skill = skillNamed(name, skills, all);
      return asked(skill.description, promptText(skill, await this.#manifest(skill), given));
    });
  }

  /** What can be offered for an argument; nothing where only a server could say. */
  async complete(
    name: string,
    argument: { readonly name: string; readonly value: string },
  ): Promise<OfferedValues> {
    return refusing(async () => {
      if (await this.#added(name)) return { values: [], total: 0, hasMore: false };
      const [{ skillNamed, promptArgument }, { valuesFor }, { skills, all }] = await Promise.all([
        loadPrompts(),
        import('../features/skills/argument-values.ts'),
        this.#skills(),
      ]);
      promptArgument(skillNamed(name, skills, all), argument.name);
      const opened = await this.#session.open();
      if ('failure' in opened) return { values: [], total: 0, hasMore: false };
      return valuesFor(argument.name, argument.value, opened.session.roots);
    });
  }

  async entries(): Promise<SkillEntry[]> {
    const { skills } = await this.#skills();
    return skills.map(entryOf);
  }

  async entry(uri: string): Promise<SkillEntry> {
    const entry = (await this.entries()).find((each) => each.uri === uri);
    if (!entry)
      throw protocolError(INVALID_PARAMS, `there is no skill ${uri}; skills/list has all skills`, { uri });
    return entry;
  }

  async read(uri: string) {
    const { skills } = await this.#skills();
    const skill = skills.find((each) => entryOf(each).uri === uri);
    if (!skill)
      throw protocolError(INVALID_PARAMS, `there is no file ${uri} of a skill; skills/list has all skills`, {
        uri,
      });
    return [{ uri, mimeType: MARKDOWN, text: await this.#manifest(skill) }];
  }

  async #added(name: string) {
    return (await this.#addedPrompts()).find((prompt) => prompt.name === name);
  }

  /** Those of extensions. What comes with the package speaks of tools that only the full set has. */
  async #addedPrompts() {
    const [{ prompts }, read] = await Promise.all([extensionOffers(this.#session), this.#session.config()]);
    const isFull = !('failure' in read) && this.#toolSet.profile(read.config.tools) === 'full';
    return prompts.filter(({ isIncluded }) => isFull || !isIncluded);
  }

  async #manifest({ name }: ListedSkill): Promise<string> {
    const { manifestOf, packagedSkills } = await import('../features/skills/skill-folders.ts');
    return manifestOf(packagedSkills(this.#fileOfPackage), name);
  }

  async #skills(): Promise<{ skills: readonly ListedSkill[]; all: readonly ListedSkill[] }> {
    const [{ listedSkills }, { skillsWith }, { toolList }, read] = await Promise.all([
      import('../features/skills/listed-skills.ts'),
      loadPrompts(),
      import('./tool-list.ts'),
      this.#session.config(),
    ]);
    const policy =
      'failure' in read ? undefined : { ...read.config, tools: this.#toolSet.profile(read.config.tools) };
    const [all, tools] = await Promise.all([listedSkills(), toolList(policy)]);
    // A façade may call tools of its own by the same names.
    const isOurs = policy === undefined || policy.tools === 'full' || policy.tools === 'core';
    return { all, skills: isOurs ? skillsWith(all, tools) : [] };
  }
}

function entryOf({ name, frontMatter, digest, size }: ListedSkill): SkillEntry {
  const uri = `${SKILL_SCHEME}${name}${MANIFEST}`;
  return { uri, frontmatter: frontMatter, resources: [{ uri, digest, size }] };
}

function asked(description: string, text: string): PromptResult {
  return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    const { failureSentence } = await import('../render/failure.ts');
    throw protocolError(INVALID_PARAMS, failureSentence(failure));
  }
}

/** Many clients list prompts at once, and that needs no more than this. */
const loadPrompts = () => import('../features/skills/prompts.ts');
