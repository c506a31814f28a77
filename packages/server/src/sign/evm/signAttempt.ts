import { type Hex, keccak256 } from 'viem';
import type { Context, Tx } from '../context.ts';
import { countAttempt, insertAttempt } from '../lanes/recordAttempt.ts';
import type { Call } from './call.ts';
import type { EvmLane } from './chainAccess.ts';
import type { Fees } from './fees.ts';
import type { WalletKey } from './walletKey.ts';

/** The transaction to sign: a step of an intent with its nonce, or a cancellation in its place. */
export interface Payload extends Call {
  intentId: string;
  /** From 0, within the intent. */
  step: number;
  nonce: number;
  kind: 'call' | 'cancel';
  /** Units of gas. */
  gasLimit: number;
}

export interface SignedBytes {
  hash: Hex;
  raw: Hex;
}

/**
 * A cancellation: it uses the nonce of `payload` for an empty transaction. The gas limit stays, because a rollup may
 * need more than 21,000.
 */
export const cancellationOf = (payload: Payload, wallet: Hex): Payload => ({
  ...payload,
  kind: 'cancel',
  to: wallet,
  value: 0n,
  data: '0x',
});

/**
 * Signs, and stores the bytes in the same transaction; they are sent only after it is committed. The log line is the
 * audit record of every signature.
 *
 * @param signedBlock - Newest block now.
 */
export const signAttempt = async (
  { log }: Context,
  tx: Tx,
  lane: EvmLane,
  key: WalletKey,
  payload: Payload,
  fees: Fees,
  signedBlock: number,
): Promise<SignedBytes> => {
  const { chain, wallet } = lane;
  const { intentId, step, nonce, kind } = payload;
  const common = {
    chainId: chain.chainId,
    nonce,
    to: payload.to,
    value: payload.value,
    data: payload.data,
    gas: BigInt(payload.gasLimit),
  };
  const raw = key.sign(
    chain.gas.eip1559
      ? { type: 'eip1559', ...common, ...fees }
      : { type: 'legacy', ...common, gasPrice: fees.maxFeePerGas },
  );
  const hash = keccak256(raw);
  const attempt = { hash, raw, nonce, kind, fees, signedBlock, validUntilBlock: null };
  await insertAttempt(tx, lane, payload, attempt).execute();
  await countAttempt(tx, lane, payload, attempt);
  log.info({ chain: chain.slug, wallet, intent: intentId, step, nonce, hash, kind }, 'signed');
  return { hash, raw };
};
