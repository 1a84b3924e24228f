/**
 * The rooms of the house: what belongs into each, which other rooms it may import, and what is deliberately absent.
 * `check-architecture.ts` holds every row, and ARCHITECTURE.md shows them. A room is a folder with all below it, unless
 * a folder below has a row of its own. Doors that nobody uses are taken out again.
 */
export interface Room {
  readonly path: string;
  readonly holds: string;
  readonly mayImport: readonly string[];
  readonly absent?: string;
}

const at = (floor: string) => (names: string) => names.split(' ').map((name) => `src/${floor}/${name}`);
const ground = at('frontend');
const feature = at('frontend/features');
const cellar = at('shared');
const ofHost = at('shared/host');

/** What stands apart from the three floors. */
const entries: readonly Room[] = [
  {
    path: 'src/main.ts',
    holds: 'the choice between broker and front end',
    mayImport: ['src/broker', 'src/frontend', ...cellar('config host languages')],
  },
  {
    path: 'src/launcher.ts',
    holds: 'the command that is installed: the packs with their compiled form',
    mayImport: ['src/parts.ts', ...cellar('base config languages rendezvous')],
    absent: 'everything that a start can do without',
  },
  {
    path: 'src/parts.ts',
    holds: 'how the built parts of the program, in packs, get at each other',
    mayImport: [],
  },
  {
    path: 'src/library-file.ts',
    holds: 'the file that programs import: the names of `library.ts`, from the packs of the command',
    mayImport: ['src/library.ts', 'src/parts.ts'],
  },
  {
    path: 'src/library.ts',
    holds: 'the names that programs import from the package',
    mayImport: ['src/library', 'src/frontend/extensions'],
    absent: 'work, and any other name',
  },
  {
    path: 'src/library',
    holds:
      'sessions, tools and servers for programs that import the package: what it promises them, and how that is kept',
    mayImport: [
      ...ground('access features invoke link render session tools'),
      ...cellar('base config host languages link'),
    ],
    absent: 'tools of its own, and anything that is printed',
  },
  {
    path: 'src/broker',
    holds:
      'one host behind a local socket for many front ends: ownership, sessions, fairness, memory, leaving',
    mayImport: [
      'src/shared',
      ...cellar('base host link process rendezvous wire'),
      ...ofHost('documents protocol'),
    ],
    absent: 'the front end, not even its types; the content of results',
  },
];

