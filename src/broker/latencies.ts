/** How long the latest calls took, for status: a ring, so that old times do not hide how it is now. */
export class Latencies {
  readonly #ring: number[] = [];
  readonly #size: number;
  #total = 0;
  #failed = 0;

  constructor(size = 1000) {
    this.#size = size;
  }

  record(milliseconds: number, succeeded: boolean): void {
    this.#ring[this.#total % this.#size] = milliseconds;
    this.#total++;
    if (!succeeded) this.#failed++;
  }

  summary(): { total: number; failed: number; p50Ms: number; p95Ms: number } {
    const sorted = [...this.#ring].sort((a, b) => a - b);
    return { total: this.#total, failed: this.#failed, p50Ms: rank(sorted, 0.5), p95Ms: rank(sorted, 0.95) };
  }
}

function rank(sorted: readonly number[], share: number): number {
  const value = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return Math.round(value * 100) / 100;
}
