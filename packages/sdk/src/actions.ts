import { invalid } from '@mintage/protocol/errors';
import type { Action, Network } from './auth/auth.ts';
import type { CallOptions } from './callOptions.ts';
import type { ActionCalls } from './generated/calls.ts';
import { actionTypes } from './generated/routes.ts';
import type { Caller, Reader } from './reader.ts';

/** What registering answers. */
export interface Registered {
  success: true;
  actionType: 'register';
  name: 'register';
  userId: string;
  walletAddress: string;
  method: 'web3';
}

/** The actions of `/platform-action`: signed by a wallet, or under the caller's credential. */
export interface Actions extends ActionCalls {
  /** Makes an account of the wallet that calls, or returns the one that it has. */
  register(options?: CallOptions): Promise<Registered>;
}

/** For an action that no wallet signs, milliseconds: the service wants a number, and looks at none. */
const expiresAfter = 60_000;

/** @param given - Absent: that of the chains which the service lists, asked before the first action. */
export const createActions = ({ reader, send, auth }: Caller, given?: Network): Actions => {
  let network = given;
  const act = async (action: Action, options?: CallOptions) => {
    const caller = auth(); // who signs is who sends, whoever calls next
    network ??= await networkOf(reader);
    const envelope = (await caller?.sign?.(action)) ?? { action, expiresAfter };
    return send(caller, 'POST /platform-action write', { source: network, ...envelope }, options);
  };
  const actions = Object.fromEntries(
    actionTypes.map((type) => [type, (input?: object, options?: CallOptions) => act({ ...input, type }, options)]),
  );
  const register = (options?: CallOptions) => act({ type: 'register', method: 'web3' }, options);
  // The generated types are made of the same list as the names.
  return { ...actions, register } as unknown as Actions;
};

/** @throws MintageError INVALID_PARAMETERS where the service lists no chain. */
const networkOf = async (reader: Reader): Promise<Network> => {
  const [first] = (await reader.chains()).chains; // all are of one world
  if (first === undefined) throw invalid('network', 'must be given, since the service lists no chain');
  return first.testnet ? 'Testnet' : 'Mainnet';
};
