import type { Address } from '@mintage/protocol';
import { sql } from 'kysely';
import type { ServedChain } from '../../src/chain/servedChain.ts';
import type { Context, Lane, Tx } from '../../src/sign/context.ts';
import { decideIntent } from '../../src/sign/lanes/decideIntent.ts';
import { queuedOf } from '../../src/sign/lanes/intents.ts';
import { lockLane } from '../../src/sign/lanes/lockLane.ts';
import { recordFirst } from '../../src/sign/lanes/recordFirst.ts';
import { restoreSigned } from '../../src/sign/lanes/restoreSigned.ts';
import type { SigningFamily } from '../../src/sign/sender.ts';
import type { NewAttempt } from '../../src/sign/signingLog/newAttempt.ts';
import { withWalletKey } from '../../src/sign/wallets/walletKey.ts';
import type { MadeUpChain } from './madeUpChain.ts';
import { type MadeUpKey, madeUpKeys } from './madeUpKey.ts';
import { madeUpReader } from './madeUpReader.ts';
import { watchSteps } from './madeUpSending.ts';
import { deployment, fee } from './program.ts';
import { signDeeds } from './signDeeds.ts';
import { addressOf, decode, encode, newSecret } from './transaction.ts';

/** The made-up chain as the signer uses it: no nonces, but bytes that are good until a block height. */
export const signingOf = (chain: MadeUpChain): SigningFamily => ({
  createSender(context: Context, served: ServedChain) {
    const laneOf = (wallet: Address): Lane => ({ chain: served.chain, wallet });
    return {
      sign: (wallet) => signIntents(context, chain, laneOf(wallet)),
      watch: (wallet) => watchSteps(context, chain, laneOf(wallet)),
      graduate: async (wallet, token) => ({
        to: deployment.launchpad,
        data: encode({ from: wallet, validUntil: 0, does: [{ do: 'graduate', token }] }),
        gasLimit: 0,
      }),
      stop: async () => {},
    };
  },
  newWallet() {
    const secret = newSecret();
    return { secret, address: addressOf(secret) };
  },
});

/** `wait`: the intent stays queued, and so do the ones after it. */
type Outcome = 'done' | 'wait';

const signIntents = async (context: Context, chain: MadeUpChain, lane: Lane): Promise<'done' | 'waiting'> => {
  const queued = await queuedOf(context, lane);
  if (queued.length === 0) return 'done';
  if (!(await restoreSigned(context, lane, queued))) return 'waiting';
  return withWalletKey(context, lane.wallet, madeUpKeys, async (key, owner) => {
    for (const { intent_id } of queued) {
      const sign = (tx: Tx) => signIntent(context, tx, chain, lane, { key, owner }, intent_id);
      if ((await context.db.transaction().execute(sign)) === 'wait') return 'waiting';
    }
    return 'done';
  });
};

/** The verdict and the signed bytes of all steps are committed together, before anything is sent. */
const signIntent = async (
  context: Context,
  tx: Tx,
  chain: MadeUpChain,
  lane: Lane,
  { key, owner }: { key: MadeUpKey | undefined; owner: string | undefined },
  intentId: string,
): Promise<Outcome> => {
  await sql`set local synchronous_commit = on`.execute(tx);
  if ((await lockLane(tx, lane)) === undefined) return 'wait'; // another signer holds the lane
  const admitted = await decideIntent(
    context,
    tx,
    { ...lane, chain: { ...lane.chain, deployment, reader: madeUpReader } },
    intentId,
    {
      owner,
      head: chain.head.height,
      feesPerDay: 1_000_000n,
      async objection(steps) {
        const coins = chain.head.books.coins.get(lane.wallet) ?? 0n;
        const needed = fee * BigInt(steps.length);
        if (coins >= needed) return undefined;
        const message = `The wallet has ${coins} base units of native coin for fees; ${needed} are needed.`;
        return { code: 'INSUFFICIENT_BALANCE', message };
      },
    },
  );
  if (admitted === 'wait') return 'wait';
  if (typeof admitted === 'string' || key === undefined) return 'done';
  const attempts: NewAttempt[] = [];
  for (const { data } of admitted.steps) attempts.push(await signDeeds(tx, chain, lane, key, decode(data).does));
  return (await recordFirst(context, tx, lane, admitted, attempts)) ? 'done' : 'wait';
};
