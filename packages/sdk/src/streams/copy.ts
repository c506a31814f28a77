import type { StreamChange } from '../generated/types.ts';
import type { StreamItem, Topic } from './streams.ts';

/** What a topic tells. */
export type StreamData<Name extends Topic> = Extract<StreamChange, { topic: Name; type: 'event' }>['data'];

/** Rows that stay equal to the service's. */
export interface Copy<Name extends Topic> {
  /** By what they are about: an activity, a wallet's balance of a token, a credit, a post, what is voted on, a notification. */
  readonly rows: ReadonlyMap<string, StreamData<Name>>;
  /** Takes an item of the stream; every item, one after the other. */
  apply(item: StreamItem<Name>): Promise<void>;
}

/**
 * A copy that follows a stream through reorgs and lost connections.
 *
 * For each row the newest word counts, so it does not matter that a state read after `begin` has some of what the stream then
 * tells again.
 *
 * @param load - Reads the current state, with the filter of the subscription; called at each `begin`. Absent: nothing was
 *   before, which is right for the cursor `earliest`.
 */
export const createCopy = <Name extends Topic>(
  topic: Name,
  load: () => Promise<readonly StreamData<Name>[]> = async () => [],
): Copy<Name> => {
  const rows = new Map<string, StreamData<Name>>();
  // TypeScript does not see that a key of the table is for the topic's own data.
  const keyOf = keys[topic] as (data: StreamData<Name>) => string;
  return {
    rows,
    async apply(item) {
      if (item.type === 'begin') {
        const state = await load();
        rows.clear();
        for (const row of state) rows.set(keyOf(row), row);
      } else {
        const data = item.data as StreamData<Name>; // of the item's topic, which is the copy's
        if (item.type === 'event' && !isGone(data)) rows.set(keyOf(data), data);
        // The balance that holds instead follows; an event that was told again under the same key has come after this.
        else rows.delete(keyOf(data));
      }
    },
  };
};

/** Of a post that nobody sees any more, or never did by the time that it was told. */
const isGone = (data: object): boolean => 'kind' in data && data.kind !== 'created';

const keys: { [Name in Topic]: (data: StreamData<Name>) => string } = {
  tokenActivity: ({ pk }) => pk,
  walletBalances: ({ chain, token_address, wallet }) => `${chain} ${token_address} ${wallet}`,
  walletFees: ({ chain, tx_hash, evt_index, recipient, currency, distribution_type, activity_id }) =>
    [chain, tx_hash, evt_index, recipient, currency, distribution_type, activity_id].join(' '),
  posts: ({ post }) => post.id,
  votes: ({ target_type, target_id }) => `${target_type} ${target_id}`,
  notifications: ({ id }) => id,
};
