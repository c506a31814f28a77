import type { Eid, Hash } from '@mintage/protocol';
import { sql } from 'kysely';

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

/** A column of queries on `token`: its registrations by eid. Of several messages on their way to a chain the newest counts. */
export const registrationsOfToken = sql<Registration[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('eid', eid, 'state', state, 'txHash', tx_hash, 'time', time, 'holders', holders) order by eid), '[]')
  from (
    select eid, 'registered' as state, tx_hash, registered_at as time, holders
    from remote_token where remote_token.token_id = token.token_id
    union all (
      select distinct on (dst_eid) dst_eid, state, tx_hash, time, 0
      from (
        select dst_eid, nonce, guid, tx_hash, time from bridge_sent sent
        where sent.eid = token.eid and sent.token = token.address and registers
        union all
        select dst_eid, nonce, guid, tx_hash, time from bridge_announced announced
        where announced.eid = token.eid and announced.token = token.address
      ) message cross join lateral (
        select case when exists (
          select from bridge_alert alert
          where alert.eid = dst_eid and alert.src_eid = token.eid and alert.nonce = message.nonce and alert.guid = message.guid
        ) then 'failed' else 'sent' end as state
      ) delivery
      where not exists (select from remote_token there where there.eid = dst_eid and there.address = token.address)
      order by dst_eid, time desc
    )
  ) registration
)`;

/** The chains that a token lives on: its home first. */
export const livingOn = ({ eid, registrations }: { eid: Eid; registrations: readonly Registration[] }): Eid[] => [
  eid,
  ...registrations.filter(({ state }) => state === 'registered').map((registration) => registration.eid),
];
