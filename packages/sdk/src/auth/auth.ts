import type { Send } from '../callOptions.ts';

/** A call that is about to be sent. */
export interface Outgoing {
  /** Of the route, without the base. */
  path: string;
  /** The body, or what becomes the query. */
  input: object;
}

/** Which of the two worlds a deployment serves. */
export type Network = 'Mainnet' | 'Testnet';

/** What `/platform-action` does, with its fields. */
export interface Action {
  type: string;
  [field: string]: unknown;
}

/** What a wallet adds to an action that it signs. */
export interface SignedEnvelope {
  /** Milliseconds since 1970. */
  nonce: number;
  /** Milliseconds after the nonce. */
  expiresAfter: number;
  signature: string;
  signatureChainId: string;
}

/** Who calls. Made by `apiKey`, `session` or `wallet`; a client takes another one by `use`. */
export interface Auth {
  /** Whether the service knows the caller before it reads the body, so that writes may be named by a key. */
  readonly isAccount: boolean;
  /** The headers by which the service knows the caller. `send` calls as nobody. */
  authorize(call: Outgoing, send: Send): Promise<Record<string, string>>;
  /** After a refusal of these headers: whether there is a newer credential to try. */
  renew?(send: Send, refused: Readonly<Record<string, string>>): Promise<boolean>;
  /** Signs an action, to which it may add; null where a wallet's signature is not asked for. Absent: the credential does. */
  sign?(action: Action): Promise<(SignedEnvelope & { action: Action }) | null>;
}

/** An API key: of a program, with the rights and the budget that its owner gave it. */
export const apiKey = (key: string): Auth => ({
  isAccount: true,
  authorize: async () => ({ authorization: `Bearer ${key}` }),
});