const groundFloor: readonly Room[] = [
  {
    path: 'src/frontend',
    holds: 'the entry of the front end',
    mayImport: [...ground('cli http mcp session'), ...cellar('config')],
  },
  {
    path: 'src/frontend/cli',
    holds: 'the command line, one file per command',
    mayImport: [
      ...ground('access features http invoke link mcp render session tools'),
      ...feature('edits hooks servers skills'),
      'src/shared',
      ...cellar('base config languages link process rendezvous'),
    ],
    absent: 'work of its own: commands call what tools call',
  },
  {
    path: 'src/frontend/mcp',
    holds:
      'MCP as one client has it, on standard input and output unless `http` brings it, and the use of its SDK; `fast-path/` goes around the SDK',
    mayImport: [
      ...ground('access channels extensions features invoke render resources session tools'),
      ...feature('skills'),
      'src/shared',
      ...cellar('base config link'),
    ],
    absent: 'what a tool does',
  },
  {
    path: 'src/frontend/http',
    holds:
      'MCP over HTTP for many clients of one process: who is let in, what their sessions are, and how those end',
    mayImport: [
      ...ground('access features mcp render session tools workspace'),
      'src/shared',
      ...cellar('base config'),
    ],
    absent: 'what a client is served with: that is in `mcp`',
  },
  {
    path: 'src/frontend/resources',
    holds: 'what a client can read by address',
    mayImport: [
      ...ground('invoke render targets tools workspace'),
      ...feature('completion diagnostics documentation'),
      ...cellar('base link'),
    ],
  },
  {
    path: 'src/frontend/channels',
    holds: 'what a client is told without asking',
    mayImport: [...ground('resources workspace'), ...cellar('base link')],
  },
  {
    path: 'src/frontend/invoke',
    holds: 'one tool call from its arguments to its text: deadline, permission, audit, failures',
    mayImport: [
      ...ground('access lexical render session symbols tools workspace'),
      ...cellar('base config link'),
    ],
    absent: 'any particular tool',
  },
  {
    path: 'src/frontend/session',
    holds: 'the state of one connection, and its ways to servers',
    mayImport: [
      ...ground('access ask link tools workspace'),
      ...cellar('base config languages link projects'),
    ],
    absent: 'features: each keeps its own part of a session by `sessionPart`',
  },
  {
    path: 'src/frontend/link',
    holds: 'the three links to a server: direct, through a broker, dialled; finding and starting brokers',
    mayImport: ['src/shared', ...cellar('base host languages link process rendezvous')],
    absent: 'sessions and tools',
  },
  {
    path: 'src/frontend/access',
    holds:
      'what a connection may do: to files, beyond its roots and over the network; and the record of what it did',
    mayImport: cellar('base config'),
  },
  {
    path: 'src/frontend/tools',
    holds: 'the kit that tools are made with: literals, fields, shapes of data, the context of a call',
    mayImport: [...ground('access render workspace'), ...cellar('base config languages link')],
    absent: 'any particular tool, and the state of any feature',
  },
  {
    path: 'src/frontend/ask',
    holds:
      'honest questions to servers: readiness, completeness, code that they pass over, attempts of which some may fail',
    mayImport: [...ground('lexical places render tools workspace'), ...cellar('base link')],
  },
  {
    path: 'src/frontend/workspace',
    holds: 'which files exist, which may be seen, and their texts',
    mayImport: cellar('base languages'),
  },
  {
    path: 'src/frontend/lexical',
    holds: 'what text alone tells, by the descriptor of its language',
    mayImport: [...ground('places'), ...cellar('base languages')],
    absent: 'questions to a server, and the name of any language',
  },
  {
    path: 'src/frontend/places',
    holds: 'positions and ranges as values',
    mayImport: [...ground('workspace'), ...cellar('base')],
  },
  {
    path: 'src/frontend/symbols',
    holds: 'trees of symbols, their names and containers',
    mayImport: [...ground('ask lexical places render tools workspace'), ...cellar('base languages link')],
  },
  {
    path: 'src/frontend/targets',
    holds: 'what an agent meant by file, line, name or pattern',
    mayImport: [
      ...ground('ask lexical places render symbols tools workspace'),
      ...cellar('base languages link'),
    ],
  },
  {
    path: 'src/frontend/render',
    holds: 'answers, budgets, failures and markup as text',
    mayImport: [...ground('places workspace'), ...cellar('base config')],
    absent: 'models, and the words of any feature: those are in its `text.ts`',
  },
  {
    path: 'src/frontend/processes',
    holds: 'the one door to child processes of the front end',
    mayImport: [...cellar('base languages process'), ...ofHost('process')],
  },
];

/** What nearly every feature stands on. */
const kit = [...ground('render tools'), ...cellar('base')];

