import { MintageError } from '@mintage/protocol';
import type { StreamFilter, Subscription } from '@mintage/protocol/operations';
import type { Db } from '../../db/serviceTables.ts';
import { requireToken } from '../tokens/tokenRef.ts';
import type { Caller } from './caller.ts';

const platformId = /^0x[0-9a-f]{64}$/;

/**
 * A subscription's filter in the form used for matching: singular and plural fields merged, tokens by platform id,
 * addresses in lower case. Activity is open to everyone, balances to every caller, fees only to the owner of the
 * wallet.
 *
 * @throws MintageError AUTHENTICATION_FAILED, SCOPE_MISSING, TOKEN_NOT_FOUND.
 */
export const filterOf = async (db: Db, subscription: Subscription, caller: Caller | null): Promise<StreamFilter> => {
  const { topic } = subscription;
  if (topic !== 'tokenActivity') requireReader(topic, caller);
  const chains = someOf(subscription.chains);
  switch (topic) {
    case 'tokenActivity': {
      const { activityTypes, activitySubtypes } = subscription;
      return {
        topic,
        tokenIds: await platformIdsOf(db, subscription),
        chains,
        activityTypes: someOf(activityTypes),
        activitySubtypes: someOf(activitySubtypes),
      };
    }
    case 'walletBalances':
      return { topic, tokenIds: await platformIdsOf(db, subscription), wallets: walletsOf(subscription), chains };
    case 'walletFees': {
      const { activityIds, distributionTypes } = subscription;
      return {
        topic,
        wallets: ownWalletsOf(subscription, caller as Caller),
        currencies: someOf(merged(subscription.currency, subscription.currencies).map(lower)),
        chains,
        activityIds: someOf(activityIds),
        distributionTypes: someOf(distributionTypes),
      };
    }
  }
};

const requireReader = (topic: string, caller: Caller | null): void => {
  if (caller === null) throw new MintageError('AUTHENTICATION_FAILED', `${topic} needs a credential`);
  if (!caller.scopes.includes('read')) throw new MintageError('SCOPE_MISSING', 'The credential lacks the scope read');
};

/** Platform ids are accepted unchecked, so that a client can wait for a token that is about to be created. */
const platformIdsOf = async (db: Db, one: { tokenId?: string; tokenIds?: string[] }): Promise<string[] | undefined> => {
  const refs = merged(one.tokenId, one.tokenIds).map((ref) => ref.trim().toLowerCase());
  const ids = refs.map(async (ref) => (platformId.test(ref) ? ref : (await requireToken(db, ref)).platform_id));
  return someOf(await Promise.all(ids));
};

const walletsOf = (one: { wallet?: string; wallets?: string[] }): string[] | undefined =>
  someOf(merged(one.wallet, one.wallets).map(lower));

/** The named wallets; all of the caller's wallets when none is named. An empty list matches nothing. */
const ownWalletsOf = (one: { wallet?: string; wallets?: string[] }, caller: Caller): string[] => {
  const wanted = walletsOf(one) ?? caller.wallets;
  const foreign = wanted.find((wallet) => !caller.wallets.includes(wallet as `0x${string}`));
  if (foreign !== undefined) {
    throw new MintageError(
      'AUTHENTICATION_FAILED',
      `${foreign} is not a wallet of yours; walletFees tells only its owner`,
    );
  }
  return [...wanted];
};

const merged = <T>(one: T | undefined, many: readonly T[] = []): T[] =>
  one === undefined ? [...many] : [one, ...many];

const lower = (text: string): string => text.toLowerCase();

/**
 * Sorted and without repeats, so that equal subscriptions have equal filters; undefined when empty, which matches
 * everything.
 */
const someOf = <T extends string | number>(list: readonly T[] | undefined): T[] | undefined =>
  list === undefined || list.length === 0 ? undefined : [...new Set(list)].toSorted();
