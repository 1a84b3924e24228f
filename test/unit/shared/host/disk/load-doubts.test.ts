import { describe, expect, it } from 'vitest';
import type { Diagnostic, FileEvent } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../../../src/shared/base/brand.ts';
import { LoadDoubts } from '../../../../../src/shared/host/disk/load-doubts.ts';
import { createWorkspace } from '../../../../support/workspace.ts';

const ROOT = '/project' as AbsPath;
const A = '/project/a.src' as AbsPath;
const B = '/project/b.src' as AbsPath;
const changed = [{ path: B, type: 'change' }] as const;

function problem(message: string): Diagnostic {
  const at = { line: 0, character: 0 };
  return { range: { start: at, end: at }, source: 'compiler', message };
}

function doubts(): { doubts: LoadDoubts; sent: string[] } {
  const sent: string[] = [];
  const send = (changes: FileEvent[]) => void sent.push(...changes.map(({ uri }) => uri));
  return {
    doubts: new LoadDoubts({ sign: /: missing /, anewFor: 'list.txt' }, { root: ROOT, send }),
    sent,
  };
}

describe('what a server may have missed while it loaded', () => {
  it('is loaded anew once, and then believed until files come or go', () => {
    const { doubts: here, sent } = doubts();
    here.told(changed);
    expect(here.arise(A, [problem('missing b')])).toBe(true);
    expect(here.arise(A, [problem('missing b')])).toBe(false);
    here.told(changed);
    expect(here.arise(A, [problem('missing b')])).toBe(false);
    expect(here.arise(A, [problem('missing b'), problem('missing c')])).toBe(true);
    here.told([{ path: B, type: 'create' }]);
    expect(here.arise(A, [problem('missing b')])).toBe(true);
    expect(sent).toEqual(Array.from({ length: 3 }, () => 'file:///project/list.txt'));
  });

  it('is no matter where nothing has changed, and where the problems are others', () => {
    const { doubts: here, sent } = doubts();
    expect(here.arise(A, [problem('missing b')])).toBe(false);
    here.told(changed);
    expect(here.arise(B, [problem('wrong type')])).toBe(false);
    expect(sent).toEqual([]);
  });

  it('is a name that a file beside declares, and not one that nobody declares', async () => {
    await using workspace = createWorkspace(`
//- a.go
package a

var x = New() + gone()
//- b.go
package a

func New() int { return gone() }
//- c.go
package a
`);
    const sent: FileEvent[] = [];
    const rule = { sign: /: missing /, unknown: /^compiler: undefined: (\w+)$/, anewFor: 'list.txt' };
    const here = new LoadDoubts(rule, {
      root: workspace.root,
      send: (changes) => void sent.push(...changes),
    });
    here.told([{ path: workspace.file('c.go'), type: 'change' }]);
    expect(here.arise(workspace.file('a.go'), [problem('undefined: gone')])).toBe(false);
    expect(here.arise(workspace.file('a.go'), [problem('undefined: New')])).toBe(true);
    expect(here.arise(workspace.file('a.go'), [problem('undefined: New')])).toBe(false);
    expect(sent).toHaveLength(1);
  });

  it('is doubted again when it was gone in between', () => {
    const { doubts: here } = doubts();
    here.told(changed);
    expect(here.arise(A, [problem('missing b')])).toBe(true);
    here.told(changed);
    expect(here.arise(A, [])).toBe(false);
    expect(here.arise(A, [problem('missing b')])).toBe(true);
  });
});
