import { describe, expect, it } from 'vitest';
import { knowsConcurrency, spawnAround } from '../../../../src/frontend/lexical/concurrency.ts';
import { TextLines } from '../../../../src/shared/base/positions.ts';

/** `§` stands before the call that is asked about. */
function patternAt(language: string, text: string): string | undefined {
  const before = text.slice(0, text.indexOf('§')).split('\n');
  const site = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  return spawnAround(language, new TextLines(text.replace('§', '')), 1, site)?.pattern;
}

describe('what starts the work that a call belongs to', () => {
  it.each([
    ['go', 'func a() {\n\tgo s.§run(1)\n}', 'go statement'],
    ['go', 'func a() {\n\tgo s.at(0).§run(1)\n}', 'go statement'],
    ['go', 'func a() {\n\tgo func(n int) {\n\t\tif n > 0 {\n\t\t\t§run()\n\t\t}\n\t}(1)\n}', 'go func'],
    ['go', 'group.Go(func() error {\n\treturn §run()\n})', 'Go of a group'],
    ['typescript', 'setTimeout(() => {\n  log(")");\n  §run();\n}, 10);', 'setTimeout'],
    ['typescript', 'await Promise.all(items.map((item) => §run(item)));', 'Promise.all'],
    ['typescript', 'void client.§stop();', 'void (not awaited)'],
    ['python', 'asyncio.create_task(§run())', 'asyncio.create_task'],
    ['python', 'self.executor.submit(lambda: §run())', '.submit'],
    ['python', 'threading.Thread(target=§run).start()', 'threading.Thread'],
    ['rust', 'tokio::spawn(async move { §run().await });', 'tokio::spawn'],
    ['rust', 'let t = std::thread::spawn(move || {\n  §run()\n});', 'std::thread::spawn'],
    ['cpp', 'auto f = std::async(std::launch::async, [&] { §run(); });', 'std::async'],
    ['cpp', 'std::thread worker(§run);', 'std::thread worker'],
    ['cpp', 'pthread_create(&thread, NULL, §run, NULL);', 'pthread_create'],
    ['java', 'new Thread(() -> §run()).start();', 'new Thread'],
    ['java', 'executor.submit(() -> {\n  §run();\n});', '.submit'],
    ['csharp', 'await Task.Run(() => §Run());', 'Task.Run'],
    ['kotlin', 'scope.launch {\n  §run()\n}', 'launch'],
    ['swift', 'Task.detached {\n  await §run()\n}', 'Task.detached'],
  ])('in %s: %s', (language, text, pattern) => {
    expect(patternAt(language, text)).toBe(pattern);
  });

  it.each([
    ['go', 'func a() {\n\tgo func() {\n\t\tother()\n\t}()\n\t§run()\n}'],
    // Arguments are computed before the goroutine begins.
    ['go', 'func a() {\n\tgo other(§run())\n}'],
    ['typescript', 'setTimeout(() => {}, 10);\n§run();'],
    ['typescript', '// setTimeout(\n§run();'],
    ['typescript', 'log("setTimeout(");\n§run();'],
    ['python', '# asyncio.create_task(\nrun_all([§run()])'],
    ['rust', 'fn respawn() {\n  §run();\n}'],
  ])('nothing in %s: %s', (language, text) => {
    expect(patternAt(language, text)).toBeUndefined();
  });

  it('knows for which languages it has something to look for', () => {
    expect(knowsConcurrency('go')).toBe(true);
    expect(knowsConcurrency('css')).toBe(false);
  });
});
