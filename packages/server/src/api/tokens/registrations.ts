import type { Eid, Hash } from '@mintage/protocol';
import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/serviceTables.ts';
import { isAmong, type TokenPlace } from './tokenPlace.ts';

/** Another chain that a token came to, or that a message is on its way to. */
export interface Registration {
  eid: Eid;
  /** `failed`: a delivery was refused; whoever delivers the message again makes it `registered`. */
  state: 'registered' | 'sent' | 'failed';
  /** There when it is registered, else on the token's home. */
  txHash: Hash;
  /** As JSON of the database. */
  time: string;
  /** Wallets that hold some there. */
  holders: number;
}

/**
 * Registrations of tokens by eid, a row for each token that has any. Of several messages on their way to a chain the newest counts.
 *
 * @param asked - Query of the tokens: `token_id`, `eid`, `address`.
 */
const registrationsOf = (asked: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select token_id, jsonb_agg(
    jsonb_build_object('eid', eid, 'state', state, 'txHash', tx_hash, 'time', time, 'holders', holders) order by eid
  ) as registrations
  from (
    select remote_token.token_id, remote_token.eid, 'registered' as state, tx_hash, registered_at as time, holders
    from (${asked}) asked join remote_token on remote_token.token_id = asked.token_id
    union all (
      select distinct on (token_id, dst_eid) token_id, dst_eid, state, tx_hash, time, 0
      from (
        select asked.*, dst_eid, nonce, guid, tx_hash, time
        from (${asked}) asked join bridge_sent sent on sent.eid = asked.eid and sent.token = asked.address and registers
        union all
        select asked.*, dst_eid, nonce, guid, tx_hash, time
        from (${asked}) asked join bridge_announced announced on announced.eid = asked.eid and announced.token = asked.address
      ) message cross join lateral (
        select case when exists (
          select from bridge_alert alert
          where alert.eid = dst_eid and alert.src_eid = message.eid and alert.nonce = message.nonce and alert.guid = message.guid
        ) then 'failed' else 'sent' end as state
      ) delivery
      where not exists (select from remote_token there where there.eid = dst_eid and there.address = message.address)
      order by token_id, dst_eid, time desc
    )
  ) registration
  group by token_id`;

/** A column of queries on `token`: its registrations. For a page of tokens `readRegistrations` takes a fraction of the time. */
export const registrationsOfToken = sql<Registration[]>`coalesce((
  select registrations from (${registrationsOf(sql`select token.token_id, token.eid, token.address`)}) registered
), '[]')`;

/** The registrations of each of these tokens, in one look. */
export const readRegistrations = async (
  db: Db,
  tokens: readonly TokenPlace[],
): Promise<(token: { token_id: string }) => Registration[]> => {
  const asked = sql`select token_id, eid, address from token where ${isAmong('token.eid', 'token.address', tokens)}`;
  const query = sql<{ token_id: string; registrations: Registration[] }>`
    with page as materialized (${asked}) ${registrationsOf(sql`select * from page`)}`;
  const rows = await prepared(db, query);
  const byToken = new Map(rows.map((row) => [row.token_id, row.registrations]));
  return (token) => byToken.get(token.token_id) ?? [];
};

/** The chains that a token lives on: its home first. */
export const livingOn = ({ eid, registrations }: { eid: Eid; registrations: readonly Registration[] }): Eid[] => [
  eid,
  ...registrations.filter(({ state }) => state === 'registered').map((registration) => registration.eid),
];