const features: readonly Room[] = [
  {
    path: 'src/frontend/extensions',
    holds:
      'what extensions add under the name of a language: the interface for users, how modules are loaded, and what they offer; `included/` has those of the package, which get no more than those of users',
    mayImport: [...kit, ...ground('access lexical workspace'), ...cellar('config languages tsconfig')],
    absent: 'the registry: what is laid over it is passed in',
  },
  {
    path: 'src/frontend/features',
    holds: 'the list of all tools, and what sessions have to know of features',
    mayImport: [
      ...ground('access extensions render session tools'),
      ...feature('builds completion diagnostics documentation edits explore fixes formatting health'),
      ...feature(
        'hierarchies impact moving navigation outline phases profiles references rename servers simulation type-checks',
      ),
      ...cellar('base config'),
    ],
    absent: 'work: it lists',
  },
  {
    path: 'src/frontend/features/profiles',
    holds: 'façades: tools under the names and in the words of other products, a folder for each',
    mayImport: [...ground('render symbols tools'), ...feature('edits'), ...cellar('base config languages')],
    absent: 'work: tools of ours do it, called by name through the base that a façade is given',
  },
  {
    path: 'src/frontend/features/navigation',
    holds: 'definitions, declarations, implementations, highlights',
    mayImport: [
      ...kit,
      ...ground('ask lexical places symbols targets workspace'),
      ...feature('hierarchies references'),
      ...cellar('languages link'),
    ],
  },
  {
    path: 'src/frontend/features/outline',
    holds: 'symbols of files and directories, their sources, search by name',
    mayImport: [
      ...kit,
      ...ground('ask symbols targets workspace'),
      ...feature('documentation'),
      ...cellar('languages link'),
    ],
  },
  {
    path: 'src/frontend/features/references',
    holds: 'who uses a name, with every occurrence accounted for; `cross-repo/` asks other repositories',
    mayImport: [
      ...kit,
      ...ground('ask lexical places symbols targets workspace'),
      ...cellar('languages link'),
    ],
  },
  {
    path: 'src/frontend/features/hierarchies',
    holds: 'calls and types: who calls whom, who derives from whom',
    mayImport: [
      ...kit,
      ...ground('ask lexical places symbols targets workspace'),
      ...feature('references'),
      ...cellar('languages link'),
    ],
  },
  {
    path: 'src/frontend/features/documentation',
    holds: 'hovers and documentation, from servers, sources and toolchains',
    mayImport: [...kit, ...ground('ask lexical processes targets'), ...cellar('languages link')],
  },
  {
    path: 'src/frontend/features/explore',
    holds: 'all about a symbol, or about a place to edit, in one answer',
    mayImport: [
      ...kit,
      ...ground('ask lexical places symbols targets workspace'),
      ...feature('documentation hierarchies references'),
      ...cellar('languages link'),
    ],
  },
  {
    path: 'src/frontend/features/completion',
    holds: 'what helps while writing: completions, signatures, inlay hints, semantic tokens',
    mayImport: [...kit, ...ground('ask lexical places targets workspace'), ...cellar('link')],
  },
  {
    path: 'src/frontend/features/diagnostics',
    holds: 'what is wrong in files, compared with earlier moments',
    mayImport: [...kit, ...ground('places symbols workspace'), ...cellar('languages link')],
  },
  {
    path: 'src/frontend/features/edits',
    holds: 'edits: `plan/` computes them, `apply/` writes all or nothing, `symbols/` edits by name',
    mayImport: [
      ...kit,
      ...ground('access lexical places symbols targets workspace'),
      ...feature('diagnostics references'),
      ...cellar('config languages link process rendezvous'),
    ],
  },
  {
    path: 'src/frontend/features/formatting',
    holds: 'formatting of files and ranges',
    mayImport: [...kit, ...ground('ask targets workspace'), ...feature('edits'), ...cellar('languages link')],
  },
  {
    path: 'src/frontend/features/moving',
    holds: 'moving a file with everything that imports it',
    mayImport: [
      ...kit,
      ...ground('ask lexical workspace'),
      ...feature('edits references'),
      ...cellar('languages link'),
    ],
  },
  {
    path: 'src/frontend/features/rename',
    holds: 'renames that are as large as the references',
    mayImport: [
      ...kit,
      ...ground('ask lexical places targets workspace'),
      ...feature('diagnostics edits references simulation'),
      ...cellar('languages link projects'),
    ],
  },
  {
    path: 'src/frontend/features/fixes',
    holds: 'quick fixes, and commands of servers',
    mayImport: [
      ...kit,
      ...ground('ask places targets workspace'),
      ...feature('diagnostics edits'),
      ...cellar('link'),
    ],
  },
  {
    path: 'src/frontend/features/simulation',
    holds: 'edits that are tried out before they are made',
    mayImport: [
      ...kit,
      ...ground('ask lexical places symbols targets workspace'),
      ...feature('diagnostics edits impact references'),
      ...cellar('languages link'),
    ],
  },
  {
    path: 'src/frontend/features/hooks',
    holds:
      'what clients run after edits and around turns: their events as tables, an adapter for each client, and what an edit brought',
    mayImport: [
      ...kit,
      ...ground('ask lexical processes symbols workspace'),
      ...feature('diagnostics simulation'),
      ...cellar('link rendezvous'),
    ],
    absent: 'sessions and the reading of standard input: the command has them',
  },
  {
    path: 'src/frontend/features/builds',
    holds: 'builds and tests: runners as data, and a reader per form of output',
    mayImport: [...kit, ...ground('access processes workspace'), ...cellar('languages tsconfig')],
  },
  {
    path: 'src/frontend/features/impact',
    holds: 'who is affected by a change, also by the changes that git knows',
    mayImport: [
      ...kit,
      ...ground('ask lexical places processes symbols targets workspace'),
      ...feature('references'),
      ...cellar('languages link'),
    ],
  },
  {
    path: 'src/frontend/features/servers',
    holds: 'the servers and folders of a session, as tools',
    mayImport: [...ground('ask link tools workspace'), 'src/shared', ...cellar('base config link')],
  },
  {
    path: 'src/frontend/features/type-checks',
    holds: 'type checkers that are run from their command line, an adapter for each',
    mayImport: [...kit, ...ground('processes workspace'), ...cellar('config languages')],
    absent: 'builds, which run code of the project',
  },
  {
    path: 'src/frontend/features/phases',
    holds: 'the order of calls in a skill: its phases as data, and the guard that keeps them',
    mayImport: [...ground('access render tools'), ...cellar('base')],
    absent: 'what a skill says; the tools that it orders, which it knows by name and effect alone',
  },
  {
    path: 'src/frontend/features/health',
    holds: 'how the program itself is: versions, servers, figures of calls, settings without secrets',
    mayImport: [
      ...ground('link tools'),
      ...feature('type-checks'),
      'src/shared',
      ...cellar('base config languages link'),
    ],
  },
  {
    path: 'src/frontend/features/skills',
    holds: 'the workflows of `skills/`: as prompts, as files that a client loads, and installed for clients',
    mayImport: cellar('base languages'),
    absent: 'tools: a skill is a text, and the agent calls',
  },
];

