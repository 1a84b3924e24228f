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
    { language: 'go', text: 'func a() {\n\tgo s.§run(1)\n}', pattern: 'go statement' },
    { language: 'go', text: 'func a() {\n\tgo s.at(0).§run(1)\n}', pattern: 'go statement' },
    {
      language: 'go',
      text: 'func a() {\n\tgo func(n int) {\n\t\tif n > 0 {\n\t\t\t§run()\n\t\t}\n\t}(1)\n}',
      pattern: 'go func',
    },
    { language: 'go', text: 'group.Go(func() error {\n\treturn §run()\n})', pattern: 'Go of a group' },
    {
      language: 'typescript',
      text: 'setTimeout(() => {\n  log(")");\n  §run();\n}, 10);',
      pattern: 'setTimeout',
    },
    {
      language: 'typescript',
      text: 'await Promise.all(items.map((item) => §run(item)));',
      pattern: 'Promise.all',
    },
    { language: 'typescript', text: 'void client.§stop();', pattern: 'void (not awaited)' },
    { language: 'python', text: 'asyncio.create_task(§run())', pattern: 'asyncio.create_task' },
    { language: 'python', text: 'self.executor.submit(lambda: §run())', pattern: '.submit' },
    { language: 'python', text: 'threading.Thread(target=§run).start()', pattern: 'threading.Thread' },
    { language: 'rust', text: 'tokio::spawn(async move { §run().await });', pattern: 'tokio::spawn' },
    {
      language: 'rust',
      text: 'let t = std::thread::spawn(move || {\n  §run()\n});',
      pattern: 'std::thread::spawn',
    },
    {
      language: 'cpp',
      text: 'auto f = std::async(std::launch::async, [&] { §run(); });',
      pattern: 'std::async',
    },
    { language: 'cpp', text: 'std::thread worker(§run);', pattern: 'std::thread worker' },
    { language: 'cpp', text: 'pthread_create(&thread, NULL, §run, NULL);', pattern: 'pthread_create' },
    { language: 'java', text: 'new Thread(() -> §run()).start();', pattern: 'new Thread' },
    { language: 'java', text: 'executor.submit(() -> {\n  §run();\n});', pattern: '.submit' },
    { language: 'csharp', text: 'await Task.Run(() => §Run());', pattern: 'Task.Run' },
    { language: 'kotlin', text: 'scope.launch {\n  §run()\n}', pattern: 'launch' },
    { language: 'swift', text: 'Task.detached {\n  await §run()\n}', pattern: 'Task.detached' },
  ])('in $language: $text', ({ language, text, pattern }) => {
    expect(patternAt(language, text)).toBe(pattern);
  });

  it.each([
    { language: 'go', text: 'func a() {\n\tgo func() {\n\t\tother()\n\t}()\n\t§run()\n}' },
    // Arguments are computed before the goroutine begins.
    { language: 'go', text: 'func a() {\n\tgo other(§run())\n}' },
    { language: 'typescript', text: 'setTimeout(() => {}, 10);\n§run();' },
    { language: 'typescript', text: '// setTimeout(\n§run();' },
    { language: 'typescript', text: 'log("setTimeout(");\n§run();' },
    { language: 'python', text: '# asyncio.create_task(\nrun_all([§run()])' },
    { language: 'rust', text: 'fn respawn() {\n  §run();\n}' },
  ])('nothing in $language: $text', ({ language, text }) => {
    expect(patternAt(language, text)).toBeUndefined();
  });

  it('knows for which languages it has something to look for', () => {
    expect(knowsConcurrency('go')).toBe(true);
    expect(knowsConcurrency('css')).toBe(false);
  });
});
