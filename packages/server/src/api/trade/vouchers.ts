import { readFileSync } from 'node:fs';
import { launchpadAbi, type SignedVoucher, voucherTypedData } from '@mintage/protocol';
import type { Logger } from 'pino';
import { decodeFunctionResult, encodeFunctionData } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { call } from '../../chain/evm/calls.ts';
import type { Address, ChainContext } from '../../chain/servedChain.ts';
import type { Db, ReferralNetwork } from '../../db/serviceTables.ts';
import type { Caller } from '../accounts/caller.ts';
import { networkOf } from '../accounts/networks.ts';
import { Remembered } from '../wire/remembered.ts';
import { laterOf } from './terms.ts';

/** Signs the vouchers by which chains learn who referred a user; the user's next transaction carries one. */
export interface Vouchers {
  /**
   * The voucher for a wallet of the caller that has no protocol referrer on this chain yet. Null when the caller
   * entered no code, for wallets of other users, and where this service cannot sign for the chain; the trade then
   * carries no voucher.
   *
   * @param order - Its deadline, unix seconds: the voucher is valid as long as the order, and never longer than an
   *   hour. The newest block's time, null when none was read: a chain may run ahead of the server.
   */
  issue(
    caller: Caller,
    served: ChainContext,
    wallet: Address,
    order: { deadline: number; blockTime: number | null },
  ): Promise<SignedVoucher | null>;
  /** Drops the cached referrers of a user who has just entered a code. */
  forget(userId: string): void;
}

/** The Launchpad accepts vouchers of up to an hour; five minutes are left for clocks that differ. */
const longestLifeSeconds = 55 * 60;
/** How long referrers are cached: another process sees a newly entered code within this time, milliseconds. */
const rememberedMs = 4_000;
const mostRemembered = 20_000;
/** How long the chain's voucher signer is cached, milliseconds. */
const signerBelievedMs = 60_000;

interface VouchersOptions {
  db: Db;
  /** Private key of the deployment's voucher signer; null: no vouchers are signed. */
  key: `0x${string}` | null;
  now: () => number;
  log: Logger;
}

export const createVouchers = ({ db, key, now, log }: VouchersOptions): Vouchers => {
  const signer = key === null ? null : privateKeyToAccount(key);
  /** Cached referrers by user. */
  const remembered = new Remembered<ReadonlyMap<ReferralNetwork, Address>>(mostRemembered, now);
  let forgotten = 0;
  const accepted = new Map<number, { accepted: boolean; untilMs: number }>();

  const referrersOf = async (userId: string): Promise<ReadonlyMap<ReferralNetwork, Address>> => {
    const known = remembered.get(userId);
    if (known) return known;
    const [begun, untilMs] = [forgotten, now() + rememberedMs];
    const referrers = await referrerWallets(db, userId);
    // A result read before a code was entered is not cached.
    if (begun !== forgotten) return referrers;
    remembered.set(userId, referrers, untilMs);
    return referrers;
  };

  /** Whether the chain's Launchpad accepts this signer: a voucher by another key would revert the whole transaction. */
  const isAccepted = async (account: PrivateKeyAccount, served: ChainContext): Promise<boolean> => {
    const { chainId } = served.deployment;
    const known = accepted.get(chainId);
    if (known && known.untilMs > now()) return known.accepted;
    let expected: Address;
    try {
      expected = await voucherSignerOf(served);
    } catch (err) {
      log.warn({ err, chain: served.chain.slug }, 'Whose vouchers the chain takes could not be read.');
      return false;
    }
    const same = expected === account.address.toLowerCase();
    accepted.set(chainId, { accepted: same, untilMs: now() + signerBelievedMs });
    if (!same)
      log.error(
        { chain: served.chain.slug, expected, signer: account.address },
        'The chain takes vouchers of another key.',
      );
    return same;
  };

  return {
    async issue(caller, served, wallet, { deadline, blockTime }) {
      if (signer === null || !caller.wallets.includes(wallet)) return null;
      const referrer = (await referrersOf(caller.userId)).get(networkOf(served));
      if (referrer === undefined || !(await isAccepted(signer, served))) return null;
      const latest = laterOf({ blockTime, nowMs: now() }) + longestLifeSeconds;
      const voucher = { user: wallet, referrer, deadline: BigInt(Math.min(deadline, latest)) };
      return { ...voucher, signature: await signer.signTypedData(voucherTypedData(voucher, served.deployment)) };
    },
    forget(userId) {
      forgotten += 1;
      remembered.delete(userId);
    },
  };
};

/** The sign-in wallets of the owners of the codes that a user entered. An owner without a wallet cannot be paid. */
export const referrerWallets = async (db: Db, userId: string): Promise<Map<ReferralNetwork, Address>> => {
  const rows = await db
    .selectFrom('referral_entry as entry')
    .innerJoin('referral_code as code', (join) =>
      join.onRef('code.network', '=', 'entry.network').onRef('code.code_key', '=', 'entry.code_key'),
    )
    .innerJoin('user_wallet as wallet', 'wallet.user_id', 'code.user_id')
    .distinctOn('entry.network')
    .select(['entry.network', 'wallet.address'])
    .where('entry.user_id', '=', userId)
    .orderBy('entry.network')
    .orderBy('wallet.created_at')
    .orderBy('wallet.address')
    .execute();
  return new Map(rows.map(({ network, address }) => [network, address as Address]));
};

const voucherSignerOf = async ({ rpc, deployment }: ChainContext): Promise<Address> => {
  const functionName = 'voucherSigner';
  const data = encodeFunctionData({ abi: launchpadAbi, functionName });
  const result = await rpc.request(call({ to: deployment.launchpad, data }, 'latest'));
  return decodeFunctionResult({ abi: launchpadAbi, functionName, data: result }).toLowerCase() as Address;
};

/**
 * The key in the file that `VOUCHER_KEY_FILE` names: 64 hex digits, with or without 0x.
 *
 * @throws Error that names the variable and never the file's content.
 */
export const readVoucherKey = (file: string): `0x${string}` => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`VOUCHER_KEY_FILE cannot be read: ${(error as NodeJS.ErrnoException).code}.`, { cause: error });
  }
  const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text)?.[1];
  if (digits === undefined) throw new Error('VOUCHER_KEY_FILE must hold a private key: 64 hex digits.');
  return `0x${digits.toLowerCase()}`;
};