const cellarRooms: readonly Room[] = [
  { path: 'src/shared', holds: 'the version of the product', mayImport: [] },
  {
    path: 'src/shared/base',
    holds: 'paths, positions, failures, time, texts: knows no protocol',
    mayImport: [],
  },
  {
    path: 'src/shared/wire',
    holds: 'JSON-RPC both ways in frames with limits, large results kept as bytes',
    mayImport: cellar('base'),
    absent: 'servers',
  },
  {
    path: 'src/shared/link',
    holds: 'what every link to a server offers, and the plan that a server is started by',
    mayImport: cellar('base'),
    absent: 'how it is done',
  },
  {
    path: 'src/shared/process',
    holds: 'who a process is, and what belongs to it',
    mayImport: cellar('base'),
  },
  {
    path: 'src/shared/rendezvous',
    holds: 'what broker and front end agree on: records, ownership, sockets, questions',
    mayImport: ['src/shared', ...cellar('base link process wire')],
  },
  { path: 'src/shared/tsconfig', holds: 'what a tsconfig.json says', mayImport: cellar('base') },
  {
    path: 'src/shared/languages',
    holds: 'one descriptor per language, roots and workspaces, finding servers, plans',
    mayImport: cellar('base link tsconfig'),
  },
  {
    path: 'src/shared/projects',
    holds: 'which files belong to which project and mention which words',
    mayImport: cellar('base languages link tsconfig'),
  },
  {
    path: 'src/shared/config',
    holds: 'configuration from files, environment and arguments',
    mayImport: cellar('base languages link'),
  },
  {
    path: 'src/shared/host',
    holds: 'one server under management: its lives, and the calls to it',
    mayImport: [
      'src/shared',
      ...cellar('base link wire'),
      ...ofHost('calls diagnostics disk documents process protocol readiness'),
    ],
    absent: 'sockets of ours, MCP, the table of languages',
  },
  {
    path: 'src/shared/host/process',
    holds: 'starting, dialling and watching a server process',
    mayImport: cellar('base link process'),
  },
  {
    path: 'src/shared/host/protocol',
    holds: 'what is said in LSP: capabilities, requests of the server, oddities of servers as data',
    mayImport: cellar('base link wire'),
  },
  {
    path: 'src/shared/host/disk',
    holds: 'what changes on disk, and telling the server of it',
    mayImport: [...cellar('base link projects wire'), ...ofHost('protocol')],
  },
  {
    path: 'src/shared/host/documents',
    holds: 'the texts and folders that the server has',
    mayImport: [...cellar('base link'), ...ofHost('protocol')],
  },
  {
    path: 'src/shared/host/readiness',
    holds: 'when a server is ready, and what it could not load',
    mayImport: [...cellar('base link'), ...ofHost('documents protocol')],
  },
  {
    path: 'src/shared/host/diagnostics',
    holds: 'what the server says about a text, and whether that is about this text',
    mayImport: [...cellar('base link'), ...ofHost('disk documents process protocol readiness')],
  },
  {
    path: 'src/shared/host/calls',
    holds: 'one call: its bounds, its turn, and text that is tried out',
    mayImport: [...cellar('base link projects'), ...ofHost('diagnostics disk documents protocol')],
  },
];

export const rooms: readonly Room[] = [...entries, ...groundFloor, ...features, ...cellarRooms];
