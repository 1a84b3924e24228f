/** A broker that greets and attaches, and answers nothing else. */
import path from 'node:path';
import type { DaemonRecord } from '../../src/shared/rendezvous/daemon-record.ts';
import { listenPrivate } from '../../src/shared/rendezvous/endpoint.ts';
import { BROKER_PROTOCOL, VERSION } from '../../src/shared/version.ts';
import { Connection } from '../../src/shared/wire/connection.ts';
import { FrameReader, FrameWriter } from '../../src/shared/wire/frame-stream.ts';
import { createWorkspace } from './workspace.ts';

export interface MuteBroker extends AsyncDisposable {
  readonly record: DaemonRecord;
  /** The methods it was asked for. */
  readonly heard: readonly string[];
}

export async function muteBroker(): Promise<MuteBroker> {
  const workspace = createWorkspace();
  const heard: string[] = [];
  const generation = 'abcdef0123456789';
  const answers: Record<string, unknown> = {
    hello: { protocol: BROKER_PROTOCOL, version: VERSION, generation, state: 'serving' },
    attach: { session: 1, state: { kind: 'ready', proof: 'none' } },
  };
  const listening = await listenPrivate([{ path: path.join(workspace.scratch, 's') }], {
    accept: (socket) =>
      void new Connection(
        new FrameReader(socket, { maxBodyBytes: 1e6, oversize: 'refuse' }),
        new FrameWriter(socket),
        {
          request: (method) => {
            heard.push(method);
            return answers[method] ?? new Promise(() => {});
          },
          notification: () => {},
          closed: () => socket.destroy(),
        },
      ),
  });
  return {
    heard,
    record: { socketPath: listening.path, token: 't', generation } as DaemonRecord,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => listening.server.close(resolve));
      await workspace[Symbol.asyncDispose]();
    },
  };
}
