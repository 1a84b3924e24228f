/** Sessions of both protocols in one process over HTTP, with the language servers that come with the package. */
import { describe, expect, it } from 'vitest';
import { type HttpClientOptions, startHttp } from '../support/http-front-end.ts';
import { runProgram, sharedServers } from '../support/real-session.ts';
import { createWorkspace } from '../support/workspace.ts';

const SOURCES = `
//- tsconfig.json
{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" }, "include": ["src"] }
//- src/price.ts
export function netPrice(amount: number): number {
  return amount - 1;
}
//- src/order.ts
import { netPrice } from './price';
export const total: number = netPrice(3);
//- app/core.py
def post(amount: int) -> int:
    return amount
//- app/use.py
from app.core import post

total: int = post(3)
`;

const OLDER: HttpClientOptions = { name: 'older' };
const NEWER: HttpClientOptions = { name: 'newer', versionNegotiation: { mode: { pin: '2026-07-28' } } };
const USERS = { typescript: 'src/order.ts', python: 'app/use.py' };

describe('sessions over HTTP', () => {
  it('of both protocols share one server of each language, and see each other’s edits', async () => {
    await using workspace = createWorkspace(SOURCES);
    await using http = await startHttp({ workspace });
    await using first = await http.connect(OLDER);
    await using second = await http.connect({ ...OLDER, name: 'another' });
    await using third = await http.connect(NEWER);
    await using fourth = await http.connect({ ...NEWER, name: 'another newer' });
    const sessions = [first, second, third, fourth];

    const asked = await Promise.all(
      sessions.flatMap((session) => [
        session.call('find_references', { symbol: 'netPrice' }),
        session.call('find_references', { symbol: 'post' }),
      ]),
    );
    for (const [index, text] of asked.entries())
      expect(text).toContain(index % 2 === 0 ? USERS.typescript : USERS.python);
    const servers = await sharedServers(workspace);
    expect(servers.map(({ language }) => language).sort()).toEqual(['python', 'typescript']);
    for (const { sessions: users } of servers) expect(users).toHaveLength(sessions.length);

    expect(await first.call('rename_symbol', { symbol: 'netPrice', new_name: 'priceAfterTax' })).toContain(
      'changed 3 places in 2 files',
    );
    expect(workspace.read('src/order.ts')).toContain('priceAfterTax(3)');
    expect(await third.call('find_references', { symbol: 'priceAfterTax' })).toContain(USERS.typescript);
    workspace.write(
      'src/order.ts',
      "import { priceAfterTax } from './price';\nexport const total: string = priceAfterTax(3);\n",
    );
    for (const session of sessions)
      expect(await session.call('get_diagnostics', { file_path: 'src/order.ts' })).toContain('2322');

    expect(await http.stop()).toEqual({ code: 0, signal: null });
    await runProgram(workspace, 'daemon-stop', '--all', '--now');
    await workspace.expectNothingLeft();
  });

  it('ask their user before they write, each in the way of its protocol', async () => {
    await using workspace = createWorkspace(SOURCES);
    await using http = await startHttp({ workspace, args: ['--permission', 'ask', '--daemon', 'never'] });
    const names = ['grossPrice', 'priceBeforeTax'];
    let name = 'netPrice';
    for (const [index, options] of [OLDER, NEWER].entries()) {
      const questions: string[] = [];
      const answers = ['decline', 'accept'] as const;
      await using session = await http.connect({
        ...options,
        capabilities: { elicitation: { form: {} } },
        prepare: (client) =>
          client.setRequestHandler('elicitation/create', async ({ params }) => {
            questions.push(params.message);
            return { action: answers[questions.length - 1] ?? 'cancel', content: {} };
          }),
      });
      const rename = { symbol: name, new_name: names[index], dry_run: false };
      await session.call('rename_symbol', rename);
      expect(workspace.read('src/price.ts'), 'declined').toContain(name);
      await session.call('rename_symbol', rename);
      expect(workspace.read('src/price.ts'), 'accepted').toContain(names[index]);
      expect(questions).toHaveLength(2);
      name = names[index] ?? '';
    }
    expect(await http.stop()).toEqual({ code: 0, signal: null });
    await workspace.expectNothingLeft();
  });
});
