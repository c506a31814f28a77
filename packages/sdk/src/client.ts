import { type Actions, createActions } from './actions.ts';
import type { Network } from './auth/auth.ts';
import { createCaller, type Reader } from './reader.ts';
import { createStream, type Stream, type StreamSettings } from './streams/streams.ts';

export interface ClientSettings extends StreamSettings {
  /** Which of the two worlds the deployment serves; absent: the one of the chains that it lists, asked before the first action. */
  network?: Network;
}

/** Everything that the service does. */
export interface Client extends Reader {
  readonly actions: Actions;
  /** The live streams; `createStreams` makes them alone. */
  readonly stream: Stream;
}

export const createClient = ({ network, ...settings }: ClientSettings): Client => {
  const caller = createCaller(settings);
  const stream = createStream(settings, caller.auth);
  return { ...caller.reader, actions: createActions(caller, network), stream };
};
