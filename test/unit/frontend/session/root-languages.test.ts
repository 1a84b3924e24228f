import { describe, expect, it } from 'vitest';
import {
  type ChosenLanguages,
  languagesToAsk,
  type RootSearch,
} from '../../../../src/frontend/session/root-languages.ts';
import type { AbsPath } from '../../../../src/shared/base/brand.ts';
import { languageById } from '../../../../src/shared/languages/lookup.ts';

interface Planted {
  readonly files: number;
  /** How many of the files are project files. */
  readonly projects?: number;
  readonly isMissing?: true;
  /** What files of the language come to when the name is looked for. */
  readonly chance?: 'has' | 'matches';
}

/** A root with these languages, the first first; the name is looked for unless `isOpen` says that nothing is. */
function asked(
  root: Readonly<Record<string, Planted>>,
  { running = [], isOpen = false }: { running?: readonly string[]; isOpen?: boolean } = {},
): Shown {
  const languages = Object.entries(root).map(([id, { files, projects = 0 }]) => {
    const family = languageById(id)?.family;
    if (!family) throw new Error(`no language ${id}`);
    const names = Array.from({ length: files }, (_, index) => `/root/${id}/${index}` as AbsPath);
    const kept = files > 100 ? undefined : names;
    return { family, score: 0, sourceFiles: files, projectFiles: projects, files: kept };
  });
  const filesThat: RootSearch['filesThat'] = (nearness, { files, family }) =>
    root[family.id]?.chance === nearness ? files.slice(0, 1) : [];
  const installed = Object.entries(root)
    .filter(([, { isMissing }]) => !isMissing)
    .map(([language]) => ({ language, server: language }) as never);
  return shown(
    languagesToAsk(
      { languages, installed, disabled: [] },
      { running, filesThat: isOpen ? undefined : filesThat, display: (file) => file.slice('/root/'.length) },
    ),
  );
}

interface Shown {
  readonly wanted: readonly string[];
  readonly left: Readonly<Record<string, string>>;
}

function shown({ wanted, notAsked }: ChosenLanguages): Shown {
  return {
    wanted: wanted.map(({ id }) => id),
    left: Object.fromEntries(
      notAsked.map(({ language, why, isFault }) => [language, `${isFault ? 'fault: ' : ''}${why}`]),
    ),
  };
}

const RUBY = 'no server found; install with: gem install solargraph';

describe('a search through a root', () => {
  it('asks everything that the root is written in, and nothing that cannot have the name', () => {
    const root = {
      python: { files: 40, projects: 1 },
      go: { files: 20, projects: 1 },
      typescript: { files: 9, projects: 1 },
      rust: { files: 9, projects: 1 },
      lua: { files: 1 },
      json: { files: 60, isMissing: true, chance: 'has' },
      ruby: { files: 60, isMissing: true },
    } as const;
    expect(asked(root)).toEqual({ wanted: ['python', 'go', 'typescript', 'rust'], left: {} });
  });

  it('asks further languages only where a file may have the name, and names those that it leaves', () => {
    const main = { python: { files: 40, projects: 1 }, go: { files: 20, projects: 1 } };
    const few = { files: 1, chance: 'matches' } as const;
    expect(asked({ ...main, lua: few, zig: few, php: { files: 1 } })).toEqual({
      wanted: ['python', 'go', 'lua'],
      left: { zig: 'fault: 1 file may have it, such as zig/0; pass language_id:"zig"' },
    });
    const has = { files: 2, chance: 'has' } as const;
    expect(asked({ ...main, lua: few, zig: has, php: has, ruby: { ...has, isMissing: true } })).toEqual({
      wanted: ['python', 'go', 'zig', 'php'],
      left: {
        lua: 'fault: 1 file may have it, such as lua/0; pass language_id:"lua"',
        ruby: `fault: 1 file may have it, such as ruby/0; ${RUBY}`,
      },
    });
  });

  it('does not depend on which servers are running', () => {
    const root = {
      python: { files: 40, projects: 1 },
      go: { files: 20, projects: 1 },
      lua: { files: 1, chance: 'has' },
      zig: { files: 1, chance: 'has' },
    } as const;
    for (const running of [[], ['zig'], ['lua', 'zig'], ['go', 'lua']])
      expect([...running, ...asked(root, { running }).wanted].sort()).toEqual(['go', 'lua', 'python', 'zig']);
  });

  it('takes for possible what there is too much of to look at, where the root is written in it', () => {
    const root = { python: { files: 400, projects: 1 }, ruby: { files: 300, isMissing: true } } as const;
    expect(asked(root)).toEqual({ wanted: ['python'], left: { ruby: `fault: ${RUBY}` } });
    expect(asked({ ...root, ruby: { files: 300 } }).wanted).toEqual(['python', 'ruby']);
  });

  it('asks a server where none can have the name, because somebody has to say so', () => {
    expect(asked({ lua: { files: 1 }, zig: { files: 1 } })).toEqual({ wanted: ['lua', 'zig'], left: {} });
    const missing = { files: 9, isMissing: true } as const;
    expect(asked({ ruby: missing })).toEqual({ wanted: [], left: { ruby: RUBY } });
  });

  it('without a name is a search for whatever there is', () => {
    const root = {
      python: { files: 40, projects: 1 },
      lua: { files: 1 },
      ruby: { files: 30, isMissing: true },
    } as const;
    expect(asked(root, { isOpen: true })).toEqual({ wanted: ['python', 'lua'], left: { ruby: RUBY } });
  });
});
