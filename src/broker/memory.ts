/** What the broker and its server cost: resident memory and processor share over the process tree. */
import { totalmem } from 'node:os';
import pidusage from 'pidusage';
import { type Clock, systemClock } from '../shared/base/lifetime.ts';
import { processTree } from '../shared/process/process-tree.ts';
import type { BrokerStatus } from '../shared/rendezvous/broker-protocol.ts';

export type MemoryFigures = BrokerStatus['memory'];
type Usage = Readonly<Record<string, { memory: number; cpu: number } | null | undefined>>;

export interface MemoryMeterOptions {
  readonly clock?: Clock;
  readonly tree?: (pid: number) => Promise<number[]>;
  readonly usage?: (pids: number[]) => Promise<Usage>;
}

/** What there is to share: a container may have less than its machine. */
export function machineBytes(): number {
  const limit = process.constrainedMemory?.() ?? 0;
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Looking costs a read per process, so a figure is used again for a while. */
const FRESH_MS = 15_000;

export class MemoryMeter {
  readonly #clock: Clock;
  readonly #tree: (pid: number) => Promise<number[]>;
  readonly #usage: (pids: number[]) => Promise<Usage>;
  #sample: { at: number; figures: Promise<MemoryFigures> } | undefined;

  constructor(options: MemoryMeterOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#tree = options.tree ?? processTree;
    this.#usage = options.usage ?? ((pids) => pidusage(pids));
  }

  figures(): Promise<MemoryFigures> {
    const now = this.#clock.now();
    if (!this.#sample || now - this.#sample.at >= FRESH_MS)
      this.#sample = { at: now, figures: this.#measure() };
    return this.#sample.figures;
  }

  /** Processes have come or gone: what was measured before is not what there is now. */
  forget(): void {
    this.#sample = undefined;
  }

  async #measure(): Promise<MemoryFigures> {
    const own = process.memoryUsage.rss();
    try {
      const usage = await this.#usage(await this.#tree(process.pid));
      const entries = Object.values(usage).filter((entry) => entry !== null && entry !== undefined);
      const rss = entries.reduce((sum, entry) => sum + entry.memory, 0);
      const cpu = entries.reduce((sum, entry) => sum + entry.cpu, 0);
      return {
        brokerRssBytes: own,
        treeRssBytes: Math.max(own, Math.round(rss)),
        cpuPercent: Math.round(cpu * 10) / 10,
      };
    } catch {
      // Figures are for people; where the platform does not give them, the broker's own are still true.
      return { brokerRssBytes: own, treeRssBytes: own, cpuPercent: 0 };
    }
  }
}
