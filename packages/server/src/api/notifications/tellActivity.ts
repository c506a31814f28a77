import { type Address, type Eid, parseUnits } from '@mintage/protocol';
import { sql } from 'kysely';
import type { Tx } from '../../db/serviceTables.ts';
import { oneOf } from '../reads/oneOf.ts';
import { notify, type Wanted } from './notify.ts';
import { retractEvents } from './retract.ts';
import type { Teller } from './teller.ts';

const mostAtOnce = 1_000;
/** Smallest purchase that a creator is told of. */
const leastUsd18 = 10n * 10n ** 18n;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** What is read of an event of `tokenActivity`. */
interface Event {
  seq: number;
  retracts: number | null;
  eid: Eid;
  time: Date;
  platform_id: string;
  data: {
    activity_type: string;
    activity_subtype: string;
    tx_hash: string;
    evt_index: number;
    usd_amount: string | null;
    trader: Address | null;
    receiver: Address | null;
    from_address: Address | null;
    to_address: Address | null;
  };
}

/**
 * Tells users of purchases, graduations and transfers, in the order of the outbox, and takes back what a reorg took back.
 *
 * @returns Whether there may be more.
 */
export const tellActivity = async (tx: Tx, { seq }: Teller, at: Date): Promise<boolean> => {
  const { rows: events } = await sql<Event>`select seq, retracts, eid, time, platform_id, data from stream_event
    where topic = 'tokenActivity' and seq > ${seq} order by seq limit ${mostAtOnce}`.execute(tx);
  const last = events.at(-1);
  if (last === undefined) return false;
  // Between two retractions the order of what is told does not matter.
  for (const stretch of stretchesOf(events)) {
    if (stretch[0]?.retracts === null) await notify(tx, await wantedOf(tx, stretch));
    else
      await retractEvents(
        tx,
        stretch.flatMap(({ retracts }) => retracts ?? []),
        at,
      );
  }
  await tx.updateTable('teller').set({ seq: last.seq }).execute();
  return events.length === mostAtOnce;
};

/** Events side by side of which all are retractions, or none. */
const stretchesOf = (events: readonly Event[]): Event[][] => {
  const stretches: Event[][] = [];
  for (const event of events) {
    const open = stretches.at(-1);
    if (open !== undefined && (open[0]?.retracts === null) === (event.retracts === null)) open.push(event);
    else stretches.push([event]);
  }
  return stretches;
};

const wantedOf = async (tx: Tx, events: readonly Event[]): Promise<Wanted[]> => {
  const purchases = events.filter(({ data }) => data.activity_subtype === 'buy' && usd18Of(data) >= leastUsd18);
  const graduations = events.filter(({ data }) => data.activity_subtype === 'graduation');
  const transfers = events.filter(({ data }) => data.activity_type === 'transfer' && data.to_address !== null);
  if (purchases.length + graduations.length + transfers.length === 0) return [];
  const tokens = await tokensOf(tx, [...purchases, ...graduations, ...transfers]);
  const owners = await ownersOf(tx, [
    ...[...tokens.values()].map(({ creator }) => creator),
    ...purchases.flatMap(({ data }) => [data.trader, data.receiver]),
    ...transfers.flatMap(({ data }) => [data.from_address, data.to_address]),
  ]);
  const owner = (wallet: Address | null): string | undefined => owners.get(wallet ?? '');
  return [
    ...purchases.flatMap((event): Wanted[] => {
      const token = tokens.get(event.platform_id);
      const userId = token && owner(token.creator);
      const { trader, receiver } = event.data;
      if (userId === undefined || [owner(trader), owner(receiver)].includes(userId)) return [];
      const minute = Math.floor(event.time.getTime() / minuteMs);
      const key = `bought:${token?.token_id}:${minute}`;
      return [
        { ...sharedOf(event, token), user_id: userId, type: 'token_bought', key, amount_usd18: usd18Of(event.data) },
      ];
    }),
    ...transfers.flatMap((event): Wanted[] => {
      const { from_address: from, to_address: to } = event.data;
      const userId = owner(to);
      if (userId === undefined || userId === owner(from)) return [];
      // Anybody can send dust without end.
      const token = tokens.get(event.platform_id);
      const key = `received:${token?.token_id}:${Math.floor(event.time.getTime() / hourMs)}`;
      return [{ ...sharedOf(event, token), user_id: userId, type: 'transfer_received', key }];
    }),
    ...(
      await Promise.all(
        graduations.map(async (event): Promise<Wanted[]> => {
          const token = tokens.get(event.platform_id);
          if (token === undefined) return [];
          const shared = {
            ...sharedOf(event, token),
            type: 'token_graduated',
            key: `graduated:${token.token_id}`,
          } as const;
          const creator = owner(token.creator);
          const holders = await holdersOf(tx, token.token_id);
          return [
            ...(creator === undefined ? [] : [{ ...shared, user_id: creator, detail: 'created' }]),
            ...holders.filter((id) => id !== creator).map((user_id) => ({ ...shared, user_id, detail: 'held' })),
          ];
        }),
      )
    ).flat(),
  ];
};

interface Token {
  token_id: string;
  creator: Address;
}

const sharedOf = ({ seq, time, eid, data }: Event, token: Token | undefined) => ({
  at: time,
  token_id: token?.token_id,
  eid,
  tx_hash: data.tx_hash,
  event_seq: seq,
});

const usd18Of = ({ usd_amount }: Event['data']): bigint => parseUnits(usd_amount ?? '0', 18);

const tokensOf = async (tx: Tx, events: readonly Event[]): Promise<Map<string, Token>> => {
  const ids = [...new Set(events.map((event) => event.platform_id))];
  const rows = await tx
    .selectFrom('token')
    .select(['platform_id', 'token_id', 'creator'])
    .where(oneOf('platform_id', ids))
    .execute();
  return new Map(rows.map((row) => [row.platform_id, row]));
};

const ownersOf = async (tx: Tx, wallets: readonly (Address | null)[]): Promise<Map<string, string>> => {
  const rows = await tx
    .selectFrom('user_wallet')
    .select(['address', 'user_id'])
    .where(oneOf('address', [...new Set(wallets.filter((wallet) => wallet !== null))]))
    .execute();
  return new Map(rows.map((row) => [row.address, row.user_id]));
};

/** Users who hold some of a token, on any chain. */
const holdersOf = async (tx: Tx, tokenId: string): Promise<string[]> => {
  const { rows } = await sql<{ user_id: string }>`select distinct user_wallet.user_id
    from (select eid, address from token where token_id = ${tokenId}
      union all select eid, address from remote_token where token_id = ${tokenId}) known
    join balance on balance.eid = known.eid and balance.token = known.address and balance.amount > 0
    join user_wallet on user_wallet.address = balance.wallet`.execute(tx);
  return rows.map(({ user_id }) => user_id);
};
