/**
 * Makes dist/: the program, cut into parts that are loaded when they are needed, the small launcher that the package
 * installs as its command, and the library that programs import. How long a session takes to start depends on how little of the program it loads.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, transform } from 'esbuild';
import { tsImport } from 'tsx/esm/api';
import { declarations } from './lib/declarations.mjs';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const target = 'node20.19';

/** Native code, and programs that are run rather than loaded. */
const external = ['@parcel/watcher', 'pyright', 'typescript', 'typescript-language-server'];

const common = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  platform: 'node',
  target,
  // Some packages have a CommonJS form that hides its own files from bundlers.
  mainFields: ['module', 'main'],
  legalComments: 'none',
  logLevel: 'warning',
};

/** The SDK's JSON Schema validator is large and only needed for questions to the user; it is loaded when one is asked. */
const validatorOnDemand = virtual(
  'validator',
  /^@modelcontextprotocol\/server\/_shims$/,
  () => `
  import process from 'node:process';
  export { process };
  export class DefaultJsonSchemaValidator {
    getValidator(schema) {
      const { AjvJsonSchemaValidator } = require('@modelcontextprotocol/server/validators/ajv');
      return new AjvJsonSchemaValidator().getValidator(schema);
    }
  }`,
);

/**
 * Code behind a dynamic import is kept whole, and most of the SDK is not used here. So the SDK is bundled first by
 * itself, which leaves out what nothing refers to: that is most of what a start would otherwise have to run.
 * Its schemas check a few messages each, so that compiling them would cost more than it saves.
 */
async function trimmedSdk() {
  const contents = {
    sdk: `
      import { config } from 'zod/v4/core';
      export { CLIENT_CAPABILITIES_META_KEY, inputRequired, inputResponse, LOG_LEVEL_META_KEY, Server }
        from '@modelcontextprotocol/server';
      export { serveStdio } from '@modelcontextprotocol/server/stdio';
      config({ jitless: true });`,
    // What only HTTP needs is apart, and both share the rest: the SDK knows its own servers by who they are.
    'sdk-http': `
      export {
        CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, createMcpHandler, isInitializeRequest, isJsonContentType,
        isLegacyRequest, WebStandardStreamableHTTPServerTransport,
      } from '@modelcontextprotocol/server';
      export { toNodeHandler } from '@modelcontextprotocol/node';`,
  };
  const { outputFiles } = await build({
    ...common,
    entryPoints: { sdk: 'sdk', 'sdk-http': 'sdk-http' },
    outdir: 'out',
    format: 'esm',
    splitting: true,
    plugins: [inline(contents), validatorOnDemand],
    external: ['@modelcontextprotocol/server/validators/ajv'],
  });
  const texts = new Map(outputFiles.map(({ path: file, text }) => [path.basename(file), text]));
  return {
    name: 'sdk',
    setup(context) {
      const filter = /^@modelcontextprotocol\/(server(\/stdio)?|node)$/;
      context.onResolve({ filter }, ({ importer }) => ({
        path: /[\\/]src[\\/]frontend[\\/]http[\\/]/.test(importer) ? 'sdk-http.js' : 'sdk.js',
        namespace: 'sdk',
      }));
      context.onResolve({ filter: /^\.\/chunk-/, namespace: 'sdk' }, ({ path: file }) => ({
        path: path.basename(file),
        namespace: 'sdk',
      }));
      context.onLoad({ filter: /.*/, namespace: 'sdk' }, ({ path: file }) => ({
        contents: texts.get(file),
        resolveDir: root,
      }));
    },
  };
}

/** Entries that are texts instead of files. */
function inline(contents) {
  return {
    name: 'inline',
    setup(context) {
      context.onResolve({ filter: new RegExp(`^(${Object.keys(contents).join('|')})$`) }, ({ path: id }) => ({
        path: id,
        namespace: 'inline',
      }));
      context.onLoad({ filter: /.*/, namespace: 'inline' }, ({ path: id }) => ({
        contents: contents[id],
        resolveDir: root,
      }));
    },
  };
}

