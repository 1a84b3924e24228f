/** What all shared servers of a user take together, and how much they may. */
import type { BrokerListing } from './broker-control.ts';

export interface BrokerTotal {
  readonly kind: 'total';
  readonly brokers: number;
  readonly servers: { readonly running: number; readonly asleep: number };
  readonly memory: {
    /** Of brokers and servers. */
    readonly rssBytes: number;
    readonly brokersRssBytes: number;
    /** Each broker has its own environment, and the strictest of them is the one that acts; absent when none tells. */
    readonly budgetBytes?: number;
    /** Negative while what is in use, or was lately, takes more. */
    readonly leftBytes?: number;
  };
}

export function totalOf(listings: readonly BrokerListing[]): BrokerTotal {
  const all = listings.flatMap((listing) => (listing.kind === 'running' ? [listing.status] : []));
  const sum = (figures: readonly number[]) => figures.reduce((before, figure) => before + figure, 0);
  const rssBytes = sum(all.map(({ memory }) => memory.treeRssBytes));
  const budgets = all.flatMap(({ budget }) => budget?.maxBytes ?? []);
  const budgetBytes = budgets.length === 0 ? undefined : Math.min(...budgets);
  return {
    kind: 'total',
    brokers: all.length,
    servers: {
      running: all.filter(({ server }) => server.pid !== undefined).length,
      asleep: all.filter(({ state }) => state.kind === 'idle' && state.asleep !== undefined).length,
    },
    memory: {
      rssBytes,
      brokersRssBytes: sum(all.map(({ memory }) => memory.brokerRssBytes)),
      ...(budgetBytes === undefined ? {} : { budgetBytes, leftBytes: budgetBytes - rssBytes }),
    },
  };
}
