import { describe, expect, it } from 'vitest';
import { SubscriptionBook } from '../../../../src/frontend/channels/subscription-book.ts';
import { diagnosticsUri, parseAddress } from '../../../../src/frontend/resources/addresses.ts';
import { Roots } from '../../../../src/frontend/workspace/roots.ts';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import { createWorkspace } from '../../../support/workspace.ts';

function failureIn(action: () => unknown) {
  try {
    action();
    return undefined;
  } catch (error) {
    return failureOf(error);
  }
}

describe('the address of a resource', () => {
  it('names one file or all of them', async () => {
    await using workspace = createWorkspace('//- src/a b.fake\nx\n');
    const roots = new Roots({ given: [], cwd: workspace.root, alsoAllowed: [] });
    const file = workspace.file('src/a b.fake');
    expect(parseAddress('lsp-diagnostics://', roots)).toEqual({ kind: 'diagnostics', file: undefined });
    expect(parseAddress('lsp-diagnostics:///', roots)).toEqual({ kind: 'diagnostics', file: undefined });
    const uri = diagnosticsUri(file);
    expect(uri).toMatch(/^lsp-diagnostics:\/\/\/.*a%20b\.fake$/);
    const spellings = [
      uri,
      `lsp-diagnostics:///${encodeURIComponent(file)}`,
      `lsp-diagnostics:///${file}`,
      'lsp-diagnostics:///src/a%20b.fake',
    ];
    for (const spelling of spellings)
      expect(parseAddress(spelling, roots)).toEqual({ kind: 'diagnostics', file });
  });

  it('never leads out of the roots', async () => {
    await using workspace = createWorkspace('//- a.fake\nx\n');
    const roots = new Roots({ given: [], cwd: workspace.root, alsoAllowed: [] });
    for (const path of [
      '/etc/passwd',
      '/../../etc/passwd',
      '/..%2f..%2fetc%2fpasswd',
      `${workspace.root}/../x`,
    ])
      expect(failureIn(() => parseAddress(`lsp-diagnostics://${path}`, roots))?.kind).toBe('outside-roots');
  });

  it('of a place has line and column from 1', async () => {
    await using workspace = createWorkspace('//- a.fake\nx\n');
    const roots = new Roots({ given: [], cwd: workspace.root, alsoAllowed: [] });
    const file = workspace.file('a.fake');
    expect(parseAddress(`lsp-hover://${file}?line=2&column=3&language_id=go`, roots)).toEqual({
      kind: 'hover',
      file,
      place: { line: 2, column: 3, languageId: 'go' },
    });
    for (const query of ['', '?line=2', '?line=0&column=1', '?line=1&column=x', '?line=1.5&column=1'])
      expect(failureIn(() => parseAddress(`lsp-completions://${file}${query}`, roots))?.kind).toBe(
        'invalid-input',
      );
    for (const uri of [
      'lsp-hover://',
      'lsp-unknown:///a',
      'file:///a',
      '',
      'lsp-servers:///x',
      'lsp-diagnostics:///%',
    ])
      expect(failureIn(() => parseAddress(uri, roots))?.kind).toBe('invalid-input');
  });
});

describe('the book of subscriptions', () => {
  it('ends exactly the one that is unsubscribed from', () => {
    const book = new SubscriptionBook();
    let changes = 0;
    using _listening = book.onChange(() => changes++);
    for (const uri of ['lsp-diagnostics://', 'lsp-diagnostics:///a', 'lsp-diagnostics:///a'])
      book.subscribe(uri);
    expect(book.uris).toEqual(['lsp-diagnostics://', 'lsp-diagnostics:///a']);
    book.unsubscribe('lsp-diagnostics:///a');
    book.unsubscribe('lsp-diagnostics:///never');
    expect(book.uris).toEqual(['lsp-diagnostics://']);
    expect(changes).toBe(4);
  });

  it('reads along when a newer client listens, until that is cancelled', () => {
    const book = new SubscriptionBook();
    const listen = (id: number, ...resourceSubscriptions: string[]) =>
      book.saw({ id, method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions } } });
    const cancel = (requestId: unknown) =>
      book.saw({ method: 'notifications/cancelled', params: { requestId } });
    listen(1, 'lsp-servers://', 'lsp-references://');
    listen(2, 'lsp-servers://');
    expect(book.uris).toEqual(['lsp-servers://', 'lsp-references://']);
    cancel(1);
    expect(book.uris).toEqual(['lsp-servers://']);
    cancel('2');
    cancel(undefined);
    expect(book.uris).toEqual(['lsp-servers://']);
    cancel(2);
    expect(book.uris).toEqual([]);
  });

  it('takes no notice of what does not fit', () => {
    const book = new SubscriptionBook();
    for (const params of [undefined, null, {}, { notifications: { resourceSubscriptions: 'x' } }])
      book.saw({ id: 1, method: 'subscriptions/listen', params });
    book.saw({ id: 1, result: {} });
    // An older client has no such request, and is told so.
    book.saw({ id: 0, method: 'initialize' });
    const notifications = { resourceSubscriptions: ['lsp-servers://'] };
    book.saw({ id: 1, method: 'subscriptions/listen', params: { notifications } });
    expect(book.uris).toEqual([]);
  });
});
