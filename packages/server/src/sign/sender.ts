import type { Address } from '@mintage/protocol';
import type { ServedChain } from '../chain/servedChain.ts';
import type { Context } from './context.ts';

/**
 * One chain as the signer uses it: signs what is queued, sends it, and finishes it. What differs between families stands behind
 * this; `evm/` is the first.
 */
export interface Sender {
  /**
   * Signs what is queued for a wallet, the oldest first, each intent in one transaction that ends with `admit`.
   *
   * @returns 'waiting' when something has to stay queued for now.
   * @throws ChainDownError while the chain does not answer: the intents wait.
   */
  sign(wallet: Address): Promise<'done' | 'waiting'>;
  /** One turn of the wallet's open steps: each is sent until a block holds it, and ended once that block is final. */
  watch(wallet: Address): Promise<void>;
  /** The call by which the keeper's wallet graduates a sold-out token. */
  graduate(wallet: Address, token: Address): Promise<GraduationCall>;
  stop(): Promise<void>;
}

export interface GraduationCall {
  to: Address;
  data: `0x${string}`;
  gasLimit: number;
}

export interface SigningFamily {
  createSender(context: Context, served: ServedChain): Sender;
  /** A new wallet: the secret that is sealed, and its address. The caller wipes the secret. */
  newWallet(): { secret: Buffer; address: Address };
}
