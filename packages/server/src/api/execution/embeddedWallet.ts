import { MintageError } from '@mintage/protocol';
import { sql } from 'kysely';
import type { Address } from '../../chain/servedChain.ts';
import { ifWritable } from '../../db/ifWritable.ts';
import { linkWallets } from '../../db/linkWallets.ts';
import { signerChannel } from '../../db/signerTables.ts';
import type { Caller } from '../accounts/caller.ts';
import type { Executing } from './executing.ts';

/** A caller whose embedded wallet exists. */
export type Owner = Caller & { embedded: Address };

/**
 * The caller with an embedded wallet, which the signer creates on first need.
 *
 * @throws MintageError SERVICE_UNAVAILABLE when no signer creates it in time. The request stays queued, and a later
 * call finds the wallet.
 */
export const withEmbeddedWallet = async (context: Executing, caller: Caller): Promise<Owner> => {
  if (hasEmbedded(caller)) return caller;
  const address = await makeWallet(context, caller.userId, context.patience.walletMs);
  if (address !== null) return own(context, caller, address);
  throw new MintageError(
    'SERVICE_UNAVAILABLE',
    'Your embedded wallet is not made yet, because no signer answers now: name a wallet of your own, or come back',
  );
};

/** As `withEmbeddedWallet`, for operations that work without a wallet: requests it and waits only a moment. */
export const withEmbeddedWalletSoon = async (context: Executing, caller: Caller): Promise<Caller> => {
  if (hasEmbedded(caller)) return caller;
  const patienceMs = Math.min(context.patience.walletMs, soonMs);
  const address = await ifWritable(() => makeWallet(context, caller.userId, patienceMs));
  return address === null ? caller : ownIfWritable(context, caller, address);
};

/** The caller with the embedded wallet if it exists: another process may have created it a moment ago. */
export const withMadeWallet = async (context: Executing, caller: Caller): Promise<Caller> => {
  if (hasEmbedded(caller)) return caller;
  const address = await addressOf(context, caller.userId);
  return address === null ? caller : ownIfWritable(context, caller, address);
};

const hasEmbedded = (caller: Caller): caller is Owner => caller.embedded !== null;

const soonMs = 500;
/** A wallet that signers have not created within this time is not waited for, milliseconds. */
const forgottenMs = 5_000;

const makeWallet = async (context: Executing, userId: string, patienceMs: number): Promise<Address | null> => {
  const { db, signerNews } = context;
  const made = await addressOf(context, userId);
  if (made !== null) return made;
  const { age } = await db
    .insertInto('embedded_wallet')
    .values({ user_id: userId })
    // A no-op update, so that an existing row is returned too.
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: userId }))
    .returning(sql<number>`(extract(epoch from now() - requested_at) * 1000)::float8`.as('age'))
    .executeTakeFirstOrThrow();
  await sql`select pg_notify(${signerChannel}, '')`.execute(db);
  if (patienceMs <= soonMs && age > forgottenMs) return null;
  return signerNews.wait(userId, () => addressOf(context, userId), patienceMs);
};

const addressOf = async ({ db }: Executing, userId: string): Promise<Address | null> => {
  const row = await db.selectFrom('embedded_wallet').select('address').where('user_id', '=', userId).executeTakeFirst();
  return (row?.address ?? null) as Address | null;
};

/**
 * Links the wallet to the user, so that its earnings count for the user. An embedded wallet belongs to the caller only
 * after this step, so a process that ends before it loses nothing: the next use links the wallet.
 */
const own = async (context: Executing, caller: Caller, address: Address): Promise<Owner> => {
  const [signIn] = caller.wallets;
  if (signIn !== undefined) await linkWallets(context.db, signIn, address);
  await context.db
    .insertInto('user_wallet')
    .values({ address, user_id: caller.userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  context.auth.forgetUser(caller.userId);
  return { ...caller, wallets: [...caller.wallets, address], embedded: address };
};

const ownIfWritable = async (context: Executing, caller: Caller, address: Address): Promise<Caller> =>
  (await ifWritable(() => own(context, caller, address))) ?? caller;
