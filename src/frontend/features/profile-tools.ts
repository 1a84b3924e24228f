/** The tools of each profile. A façade's code is loaded only by sessions that want it. */
import { fail } from '../../shared/base/failure.ts';
import type { FacadeProfile, ListedProfile, NamedProfile } from '../../shared/config/choices.ts';
import type { Config } from '../../shared/config/config.ts';
import { isSwitchedOff } from '../../shared/config/facade-config.ts';
import { accessTo, refusal } from '../access/tool-access.ts';
import { includedTools } from '../extensions/included-extensions.ts';
import { withoutAdvice } from '../render/incomplete.ts';
import type { Tool } from '../tools/define-tool.ts';
import type { FacadeBase, MakeFacade } from '../tools/facade.ts';
import { allTools } from './all-tools.ts';
import { toolNamed, tools } from './registry.ts';

/** What a connection with this profile calls its tools by. */
export async function profileTools(profile: NamedProfile, config: Config): Promise<readonly Tool[]> {
  if (isSwitchedOff({ ...config, tools: profile })) return [];
  if (profile === 'full') return allTools(config);
  if (profile === 'core') return (await allTools(config)).filter(({ isCore }) => isCore);
  return toolsOf(profile, {
    config,
    run: async (name, args, context) => {
      // Façades read what tools of ours answer; what takes the place of one may answer otherwise.
      const tool = toolNamed(name);
      if (!tool) throw new Error(`there is no tool ${name} behind the façade ${profile}`);
      // What is denied stays denied under another name.
      const access = accessTo(tool, config);
      if (access.kind === 'refused') fail(refusal(name, tool.effect, access));
      const outcome = await tool.prepare(args).run(context);
      return outcome.incomplete ? { ...outcome, incomplete: withoutAdvice(outcome.incomplete) } : outcome;
    },
  });
}

/** The same without a session: they can be listed, not called. */
export function toolsToList(profile: ListedProfile): Promise<readonly Tool[]> {
  const none = () => {
    throw new Error(`the tools of ${profile} were made to be listed`);
  };
  return toolsOf(profile, {
    get config() {
      return none();
    },
    run: none,
  });
}

async function toolsOf(profile: ListedProfile, base: FacadeBase): Promise<readonly Tool[]> {
  return profile === 'full' ? [...tools, ...includedTools(tools)] : (await facades[profile]())(base);
}

const facades: Readonly<Record<FacadeProfile, () => Promise<MakeFacade>>> = {
  lsp: async () => (await import('./profiles/lsp/tools.ts')).lspTools,
  lsp6: async () => (await import('./profiles/lsp6/tools.ts')).lsp6Tools,
  pyright: async () => (await import('./profiles/pyright/tools.ts')).pyrightTools,
};
