import type { SignerDatabase } from '@mintage/server/db';
import type { Cluster } from './cluster.ts';
import { effectsOf } from './effects.ts';
import type { Load, Wish } from './load.ts';

/** Steps and intents that still have to be signed or mined. */
export const openSteps = async ({ db: tables }: Cluster): Promise<number> => {
  const db = tables.withTables<SignerDatabase>();
  // The steps of an intent that was taken back stay queued: nobody signs them.
  const steps = db
    .selectFrom('intent_step as step')
    .innerJoin('intent', (join) =>
      join.onRef('intent.eid', '=', 'step.eid').onRef('intent.intent_id', '=', 'step.intent_id'),
    )
    .select('step.step')
    .where('step.status', 'in', ['queued', 'sent'])
    .where('intent.status', '=', 'signed');
  const queued = db.selectFrom('intent').select('intent_id').where('status', '=', 'queued');
  return (await steps.execute()).length + (await queued.execute()).length;
};

/** Mines on until what was mined may be final. @returns Intents that are not yet. */
export const notFinal = async ({ chains, db }: Cluster): Promise<number> => {
  for (const { rpc } of chains) await rpc('anvil_mine', ['0x80']);
  const signed = db.withTables<SignerDatabase>().selectFrom('intent').select('status');
  return (await signed.where('status', '=', 'signed').execute()).length;
};

/** How often each effect is on its chain. */
export const allEffects = async ({ chains }: Cluster): Promise<Map<string, number>> => {
  const effects = new Map<string, number>();
  for (const chain of chains) for (const [effect, count] of await effectsOf(chain)) effects.set(effect, count);
  return effects;
};

/** What was accepted and is not on its chain once, and what was not and is there more often. */
export const wrongWishes = ({ wishes }: Load, effects: ReadonlyMap<string, number>): Wish[] =>
  wishes.filter(({ effect, outcome }) => {
    const count = effects.get(effect) ?? 0;
    return outcome === 'accepted' ? count !== 1 : count > 1;
  });

/** Ends the chains' blocks. @returns Whether the index has reached their heads. */
export const isAtHeads = async ({ chains, db }: Cluster): Promise<boolean> => {
  for (const { chain, rpc } of chains) {
    await rpc('evm_setIntervalMining', [0]);
    const head = Number(await rpc('eth_blockNumber'));
    const row = db.selectFrom('chain').select('indexed').where('eid', '=', chain.eid);
    if ((await row.executeTakeFirst())?.indexed !== head) return false;
  }
  return true;
};
