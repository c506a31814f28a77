import { decodeRevert, MintageError } from '@mintage/protocol';
import { BaseError, type Hex, isHex } from 'viem';
import { call as tryCall } from 'viem/actions';
import type { CheckedCall } from './items.ts';
import type { Wallet } from './wallet.ts';

/**
 * Why a call would revert after this block, in the catalogue's words; null where it would not, or where the provider does not say.
 *
 * @param blockNumber - Absent: the newest.
 */
export const whyReverts = async (
  client: Wallet,
  { to, data, value, gas }: CheckedCall,
  blockNumber?: bigint,
): Promise<MintageError | null> => {
  const at = blockNumber === undefined ? {} : { blockNumber };
  const limit = gas === null ? {} : { gas };
  const error = await tryCall(client, { account: client.account, to, data, value, ...limit, ...at }).then(
    () => null,
    (caught: unknown) => caught,
  );
  const reason = error === null ? null : revertDataIn(error);
  return reason === null ? null : decodeRevert(reason);
};

/** Null: it is not a revert that failed. */
const revertDataIn = (error: unknown): Hex | null => {
  if (!(error instanceof BaseError)) throw error;
  const inner = error.walk(
    (one) => typeof one === 'object' && one !== null && 'data' in one && dataIn(one.data) !== null,
  );
  return inner === null ? null : dataIn((inner as Error & { data?: unknown }).data);
};

/** Providers say it as the data itself, or beside it. */
const dataIn = (data: unknown): Hex | null => {
  if (isHex(data)) return data;
  return typeof data === 'object' && data !== null && 'data' in data && isHex(data.data) ? data.data : null;
};

/** A revert that was mined, with its hash. */
export const minedRevert = (reason: MintageError | null, hash: Hex): MintageError =>
  new MintageError(
    reason?.code ?? 'TRANSACTION_FAILED',
    reason?.message ??
      'The transaction reverted; at the end of its block the same call would not, or it was too little gas.',
    { details: { hash, revert: reason?.details ?? null } },
  );
