import type { Context, Lane } from '../../src/sign/context.ts';
import { completeStep, failStep } from '../../src/sign/lanes/endStep.ts';
import { databaseNow } from '../../src/sign/lanes/intents.ts';
import { lockLane } from '../../src/sign/lanes/lockLane.ts';
import { recordMined, recordSent, recordUnmined } from '../../src/sign/lanes/recordStep.ts';
import { findLogged, recordAnother } from '../../src/sign/lanes/signAgain.ts';
import { withWalletKey } from '../../src/sign/wallets/walletKey.ts';
import { type MadeUpChain, NotTakenError } from './madeUpChain.ts';
import { madeUpKeys } from './madeUpKey.ts';
import { fee } from './program.ts';
import { signDeeds } from './signDeeds.ts';
import { decode } from './transaction.ts';

/**
 * One turn of a wallet's open steps. The same bytes are sent until a block holds them. Only once the chain can never take them
 * any more, and does not know them, is the step signed a second time. A step ends when its block is final.
 */
export const watchSteps = async (context: Context, chain: MadeUpChain, lane: Lane): Promise<void> => {
  for (const step of await openSteps(context, lane)) await watchStep(context, chain, lane, step);
};

type OpenStep = Awaited<ReturnType<typeof openSteps>>[number];

/** Steps whose bytes are signed and whose outcome is not final, with the bytes that count. */
const openSteps = async ({ db }: Context, { chain, wallet }: Lane) => {
  const rows = await db
    .selectFrom('intent_step as step')
    .innerJoin('attempt', (join) => join.onRef('attempt.eid', '=', 'step.eid').onRef('attempt.hash', '=', 'step.hash'))
    .innerJoin('intent', (join) =>
      join.onRef('intent.eid', '=', 'step.eid').onRef('intent.intent_id', '=', 'step.intent_id'),
    )
    .select(['step.intent_id', 'step.step', 'step.status', 'step.data', 'step.block_hash', 'intent.proof'])
    .select(['attempt.hash', 'attempt.raw', 'attempt.valid_until_block'])
    .select(({ eb }) => eb('intent.expires_at', '<=', databaseNow).as('is_expired'))
    .where('step.eid', '=', chain.eid)
    .where('step.wallet', '=', wallet)
    .where('step.status', 'in', ['queued', 'sent', 'mined'])
    .orderBy('attempt.signed_at')
    .orderBy('step.step')
    .execute();
  return rows.map(({ intent_id, block_hash, valid_until_block, ...row }) => ({
    ...row,
    intentId: intent_id,
    blockHash: block_hash,
    nonce: null,
    validUntil: valid_until_block ?? 0,
  }));
};

const watchStep = async (context: Context, chain: MadeUpChain, lane: Lane, step: OpenStep): Promise<void> => {
  const found = chain.find(step.hash);
  if (found?.block) {
    const { block, error } = found;
    if (step.status !== 'mined' || step.blockHash !== block.hash) {
      const mined = { hash: step.hash, blockNumber: block.height, blockHash: block.hash, gasPaid: fee };
      await recordMined(context, lane, step, mined, error && { code: error.code, message: error.message });
    }
    if (block.height > chain.finalized) return;
    if (error === null) await completeStep(context, lane, step);
    else await failStep(context, lane, step, null, { hash: step.hash, succeeded: false });
    return;
  }
  if (step.status === 'mined') await recordUnmined(context, lane, step, step.hash);
  if (found !== undefined) return;
  if (step.validUntil > chain.head.height) await send(context, chain, lane, step);
  else if (step.validUntil < chain.finalized) await again(context, chain, lane, step);
};

const send = async (context: Context, chain: MadeUpChain, lane: Lane, step: OpenStep): Promise<void> => {
  try {
    chain.submit(step.raw);
    await recordSent(context, lane, step, step.hash, Date.now());
  } catch (error) {
    if (!(error instanceof NotTakenError)) throw error;
    context.log.warn({ chain: lane.chain.slug, hash: step.hash, reason: error.message }, 'not taken for now');
  }
};

/** Signs the step a second time, unless its deadline is over. */
const again = async (context: Context, chain: MadeUpChain, lane: Lane, step: OpenStep): Promise<void> => {
  if (step.is_expired) {
    const message = 'The transaction was not in a block before its deadline.';
    return failStep(context, lane, step, { code: 'DEADLINE_PASSED', message }, { hash: step.hash, succeeded: false });
  }
  const logged = await findLogged(context, step);
  if (logged === undefined) return;
  await withWalletKey(context, lane.wallet, madeUpKeys, async (key) => {
    if (key === undefined) return;
    await context.db.transaction().execute(async (tx) => {
      if ((await lockLane(tx, lane)) === undefined) return;
      const newest = await tx
        .selectFrom('intent_step')
        .select('hash')
        .where('eid', '=', lane.chain.eid)
        .where('intent_id', '=', step.intentId)
        .where('step', '=', step.step)
        .executeTakeFirst();
      if (newest?.hash !== step.hash) return; // another signer was faster
      const attempt = await signDeeds(tx, chain, lane, key, decode(step.data).does);
      await recordAnother(context, tx, lane, logged, attempt);
    });
  });
};
