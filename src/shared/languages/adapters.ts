/** Servers by the ids that people know them by: one for each language, whichever of its servers is used. */
import type { LanguageFamily } from './family.ts';

export interface Adapter {
  readonly id: string;
  readonly family: LanguageFamily;
}

export function adaptersOf(families: readonly LanguageFamily[]): readonly Adapter[] {
  return families.map((family) => {
    const server = family.knownByServer ? family.servers[0]?.serverId : undefined;
    return { id: server ?? family.id, family };
  });
}

/** By its id, the id of its language, or that of one of its servers. */
export function adapterNamed(name: string, families: readonly LanguageFamily[]): Adapter | undefined {
  const adapters = adaptersOf(families);
  const is = (id: string) => id.toLowerCase() === name.trim().toLowerCase();
  return (
    adapters.find(({ id }) => is(id)) ??
    adapters.find(({ family }) => is(family.id)) ??
    adapters.find(({ family }) => family.servers.some(({ serverId }) => is(serverId)))
  );
}