function virtual(name, filter, contents) {
  return {
    name,
    setup(context) {
      context.onResolve({ filter }, () => ({ path: name, namespace: name }));
      context.onLoad({ filter: /.*/, namespace: name }, () => ({ contents: contents(), resolveDir: root }));
    },
  };
}

/** What `tools/list` and `prompts/list` send is made here, from the same sources: making it at each start takes longer than starting. */
const preparedTools = {
  name: 'prepared',
  setup(context) {
    context.onLoad(
      { filter: /[\\/]src[\\/]frontend[\\/]features[\\/]listed-tools\.ts$/ },
      async ({ path: file }) => {
        const { listedTools, outputSchemas } = await tsImport(file, import.meta.url);
        // The engine reads data faster as JSON than as code, and only when it is wanted.
        const asJson = (name, data) => {
          const texts = Object.entries(data).map(([profile, of]) => [profile, JSON.stringify(of)]);
          return `
            const ${name}Of = ${JSON.stringify(Object.fromEntries(texts))};
            export const ${name} = async (profile) => JSON.parse(${name}Of[profile]);`;
        };
        const { LISTED_PROFILES } = await tsImport(`${root}/src/shared/config/choices.ts`, import.meta.url);
        const ofEach = async (make) =>
          Object.fromEntries(
            await Promise.all(LISTED_PROFILES.map(async (profile) => [profile, await make(profile)])),
          );
        const contents = [
          asJson('listedTools', await ofEach(listedTools)),
          asJson('outputSchemas', await ofEach(outputSchemas)),
        ];
        return { contents: contents.join('\n') };
      },
    );
    context.onLoad({ filter: /[\\/]features[\\/]skills[\\/]listed-skills\.ts$/ }, async ({ path: file }) => {
      const { listedSkills } = await tsImport(file, import.meta.url);
      const text = JSON.stringify(JSON.stringify(await listedSkills()));
      return { contents: `export const listedSkills = async () => JSON.parse(${text});` };
    });
  },
};

/**
 * The bundler gives every file that imports one of these an object of its own with a getter for each of up to hundreds
 * of names: megabytes in every process. So there is one module for each that hands out single names.
 */
const onceForAll = {
  name: 'once',
  setup(context) {
    const filter = /^node:(path|os|process)$/;
    context.onResolve({ filter }, ({ path: id, kind, namespace }) =>
      kind === 'import-statement' && namespace !== 'once' ? { path: id, namespace: 'once' } : undefined,
    );
    context.onLoad({ filter: /.*/, namespace: 'once' }, ({ path: id }) => {
      const exported = Object.keys(requireHere(id)).filter((name) => /^\w+$/.test(name));
      const lines = exported.map((name) => `export const ${name} = /* @__PURE__ */ named('${name}');`);
      const all = `const all = require('${id}'); const named = (name) => all[name]; export default all;`;
      return { contents: [all, ...lines].join('\n'), resolveDir: root };
    });
  },
};

/** Each name of the protocol is a module: what belongs to one part of the program is not loaded with the others. */
const namesOfProtocol = {
  name: 'names',
  setup(context) {
    const statement = /^import \{([^}]*)\} from '(vscode-languageserver-protocol|vscode-jsonrpc\/node)';$/gm;
    context.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8');
      const apart = text.replace(statement, (_, names, id) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '' && !name.startsWith('type '))
          .map((name) => `import { ${name} } from 'name:${id}#${name.split(' ')[0]}';`)
          .join(' '),
      );
      return apart === text ? undefined : { contents: apart, loader: 'ts' };
    });
    const whole = /^(vscode-languageserver-protocol|vscode-jsonrpc\/node)$/;
    context.onResolve({ filter: whole }, ({ path: id, kind, namespace }) =>
      kind === 'import-statement' && namespace !== 'names' ? { path: id, namespace: 'names' } : undefined,
    );
    context.onLoad({ filter: /.*/, namespace: 'names' }, ({ path: id }) => {
      const lines = Object.entries(requireHere(id)).flatMap(([name, value]) =>
        /^\w+$/.test(name) && handedOut(name, value) !== undefined
          ? [`export { ${name} } from 'name:${id}#${name}';`]
          : [],
      );
      return { contents: lines.join('\n'), resolveDir: root };
    });
    context.onResolve({ filter: /^name:/ }, ({ path: one }) => ({
      path: one.slice('name:'.length),
      namespace: 'name',
      sideEffects: false,
    }));
    context.onLoad({ filter: /.*/, namespace: 'name' }, ({ path: one }) => {
      const [id, name] = one.split('#');
      const code = handedOut(name, requireHere(id)[name]);
      if (code === undefined)
        throw new Error(`${name} of ${id} is neither data nor one of its known classes`);
      return { contents: `export const ${name} = /* @__PURE__ */ ${code};`, resolveDir: root };
    });
  },
};

