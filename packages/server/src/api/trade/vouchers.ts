import type { Address } from '@mintage/protocol';
import type { SignedVoucher } from '../../chain/chainClient.ts';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Db, ReferralNetwork } from '../../db/serviceTables.ts';
import { readKeyFile } from '../../keys/readKeyFile.ts';
import type { Caller } from '../accounts/caller.ts';
import { networkOf } from '../accounts/networks.ts';
import { isOn } from '../tokens/addresses.ts';
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

interface VouchersOptions {
  db: Db;
  /** Whether there is a key of the deployment's voucher signer; without one nobody's referrer is looked up. */
  canSign: boolean;
  now: () => number;
}

export const createVouchers = ({ db, canSign, now }: VouchersOptions): Vouchers => {
  /** Cached referrers by user. */
  const remembered = new Remembered<ReadonlyMap<ReferralNetwork, readonly Address[]>>(mostRemembered, now);
  let forgotten = 0;

  const referrersOf = async (userId: string): Promise<ReadonlyMap<ReferralNetwork, readonly Address[]>> => {
    const known = remembered.get(userId);
    if (known) return known;
    const [begun, untilMs] = [forgotten, now() + rememberedMs];
    const referrers = await referrerWallets(db, userId);
    // A result read before a code was entered is not cached.
    if (begun !== forgotten) return referrers;
    remembered.set(userId, referrers, untilMs);
    return referrers;
  };

  return {
    async issue(caller, served, wallet, { deadline, blockTime }) {
      if (!canSign || !caller.wallets.includes(wallet)) return null;
      const { chain, client } = served;
      const wallets = (await referrersOf(caller.userId)).get(networkOf(served));
      const referrer = wallets?.find((one) => isOn(chain, one));
      if (referrer === undefined) return null;
      const latest = laterOf({ blockTime, nowMs: now() }) + longestLifeSeconds;
      return client.signVoucher({ user: wallet, referrer, deadline: BigInt(Math.min(deadline, latest)) });
    },
    forget(userId) {
      forgotten += 1;
      remembered.delete(userId);
    },
  };
};

/**
 * The wallets of the owners of the codes that a user entered, the sign-in wallet first. An owner without a wallet cannot be
 * paid.
 */
export const referrerWallets = async (
  db: Db,
  userId: string,
): Promise<ReadonlyMap<ReferralNetwork, readonly Address[]>> => {
  const rows = await db
    .selectFrom('referral_entry as entry')
    .innerJoin('referral_code as code', (join) =>
      join.onRef('code.network', '=', 'entry.network').onRef('code.code_key', '=', 'entry.code_key'),
    )
    .innerJoin('user_wallet as wallet', 'wallet.user_id', 'code.user_id')
    .select(['entry.network', 'wallet.address'])
    .where('entry.user_id', '=', userId)
    .orderBy('entry.network')
    .orderBy('wallet.created_at')
    .orderBy('wallet.address')
    .execute();
  const perNetwork = Map.groupBy(rows, ({ network }) => network);
  return new Map([...perNetwork].map(([network, owned]) => [network, owned.map(({ address }) => address)]));
};

/**
 * The key in the file that `VOUCHER_KEY_FILE` names: 64 hex digits, with or without 0x.
 *
 * @throws Error that names the variable and never the file's content: it cannot be read, others on this machine may read it, or it
 * holds no key.
 */
export const readVoucherKey = (file: string): `0x${string}` => {
  const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(readKeyFile(file, 'VOUCHER_KEY_FILE'))?.[1];
  if (digits === undefined) throw new Error('VOUCHER_KEY_FILE must hold a private key: 64 hex digits.');
  return `0x${digits.toLowerCase()}`;
};
