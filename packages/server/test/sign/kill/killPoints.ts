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

export const asks =
  (wanted: string) =>
  (calls: readonly RpcRequest[]): boolean =>
    calls.some(({ method }) => method === wanted);

export const atCall = (
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

/** @param mode - Of a lock on the table with which the statement has to wait. */
export const atStatement = (
  name: string,
  table: string,
  statement: string,
  mode: 'share' | 'access exclusive' = 'share',
): KillPoint => ({
  name,
  reach: (child, db, _random, kill) =>
    db.transaction().execute(async (tx) => {
      await sql`lock table ${sql.table(table)} in ${sql.raw(mode)} mode`.execute(tx);
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

/** At a statement that follows a question. */
export const atAnswer = (question: KillPoint, statement: KillPoint): KillPoint => ({
  name: statement.name,
  reach: async (child, db, random, kill) => {
    let came = false;
    await question.reach(child, db, random, async () => {
      child.release();
      came = await statement.reach(child, db, random, kill);
    });
    return came;
  },
});

/** How long the rest is halted for a process to come by; then it goes on, and the point is tried again. */
const patienceMs = 400;

/** Where a signer asks the chain, by the methods of its family. */
export type CallPoints = readonly KillPoint[];

/** All points: where it asks the chain, where it writes into the database, and anywhere. */
export const killPoints = (calls: CallPoints): KillPoint[] => [...calls, ...statements, atRandom];

const statements: readonly KillPoint[] = [
  atStatement('policy done, nothing written yet', 'attempt', '^insert into "attempt"'),
  atStatement('bytes written, their step not', 'intent_step', '^update "intent_step" set "nonce"'),
  atStatement('all steps signed, not committed', 'intent', '^update "intent" set "status" = .*"signed_at"'),
  atStatement('sent, before that is written', 'attempt', '^update "attempt" set "sent_at"'),
  atStatement('mined, before that is written', 'intent_step', '^update "intent_step" set .*"block_number"'),
  atStatement('final, before that is written', 'intent_step', '^update "intent_step" set "status" = [^,]* where'),
  atStatement('a wallet made, before it is written', 'embedded_wallet', '^update "embedded_wallet"'),
];

const atRandom: KillPoint = {
  name: 'at random',
  reach: async (child, _db, random, kill) => {
    let left = random.whole(1, 60);
    const reached = child.halt(random.chance(0.5) ? 'before' : 'after', () => --left <= 0);
    const came = await Promise.race([reached.then(() => true), sleep(10 * patienceMs, false)]);
    if (came) await kill();
    child.release();
    return came;
  },
};
