import { type Address, type ChainType, MintageError } from '@mintage/protocol';
import { sql } from 'kysely';
import { embeddedAddress } from '../../db/embeddedAddress.ts';
import { ifWritable } from '../../db/ifWritable.ts';
import { signerChannel } from '../../db/signerTables.ts';
import type { Caller } from '../accounts/caller.ts';
import { addWallet } from '../accounts/users.ts';
import type { Executing } from './executing.ts';

/** A caller with the embedded wallet for chains of one type. */
export interface Owner {
  caller: Caller;
  address: Address;
}

/**
 * The caller with the embedded wallet for chains of this type, which the signer creates on first need.
 *
 * @throws MintageError SERVICE_UNAVAILABLE when no signer creates it in time. The request stays queued, and a later
 * call finds the wallet.
 */
export const withEmbeddedWallet = async (context: Executing, caller: Caller, chainType: ChainType): Promise<Owner> => {
  const known = caller.embedded[chainType];
  if (known !== undefined) return { caller, address: known };
  const address = await makeWallet(context, caller.userId, chainType, context.patience.walletMs);
  if (address !== null) return { caller: await own(context, caller, chainType, address), address };
  throw new MintageError(
    'SERVICE_UNAVAILABLE',
    'Your embedded wallet is not made yet, because no signer answers now: name a wallet of your own, or come back',
  );
};

/** As `withEmbeddedWallet`, for operations that work without a wallet: requests each and waits only a moment. */
export const withEmbeddedWalletsSoon = (
  context: Executing,
  caller: Caller,
  chainTypes: Iterable<ChainType>,
): Promise<Caller> => {
  const patienceMs = Math.min(context.patience.walletMs, soonMs);
  return withFound(context, caller, chainTypes, (chainType) =>
    ifWritable(() => makeWallet(context, caller.userId, chainType, patienceMs)),
  );
};

/** The caller with those embedded wallets that exist: another process may have created one a moment ago. */
export const withMadeWallets = (context: Executing, caller: Caller, chainTypes: Iterable<ChainType>): Promise<Caller> =>
  withFound(context, caller, chainTypes, (chainType) => embeddedAddress(context.db, caller.userId, chainType));

const withFound = async (
  context: Executing,
  caller: Caller,
  chainTypes: Iterable<ChainType>,
  find: (chainType: ChainType) => Promise<Address | null>,
): Promise<Caller> => {
  const missing = [...chainTypes].filter((chainType) => caller.embedded[chainType] === undefined);
  const found = await Promise.all(missing.map(async (chainType) => [chainType, await find(chainType)] as const));
  let owner = caller;
  for (const [chainType, address] of found) {
    if (address === null) continue;
    const before = owner;
    owner = (await ifWritable(() => own(context, before, chainType, address))) ?? before;
  }
  return owner;
};

const soonMs = 500;
/** A wallet that signers have not created within this time is not waited for, milliseconds. */
const forgottenMs = 5_000;

const makeWallet = async (
  context: Executing,
  userId: string,
  chainType: ChainType,
  patienceMs: number,
): Promise<Address | null> => {
  const { db, signerNews } = context;
  const made = await embeddedAddress(db, userId, chainType);
  if (made !== null) return made;
  const { age } = await db
    .insertInto('embedded_wallet')
    .values({ user_id: userId, chain_type: chainType })
    // A no-op update, so that an existing row is returned too.
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'chain_type'])
        .doUpdateSet({ requested_at: sql<Date>`embedded_wallet.requested_at` }),
    )
    .returning(sql<number>`(extract(epoch from now() - requested_at) * 1000)::float8`.as('age'))
    .executeTakeFirstOrThrow();
  await sql`select pg_notify(${signerChannel}, '')`.execute(db);
  if (patienceMs <= soonMs && age > forgottenMs) return null;
  return signerNews.wait(userId, () => embeddedAddress(db, userId, chainType), patienceMs);
};

/**
 * Links the wallet to the user, so that its earnings count for the user. An embedded wallet belongs to the caller only
 * after this step, so a process that ends before it loses nothing: the next use links the wallet.
 */
const own = async (context: Executing, caller: Caller, chainType: ChainType, address: Address): Promise<Caller> => {
  await context.db.transaction().execute((tx) => addWallet(tx, null, caller.userId, { address, acts_from: null }));
  context.auth.forgetUser(caller.userId);
  return { ...caller, wallets: [...caller.wallets, address], embedded: { ...caller.embedded, [chainType]: address } };
};
