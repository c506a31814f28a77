import { setTimeout as sleep } from 'node:timers/promises';
import type { RpcRequest } from '@mintage/devnet';
import { sql } from 'kysely';
import type { Db } from '../../../src/sign/context.ts';
import type { Random } from '../random.ts';
import type { SignerChild } from './signerChild.ts';

/**
 * Where a signer is killed. Nothing in the signer knows of these points: it is brought to a halt from outside, by a
 * provider that does not answer or by a lock on a table, and killed there.
 */
export interface KillPoint {
  name: string;
  /** Halts the process there, calls `kill`, and lets everything go on. @returns False when it did not come by. */
  reach(child: SignerChild, db: Db, random: Random, kill: () => Promise<void>): Promise<boolean>;
}

const asks = (calls: readonly RpcRequest[], method: string): boolean => calls.some((call) => call.method === method);

const atCall = (
  name: string,
  when: 'before' | 'after',
  matches: (calls: readonly RpcRequest[]) => boolean,
): KillPoint => ({
  name,
  reach: async (child, _db, _random, kill) => {
    const reached = child.halt(when, matches);
    const came = await Promise.race([reached.then(() => true), sleep(patienceMs, false)]);
    if (came) await kill();
    child.release();
    return came;
  },
});

const atStatement = (name: string, table: string, statement: string): KillPoint => ({
  name,
  reach: (child, db, _random, kill) =>
    db.transaction().execute(async (tx) => {
      await sql`lock table ${sql.table(table)} in share mode`.execute(tx);
      const until = performance.now() + patienceMs;
      while (performance.now() < until) {
        const { rows } = await sql`select 1 from pg_stat_activity
          where application_name = ${child.name} and wait_event_type = 'Lock' and query ~ ${statement}`.execute(db);
        if (rows.length > 0) {
          await kill();
          return true;
        }
        await sleep(5);
      }
      return false;
    }),
});

/** How long the rest is halted for a process to come by; then it goes on, and the point is tried again. */
const patienceMs = 400;

export const killPoints: readonly KillPoint[] = [
  atCall('reading the chain before the lock', 'before', (calls) => asks(calls, 'eth_getBalance')),
  atCall('trying the call', 'before', (calls) => asks(calls, 'eth_call')),
  atStatement('policy done, nothing signed yet', 'attempt', '^insert into "attempt"'),
  atStatement('bytes written, their step not', 'intent_step', '^update "intent_step" set "nonce"'),
  atStatement('all steps signed, not committed', 'intent', '^update "intent" set "status" = .*"signed_at"'),
  atCall('committed, before sending', 'before', (calls) => asks(calls, 'eth_sendRawTransaction')),
  atCall('sent, before the answer', 'after', (calls) => asks(calls, 'eth_sendRawTransaction')),
  atStatement('sent, before that is written', 'attempt', '^update "attempt" set "sent_at"'),
  atCall('looking for receipts', 'before', (calls) => asks(calls, 'eth_getTransactionByHash')),
  atStatement('mined, before that is written', 'intent_step', '^update "intent_step" set .*"block_number"'),
  atCall('asking whether it is final', 'before', (calls) => asks(calls, 'eth_blockNumber')),
  atStatement('final, before that is written', 'intent_step', '^update "intent_step" set "status" = [^,]* where'),
  atStatement('a wallet made, before it is written', 'embedded_wallet', '^update "embedded_wallet"'),
  {
    name: 'at random',
    reach: async (child, _db, random, kill) => {
      let left = random.whole(1, 60);
      const reached = child.halt(random.chance(0.5) ? 'before' : 'after', () => --left <= 0);
      const came = await Promise.race([reached.then(() => true), sleep(10 * patienceMs, false)]);
      if (came) await kill();
      child.release();
      return came;
    },
  },
];
