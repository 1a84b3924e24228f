/** One server of a program's own: it runs in this process, is shared with nobody and ends when it is closed. */
import { fileURLToPath } from 'node:url';
import { HostLink } from '../frontend/link/host-link.ts';
import { fail } from '../shared/base/failure.ts';
import { systemClock } from '../shared/base/lifetime.ts';
import { absolutePath, realPath } from '../shared/base/paths.ts';
import { commandFrom } from '../shared/config/command-words.ts';
import { applyServerEntries } from '../shared/config/server-entries.ts';
import { stateDirectory } from '../shared/config/state-dir.ts';
import { createHost } from '../shared/host/create-host.ts';
import { currentEnvironment, packageRootOf } from '../shared/languages/environment.ts';
import { knownLanguages, languageById } from '../shared/languages/lookup.ts';
import { makePlan } from '../shared/languages/plan.ts';
import { languageTable } from '../shared/languages/table.ts';
import type { Json, JsonObject } from '../shared/link/server-plan.ts';
import type { HostOptions, LanguageServerHost } from './contract.ts';
import { asErrors } from './errors.ts';
import { languageServer } from './language-server.ts';
import { logOf } from './program-log.ts';

export function startLanguageServer(options: HostOptions): Promise<LanguageServerHost> {
  return asErrors(async () => {
    const environment = currentEnvironment(packageRootOf(fileURLToPath(import.meta.url)));
    const root = realPath(absolutePath(options.root, process.cwd()));
    const { command, extensions = [], language } = options;
    const entry = {
      languageId: language,
      extensions,
      command: command && commandFrom(command, process.cwd(), environment.homedir),
      env: options.env ?? {},
      settings: (options.settings ?? {}) as JsonObject,
      initializationOptions: options.initializationOptions as Json | undefined,
      origin: 'createHost',
    };
    const { languages, overrides } = applyServerEntries([[entry]], languageTable);
    const family = languageById(language, languages)?.family;
    if (!family)
      return fail({ kind: 'unknown-language', path: language, language, known: knownLanguages(languages) });
    const config = { overrides, stateDir: stateDirectory(environment) };
    const plan = await makePlan({ family, root, boundary: root, config, environment });
    const host = new HostLink(createHost(plan, { clock: systemClock, log: logOf(options.log) }));
    const close = () => host.close();
    return Object.assign(languageServer(host), { close, [Symbol.asyncDispose]: close });
  });
}
