import { type Address, type Chain, chainTypeOf, type Eid } from '@mintage/protocol';
import { sql } from 'kysely';
import { ChainDownError } from '../../chain/rpc.ts';
import { reasonOf } from '../../chain/wire.ts';
import type { Database } from '../../db/chainTables.ts';
import { askForKeeperWallet, keeperUser, keeperWallet } from '../../db/keeperWallet.ts';
import { signerChannel } from '../../db/signerTables.ts';
import type { Context, Tx } from '../context.ts';
import type { GraduationCall, Sender } from '../sender.ts';

export interface KeeperConfig {
  /** Seconds of chain time that the keeper waits after the last trade of a sold-out curve. */
  afterSeconds: number;
  /** Most calls on one chain in a day (UTC). In addition the gas policy limits what a wallet pays in a day. */
  perDay: number;
}

export const defaultKeeper: KeeperConfig = { afterSeconds: 10, perDay: 100 };

/** Seconds between the first and second try; the pause doubles with each further try. */
const againAfterSeconds = 30;
const mostDoublings = 10;
const atOnce = 10;

/** A chain that the keeper looks after. */
export interface KeptChain {
  chain: Chain;
  sender: Sender;
}

/**
 * Requests `graduate` for every token whose curve is sold out but that did not graduate by itself: a buyer who finishes
 * a curve inside their own unlock of the PoolManager prevents it. The requests are handled like all intents: simulated
 * first, signed once, followed until they are final.
 */
export const keepTokens = async (
  context: Context,
  chains: readonly KeptChain[],
  config: KeeperConfig,
): Promise<void> => {
  for (const { chain, sender } of chains) {
    const tokens = await waitingTokens(context, chain.eid, config.afterSeconds);
    if (tokens.length === 0) continue;
    const wallet = await keeperWallet(context.db, chainTypeOf(chain));
    if (wallet === null) {
      await askForKeeperWallet(context.db, chainTypeOf(chain));
      continue;
    }
    for (const token of tokens) {
      try {
        const call = await sender.graduate(wallet, token);
        const task = { eid: chain.eid, token, wallet, call };
        const isAsked = await context.db.transaction().execute((tx) => ask(tx, task, config.perDay));
        if (isAsked) context.log.info({ chain: chain.slug, token, wallet }, 'the keeper graduates a token');
      } catch (error) {
        if (!(error instanceof ChainDownError)) throw error;
        context.log.warn({ chain: chain.slug, token, reason: reasonOf(error) }, 'the keeper waits for the chain');
        break;
      }
    }
  }
};

/** Sold-out tokens, by the index and its time, that were never tried, or not recently. */
const waitingTokens = async ({ db }: Context, eid: Eid, afterSeconds: number): Promise<Address[]> => {
  const rows = await db
    .withTables<Pick<Database, 'chain' | 'token'>>()
    .selectFrom('token')
    .innerJoin('chain', 'chain.eid', 'token.eid')
    .leftJoin('keeper_task as task', (join) =>
      join.onRef('task.eid', '=', 'token.eid').onRef('task.token', '=', 'token.address'),
    )
    .select('token.address')
    .where('token.eid', '=', eid)
    .where('token.completed', '=', true)
    .where('token.graduated_at', 'is', null)
    .where(sql<boolean>`token.last_trade_at <= chain.indexed_time - ${afterSeconds} * interval '1 second'`)
    .where(({ eb, or }) => or([eb('task.token', 'is', null), isDue('task')]))
    .orderBy('token.last_trade_at')
    .limit(atOnce)
    .execute();
  return rows.map(({ address }) => address);
};

/** Whether the newest try ended long enough ago for another one. */
const isDue = (task: string) => {
  const column = (name: string) => sql.ref(`${task}.${name}`);
  return sql<boolean>`(
    ${column('tried_at')} < now() - ${againAfterSeconds} * interval '1 second' * power(2, least(${column('tries')} - 1, ${mostDoublings}))
    and not exists (
      select from intent where intent.eid = ${column('eid')} and intent.intent_id = ${column('intent_id')}
        and intent.status in ('queued', 'signed')))`;
};

interface Task {
  eid: Eid;
  token: Address;
  wallet: Address;
  call: GraduationCall;
}

/** Claims the task in one statement; only the claimer makes the request. */
const ask = async (tx: Tx, { eid, token, wallet, call }: Task, perDay: number): Promise<boolean> => {
  const { rows } = await sql<{ intent_id: string }>`
    insert into keeper_task (eid, token, intent_id, tries)
    select ${eid}, ${token}, gen_random_uuid(), 1
    where (select count(*) from intent where eid = ${eid} and wallet = ${wallet}
      and created_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc') < ${perDay}
    on conflict (eid, token) do update
      set intent_id = excluded.intent_id, tries = keeper_task.tries + 1, tried_at = now()
      where ${isDue('keeper_task')}
    returning intent_id`.execute(tx);
  const [task] = rows;
  if (task === undefined) return false;
  const key = { eid, intent_id: task.intent_id };
  await tx
    .insertInto('intent')
    .values({
      ...key,
      user_id: keeperUser,
      wallet,
      credential: null,
      error_code: null,
      error: null,
      budget_day: null,
      signed_at: null,
      ended_at: null,
      expires_at: sql<Date>`now() + interval '10 minutes'`,
    })
    .execute();
  await tx
    .insertInto('intent_step')
    .values({
      ...key,
      step: 0,
      wallet,
      to_address: call.to,
      value: 0n,
      data: call.data,
      gas_limit: call.gasLimit,
      description: `Graduate ${token}`,
      nonce: null,
      hash: null,
      block_number: null,
      block_hash: null,
      gas_paid: null,
      error_code: null,
      error: null,
    })
    .execute();
  await sql`select pg_notify(${signerChannel}, '')`.execute(tx);
  return true;
};