/** Packages that many parts name and few runs call, each a part of its own. */
const LIBRARIES = ['ignore', 'jsonc-parser', 'picomatch', 'smol-toml'];
const libraryPart = (id) => `lib-${id}`;
const libraryContents = Object.fromEntries(
  LIBRARIES.map((id) => [libraryPart(id), `export const whole = require('${id}');`]),
);

/** Modules that many parts name and few runs call: they are loaded with the first call. */
const onFirstCall = {
  name: 'on-first-call',
  setup(context) {
    const filter = new RegExp(`^(node:(child_process|fs/promises|dns/promises)|${LIBRARIES.join('|')})$`);
    context.onResolve({ filter }, ({ path: id, kind }) =>
      kind === 'import-statement' ? { path: id, namespace: 'on-first-call' } : undefined,
    );
    context.onResolve({ filter: /^\.\/lib-/, namespace: 'on-first-call' }, ({ path: part }) => ({
      path: part,
      external: true,
    }));
    context.onLoad({ filter: /.*/, namespace: 'on-first-call' }, async ({ path: id }) => {
      const functions = Object.entries(await import(id)).flatMap(([name, value]) =>
        typeof value === 'function' && /^[a-z]\w*$/.test(name) && name !== 'default' ? [name] : [],
      );
      // What is made of a function that takes a callback is another property of it, also here.
      const loaded = LIBRARIES.includes(id) ? `require('./${libraryPart(id)}.js').whole` : `require('${id}')`;
      const contents = `
        const whole = () => ${loaded};
        const custom = Symbol.for('nodejs.util.promisify.custom');
        const later = (name) =>
          Object.defineProperty((...args) => whole()[name](...args), custom, { get: () => whole()[name][custom] });
        export default new Proxy(() => {}, {
          apply: (_, self, args) => whole()(...args),
          get: (_, name) => whole()[name],
        });
        ${functions.map((name) => `export const ${name} = /* @__PURE__ */ later('${name}');`).join('\n')}`;
      return { contents, resolveDir: root };
    });
  },
};

/** The schema library brings its messages in sixty languages, half of its size. Ours are English, and extensions get it without them. */
const englishOnly = {
  name: 'english',
  setup(context) {
    context.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js';`,
    }));
  },
};

const requireHere = createRequire(import.meta.url);
const rpcDirectory = path.dirname(requireHere.resolve('vscode-jsonrpc'));
/** Each needs no others but small ones beside it. */
const RPC_FILES = ['messages.js', 'messageReader.js', 'messageWriter.js'];

/**
 * What is used of the protocol is put in as data, since loading its packages takes as long as all that a hook does: of a
 * request its method and the capability for it, of a list of numbers the numbers. Classes come from the file that has them. What is neither has no
 * export, so that its use stops the build.
 */
function handedOut(name, value) {
  const data = dataOf(value);
  if (data !== undefined) return `((value) => value)(${JSON.stringify(data)})`;
  const file = RPC_FILES.find((each) => requireHere(path.join(rpcDirectory, each))[name] === value);
  // Readers and writers say of a listener that fails what it was, by what has to be named to them.
  const named = file === 'messages.js' ? '' : `${required('ral.js')}.default.install({ console }), `;
  return file && `(() => (${named}${required(file)}.${name}))()`;
}

function required(file) {
  return `require(${JSON.stringify(path.join(rpcDirectory, file))})`;
}

