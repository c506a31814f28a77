import { keccak256 } from 'viem';
import type { Context, Hex, Lane, Tx } from '../context.ts';
import type { Fees } from '../gas/fees.ts';
import type { WalletKey } from '../wallets/walletKey.ts';

/** The transaction to sign: a step of an intent with its nonce, or a cancellation in its place. */
export interface Payload {
  intentId: string;
  step: number;
  nonce: number;
  kind: 'call' | 'cancel';
  to: Hex;
  value: bigint;
  data: Hex;
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
  { chain, wallet }: Lane,
  key: WalletKey,
  payload: Payload,
  fees: Fees,
  signedBlock: number,
): Promise<SignedBytes> => {
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
  await tx
    .insertInto('attempt')
    .values({
      eid: chain.eid,
      hash,
      intent_id: intentId,
      step,
      nonce,
      raw,
      max_fee_per_gas: fees.maxFeePerGas,
      max_priority_fee_per_gas: fees.maxPriorityFeePerGas,
      kind,
      signed_block: signedBlock,
      sent_at: null,
    })
    .execute();
  await tx
    .updateTable('intent_step')
    .set({ nonce, hash })
    .where('eid', '=', chain.eid)
    .where('intent_id', '=', intentId)
    .where('step', '=', step)
    .execute();
  log.info({ chain: chain.slug, wallet, intent: intentId, step, nonce, hash, kind }, 'signed');
  return { hash, raw };
};
