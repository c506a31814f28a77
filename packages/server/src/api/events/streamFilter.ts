import { type Address, MintageError } from '@mintage/protocol';
import type { StreamFilter, StreamTopic, Subscription } from '@mintage/protocol/operations';
import type { Caller } from '../accounts/caller.ts';
import { tagKey } from '../people/entities.ts';
import { anyAddress } from '../tokens/addresses.ts';
import type { Reading } from '../tokens/reading.ts';
import { addressOfRef, isPlatformId, requireToken } from '../tokens/tokenRef.ts';

/**
 * A subscription's filter in the form used for matching: singular and plural fields merged, tokens by platform id,
 * addresses in their one form. Activity, posts and votes are open to everyone, balances to every caller, fees only to the owner of
 * the wallet, notifications to the caller.
 *
 * @param at - Path of the subscription in the request, for refusals.
 * @throws MintageError INVALID_PARAMETERS, AUTHENTICATION_FAILED, SCOPE_MISSING, TOKEN_NOT_FOUND.
 */
export const filterOf = async (
  context: Pick<Reading, 'db' | 'chains' | 'chainNews'>,
  subscription: Subscription,
  caller: Caller | null,
  at: '' | 'subscription.',
): Promise<StreamFilter> => {
  const { topic } = subscription;
  if (!isForAll.has(topic)) requireReader(topic, caller);
  const chains = someOf(subscription.chains);
  const addressesIn = (fields: Parameters<typeof textsIn>[0]): Address[] | undefined =>
    someOf(textsIn(fields).map(({ text, path }) => anyAddress(context, text, `${at}${path}`)));
  switch (topic) {
    case 'tokenActivity': {
      const { activityTypes, activitySubtypes } = subscription;
      return {
        topic,
        tokenIds: await platformIdsOf(context, subscription),
        chains,
        activityTypes: someOf(activityTypes),
        activitySubtypes: someOf(activitySubtypes),
      };
    }
    case 'walletBalances': {
      const { wallet, wallets } = subscription;
      const tokenIds = await platformIdsOf(context, subscription);
      return { topic, tokenIds, wallets: addressesIn({ wallet, wallets }), chains };
    }
    case 'walletFees': {
      const { wallet, wallets, currency, currencies, activityIds, distributionTypes } = subscription;
      return {
        topic,
        wallets: ownWalletsOf(addressesIn({ wallet, wallets }), caller as Caller),
        currencies: addressesIn({ currency, currencies }),
        chains,
        activityIds: someOf(activityIds),
        distributionTypes: someOf(distributionTypes),
      };
    }
    case 'posts': {
      const { authorIds, parentIds, hashtags } = subscription;
      return {
        topic,
        tokenIds: await platformIdsOf(context, subscription),
        authorIds: idsIn(authorIds),
        parentIds: idsIn(parentIds),
        hashtags: someOf(hashtags?.map(tagKey)),
      };
    }
    case 'votes':
      return { topic, tokenIds: await platformIdsOf(context, subscription), postIds: idsIn(subscription.postIds) };
    case 'notifications':
      return { topic, userIds: [(caller as Caller).userId] };
  }
};

/** Topics that need no credential. */
const isForAll: ReadonlySet<StreamTopic> = new Set(['tokenActivity', 'posts', 'votes']);

/** Ids are of small letters. */
const idsIn = (ids: readonly string[] | undefined): string[] | undefined => someOf(ids?.map((id) => id.toLowerCase()));

const requireReader = (topic: string, caller: Caller | null): void => {
  if (caller === null) throw new MintageError('AUTHENTICATION_FAILED', `${topic} needs a credential`);
  if (!caller.scopes.includes('read')) throw new MintageError('SCOPE_MISSING', 'The credential lacks the scope read');
};

/** Platform ids are accepted unchecked, so that a client can wait for a token that is about to be created. */
const platformIdsOf = async (
  context: Pick<Reading, 'db' | 'chainNews'>,
  { tokenId, tokenIds }: { tokenId?: string; tokenIds?: string[] },
): Promise<string[] | undefined> => {
  const ids = textsIn({ tokenId, tokenIds }).map(async ({ text }) => {
    const ref = addressOfRef(text.trim()) ?? text.trim().toLowerCase();
    return isPlatformId(ref) ? ref : (await requireToken(context, ref)).platform_id;
  });
  return someOf(await Promise.all(ids));
};

/** The named wallets; all of the caller's wallets when none is named. An empty list matches nothing. */
const ownWalletsOf = (named: readonly Address[] | undefined, caller: Caller): string[] => {
  const wanted = named ?? caller.wallets;
  const foreign = wanted.find((wallet) => !caller.wallets.includes(wallet));
  if (foreign !== undefined) {
    throw new MintageError(
      'AUTHENTICATION_FAILED',
      `${foreign} is not a wallet of yours; walletFees tells only its owner`,
    );
  }
  return [...wanted];
};

/** The texts of a singular and a plural field, each with its path. */
const textsIn = (fields: Record<string, string | readonly string[] | undefined>): { text: string; path: string }[] =>
  Object.entries(fields).flatMap(([field, value = []]) =>
    typeof value === 'string'
      ? [{ text: value, path: field }]
      : value.map((text, index) => ({ text, path: `${field}.${index}` })),
  );

/**
 * Sorted and without repeats, so that equal subscriptions have equal filters; undefined when empty, which matches
 * everything.
 */
const someOf = <T extends string | number>(list: readonly T[] | undefined): T[] | undefined =>
  list === undefined || list.length === 0 ? undefined : [...new Set(list)].toSorted((a, b) => (a < b ? -1 : 1));