function dataOf(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (typeof value.type?.method === 'string' && value.type.method === value.method)
    return { method: value.method, type: { method: value.method }, capabilities: value.capabilities };
  // A list of names has a check of its own, which nothing here uses.
  const entries = Object.entries(value).filter(([name, each]) => name !== 'is' || typeof each !== 'function');
  const isList = entries.length > 0 && entries.every(([, each]) => /^(number|string)$/.test(typeof each));
  return isList ? Object.fromEntries(entries) : undefined;
}

/**
 * Parts as CommonJS, because V8 keeps the compiled form of scripts but not of modules. Names are shortened in the
 * second step only, so that what the first one exports can be judged by its names.
 */
async function makeParts() {
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: {
      main: 'src/main.ts',
      library: 'src/library.ts',
      ...Object.fromEntries(Object.keys(libraryContents).map((part) => [part, part])),
    },
    outdir: 'out',
    format: 'esm',
    splitting: true,
    metafile: true,
    chunkNames: '[name]-[hash]',
    external,
    plugins: [
      await trimmedSdk(),
      inline(libraryContents),
      onceForAll,
      namesOfProtocol,
      onFirstCall,
      preparedTools,
      englishOnly,
    ],
    define: { 'import.meta.url': '__url', 'import.meta.dirname': '__dirname' },
  });
  const codes = await Promise.all(
    outputFiles.map(async ({ path: file, text }) => {
      // The launcher loads parts, which a real import() would look for on disk.
      const supported = { 'dynamic-import': false };
      refuseReassigned(file, text);
      const { code } = await transform(takenOnce(text), {
        format: 'cjs',
        minify: true,
        target,
        platform: 'node',
        supported,
      });
      const url = 'const __url=require("node:url").pathToFileURL(__filename).href;';
      return [path.basename(file), escaped(code.includes('__url') ? url + code : code)];
    }),
  );
  return { codes: new Map(codes), outputs: metafile.outputs };
}

/**
 * The bundler looks up each name of another part at every use, through two getters: a tenth of the time of a session
 * whose code is not optimized yet. Parts do not import each other in circles, so that names can be taken once.
 */
function takenOnce(text) {
  return text.replace(
    /^import \{([^}]*)\} from "(\.\/[^"]+)";$/gm,
    (_, names, part) => `const {${names.replaceAll(' as ', ': ')}} = require("${part}");`,
  );
}

/** What is taken once must not change afterwards, nor get its value only when something is called. */
function refuseReassigned(file, text) {
  const [, exported = ''] = /^export \{([^}]*)\};$/m.exec(text) ?? [];
  for (const [, name] of exported.matchAll(/^\s*([\w$]+)/gm)) {
    const escaped = name.replaceAll('$', '\\$');
    const assignment = `(?<![.\\w$])${escaped}\\s*([-+*/|&?]{0,2}=(?![=>])|\\+\\+|--)`;
    const withoutValue = `^(var|let) ([\\w$]+, )*${escaped}[,;]`;
    const changes = new RegExp(`${assignment}|${withoutValue}`, 'gm');
    if ([...text.matchAll(changes)].length > 1)
      throw new Error(
        `${path.basename(file)} exports ${name} and assigns it again: other parts would not see it`,
      );
  }
}

/** The launcher reads packs as single bytes. The bundler escapes texts for that, but not regular expressions. */
function escaped(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What these files import at once, directly or through others. */
function partsOf(entries, outputs) {
  const queue = Object.keys(outputs).filter((file) => entries.includes(outputs[file].entryPoint));
  for (const file of queue) {
    for (const { path: imported, kind } of outputs[file].imports)
      if (kind === 'import-statement' && imported in outputs && !queue.includes(imported))
        queue.push(imported);
  }
  return queue.map((file) => path.basename(file));
}

/** Several parts as one script, whose value has a function for each: parts.ts calls them. */
function pack(name, parts) {
  const entries = Array.from(
    parts,
    ([part, code]) =>
      `${JSON.stringify(part)}:function(exports,require,module,__filename,__dirname){${code}}`,
  );
  const code = `({${entries.join(',\n')}})\n`;
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 10);
  return { name: `${name}-${hash}.pack.js`, code, parts: [...parts.keys()] };
}

