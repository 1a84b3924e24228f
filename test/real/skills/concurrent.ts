/** The walk of the skill that needs a language with threads. */
import type { Walk } from './walk.ts';

export const COUNTER = `
//- pyproject.toml
[tool.pyright]
//- counter.py
import threading

sold = 0
lock = threading.Lock()


def sell() -> None:
    global sold
    sold = sold + 1


def report() -> int:
    with lock:
        return sold


def open_shop() -> None:
    for _ in range(2):
        threading.Thread(target=sell).start()
    report()
`;

export const concurrent: Readonly<Record<string, Walk>> = {
  'lsp-concurrency-audit': {
    values: { file: 'counter.py', field: 'sold', writer: 'sell', reader: 'report' },
    steps: [
      /counter\.py: \d+ symbols[\s\S]*variable sold/,
      /2 writes to sold [\s\S]*9:5 in sell/,
      /references to sold [\s\S]*in report/,
      /started concurrently: 1[\s\S]*open_shop/,
      /global sold[\s\S]*with lock/,
      /symbols in counter\.py/,
    ],
  },
};
