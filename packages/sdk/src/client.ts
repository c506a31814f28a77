import { type Actions, createActions } from './actions.ts';
import type { Network } from './auth/auth.ts';
import type { Settings } from './call.ts';
import { createCaller, type Reader } from './reader.ts';

export interface ClientSettings extends Settings {
  /** Which of the two worlds the deployment serves. */
  network: Network;
}

/** Everything that the service does. */
export interface Client extends Reader {
  readonly actions: Actions;
}

export const createClient = ({ network, ...settings }: ClientSettings): Client => {
  const caller = createCaller(settings);
  return { ...caller.reader, actions: createActions(caller, network) };
};