/** A file that runs from packs. */
async function makeEntrance(name, source, packs, options) {
  const { outputFiles } = await build({
    ...common,
    entryPoints: [source],
    outdir: 'out',
    minify: true,
    define: { PACKS: JSON.stringify(packs.map(({ name, parts }) => ({ name, parts }))) },
    ...options,
  });
  return { name, code: outputFiles[0].text };
}

/**
 * In one step, because a program may be starting from the file at this moment; and only if it differs, because
 * running daemons leave when their program is replaced.
 */
function replaceFile({ name, code }) {
  const file = path.join(dist, name);
  if (existsSync(file) && readFileSync(file, 'utf8') === code) return;
  const unfinished = path.join(dist, `${name}.${process.pid}.tmp`);
  writeFileSync(unfinished, code, { mode: 0o755 });
  renameSync(unfinished, file);
}

/** Packs of earlier builds may still be wanted by a launcher that has just been started from one. */
function removeOld(files) {
  for (const name of readdirSync(dist)) {
    const file = path.join(dist, name);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (!files.some((kept) => kept.name === name) && age > 60_000)
      rmSync(file, { recursive: true, force: true });
  }
}

/** What a session loads until it has listed its tools. */
const LISTING = [
  'src/frontend/mcp/serve.ts',
  'src/frontend/session/session-options.ts',
  'src/frontend/session/session-config.ts',
  'src/frontend/mcp/tool-list.ts',
];

/** What many clients ask for next. */
const SKILLS = ['src/frontend/features/skills/listed-skills.ts', 'src/frontend/features/skills/prompts.ts'];

/** Handshake, session and list of tools, list of skills, the SDK, hooks, what programs import, packages, everything else: each start takes only the packs that it needs. */
function packsOf({ codes, outputs }) {
  const inOrder = {
    start: partsOf(['src/main.ts', 'src/frontend/main.ts'], outputs),
    tools: partsOf(['src/frontend/features/listed-tools.ts'], outputs),
    session: partsOf(LISTING, outputs),
    skills: partsOf(SKILLS, outputs),
    sdk: partsOf(['src/frontend/mcp/server.ts', 'src/frontend/mcp/round-trips.ts', 'sdk:sdk.js'], outputs),
    // What takes a note, what asks a server, and what is loaded while the server works.
    hook: partsOf(['src/frontend/cli/hook.ts'], outputs),
    asking: partsOf(['src/frontend/cli/hook-session.ts'], outputs),
    asked: partsOf(['src/frontend/features/hooks/dependents-by-name.ts'], outputs),
    library: ['library.js'],
    packages: Object.keys(libraryContents).map((part) => `${part}.js`),
    rest: [...codes.keys()],
  };
  return Object.entries(eachPartOnce(inOrder)).map(([name, parts]) =>
    pack(name, new Map(parts.map((part) => [part, codes.get(part)]))),
  );
}

/** Each part only in the first pack that has it. */
function eachPartOnce(named) {
  const taken = new Set();
  const once = Object.entries(named).map(([name, parts]) => {
    const own = parts.filter((part) => !taken.has(part));
    for (const part of own) taken.add(part);
    return [name, own];
  });
  return Object.fromEntries(once);
}

const packs = packsOf(await makeParts());
const IMPORT = 'native-import.cjs';
const nativeImport = {
  name: IMPORT,
  code: readFileSync(path.join(root, 'src/frontend/extensions', IMPORT), 'utf8'),
};
const files = [
  ...packs,
  await makeEntrance('agent-lsp.cjs', 'src/launcher.ts', packs, {
    format: 'cjs',
    banner: { js: '#!/usr/bin/env node' },
  }),
  await makeEntrance('library.js', 'src/library-file.ts', packs, { format: 'esm' }),
  { name: 'library.d.ts', code: await declarations(root) },
  nativeImport,
];
mkdirSync(dist, { recursive: true });
for (const file of files) replaceFile(file);
removeOld(files);
for (const { name, code } of files)
  process.stdout.write(`dist/${name} ${Math.round(code.length / 1024)} kB\n`);
