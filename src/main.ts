/** The command `agent-lsp`: the one file that knows both programs in it, the front end and the hidden broker. */
import { realpathSync } from 'node:fs';

const entryScript = realpathSync(process.argv[1] ?? '');
const args = process.argv.slice(2);

/** Settles when the code that ordinary work needs has run once; launcher.ts then keeps its compiled form. */
export const warm: Promise<void> = new Promise((resolve) => {
  const program = args[0] === 'daemon-broker' ? broker(args.slice(1)) : frontEnd(resolve);
  program.then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`${whyEnded(error)}\n`);
      process.exit(1);
    },
  );
});

function whyEnded(error: unknown): string {
  if (!(error instanceof Error)) return `agent-lsp failed unexpectedly: ${error}`;
  if ('syscall' in error && error.syscall === 'uv_cwd')
    return 'agent-lsp: the working directory does not exist any more; start it in another one';
  return `agent-lsp failed unexpectedly: ${error.stack}`;
}

async function frontEnd(onWarm: () => void): Promise<number> {
  const { runFrontEnd } = await import('./frontend/main.ts');
  return runFrontEnd({ args, entryScript, onWarm });
}

async function broker([, rootDir = '', , language = '']: readonly string[]): Promise<number> {
  const [
    { runBroker },
    { planKey },
    { createHost },
    { stateDirectory },
    { currentEnvironment, packageRootOf },
  ] = await Promise.all([
    import('./broker/main.ts'),
    import('./shared/languages/plan.ts'),
    import('./shared/host/create-host.ts'),
    import('./shared/config/state-dir.ts'),
    import('./shared/languages/environment.ts'),
  ]);
  return runBroker(
    { rootDir, language },
    {
      stdin: process.stdin,
      env: process.env,
      stateDirectory: stateDirectory(currentEnvironment(packageRootOf(entryScript))),
      entryScript,
      keyOf: planKey,
      createHost,
    },
  );
}
