import { type Address, MintageError } from '@mintage/protocol';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { happened } from '../../db/happenings.ts';
import type { Db, Tx } from '../../db/serviceTables.ts';
import { walletBalances } from '../reads/walletBalances.ts';
import type { Reading } from '../tokens/reading.ts';
import type { Caller } from './caller.ts';
import { accountOf } from './users.ts';
import { waysIn } from './waysIn.ts';

/**
 * What a stolen credential must not do for good: add a way into the account, or take one away. It needs a fresh sign-in by
 * a way that is there, waits before it acts, and its user is told at once. docs/decisions/0098-new-access.md
 */

/** Age of a sign-in up to which it confirms such a change. */
export const confirmedForMs = 5 * 60_000;

/**
 * How a change is confirmed: `strong` by a fresh sign-in with a passkey or a wallet; `weak` by one at another issuer, which
 * counts only for an account that has neither.
 */
export type Confirmation = 'strong' | 'weak';

/** To ask chains what a wallet holds. */
type Balances = Pick<Reading, 'chains'> & { log: Logger };

interface Confirming {
  db: Db;
  config: Pick<Config, 'jwtIssuers'>;
  now: () => number;
}

/** @throws MintageError CONFIRMATION_NEEDED. */
export const requireConfirmation = async (
  { db, config, now }: Confirming,
  { userId, session }: Pick<Caller, 'userId' | 'session'>,
): Promise<Confirmation> => {
  if (session !== null && 'issuedAtMs' in session) {
    const { passkeys, wallets } = await waysIn(db, config, userId, now());
    if (passkeys + wallets === 0 && now() - session.issuedAtMs <= confirmedForMs) return 'weak';
    throw unconfirmed(passkeys + wallets === 0 ? 'Sign in anew' : 'Sign in with a passkey or a wallet of this account');
  }
  const confirmedAtMs = session?.confirmedAtMs ?? null;
  if (confirmedAtMs !== null && now() - confirmedAtMs <= confirmedForMs) return 'strong';
  throw unconfirmed('Sign in anew with a passkey or a wallet of this account');
};

const unconfirmed = (what: string): MintageError =>
  new MintageError('CONFIRMATION_NEEDED', `${what}, and repeat this within ${confirmedForMs / 60_000} minutes`);

/**
 * From when something that is added now acts; null: at once. What a weak sign-in adds waits too, but for the first passkey
 * or wallet of an account whose embedded wallets are empty.
 */
export const actsFrom = async (
  context: Confirming & Balances & { config: Pick<Config, 'newAccessDelayHours'> },
  { userId }: Pick<Caller, 'userId'>,
  confirmation: Confirmation,
): Promise<Date | null> => {
  const delayMs = context.config.newAccessDelayHours * 3_600_000;
  if (delayMs === 0) return null;
  if (confirmation === 'weak' && (await isEmpty(context, userId))) return null;
  return new Date(context.now() + delayMs);
};

/** Whether the embedded wallets hold nothing and have nothing to claim; false where a chain does not say. */
const isEmpty = async ({ db, chains, log }: Balances & { db: Db }, userId: string): Promise<boolean> => {
  const account = await accountOf(db, userId);
  const wallets: Address[] = Object.values(account?.embedded ?? {});
  if (wallets.length === 0) return true;
  const { holds, earns } = await db
    .selectNoFrom((select) => [
      select.exists(select.selectFrom('balance').where('wallet', 'in', wallets).where('amount', '>', 0n)).as('holds'),
      select
        .exists(select.selectFrom('fee_balance').where('recipient', 'in', wallets).where('claimable', '>', 0n))
        .as('earns'),
    ])
    .executeTakeFirstOrThrow();
  if (holds || earns) return false;
  const all = await Promise.all([...chains.values()].map((served) => walletBalances({ log }, served, wallets)));
  return all.flat().every(({ native, usd }) => native === 0n && usd === 0n);
};

/** What happened to the ways into an account. */
export type AccessChange =
  | 'wallet_linked'
  | 'wallet_unlinked'
  | 'passkey_added'
  | 'passkey_removed'
  | 'key_created'
  | 'app_allowed'
  | 'frozen'
  | 'unfrozen';

/** Tells the user on every channel. @param of - What it is about, so that each is told once. */
export const tellAccess = (tx: Tx, userId: string, detail: AccessChange, of: string, nowMs: number): Promise<void> =>
  happened(
    tx,
    [{ kind: 'notification', user_id: userId, type: 'security', key: `${detail}:${of}:${nowMs}`, detail }],
    new Date(nowMs),
  );

/** @throws MintageError ACCOUNT_FROZEN. */
export const requireNotFrozen = async (db: Db, userId: string): Promise<void> => {
  const row = await db.selectFrom('account_freeze').select('user_id').where('user_id', '=', userId).executeTakeFirst();
  if (row !== undefined) throw new MintageError('ACCOUNT_FROZEN', 'An operator of this service froze this account');
};
