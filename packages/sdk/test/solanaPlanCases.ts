import type { System } from '@mintage/devnet';
import { until } from '@mintage/devnet/until';
import { toBase58 } from '@mintage/protocol';
import { expect, it } from 'vitest';
import {
  type Client,
  execute,
  MintageError,
  type NewStep,
  newPlan,
  type Plan,
  prepare,
  type RunOptions,
  runPlan,
  type SolanaWallet,
  type Trusted,
} from '../src/sdk.ts';
import { errorOf } from './errorOf.ts';
import { askNode, type OwnWallet } from './solanaWallet.ts';

/** What plans run in. */
export interface SolanaPlanWorld {
  system: System;
  client: Client;
  trusted: Trusted;
  /** Signed in, with coins, dollars and tokens. */
  wallet: OwnWallet;
  friend: OwnWallet;
  rpcUrl: string;
  /** One that the wallet holds. */
  token: string;
}

const chainSlug = 'solana-devnet';
const picture = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')}`;

/** The process ends at this point. */
class Crash extends Error {}

const statuses = (plan: Plan) => plan.steps.map(({ name, status, error }) => [name, error?.code ?? status].join(' '));

/** As if the transaction had been prepared long ago: its end by the clock is over. */
const longAfter = (plan: Plan): Plan =>
  JSON.parse(
    JSON.stringify(plan)
      .replaceAll(/"expiresAt":"20[^"]*"/g, '"expiresAt":"2020-01-01T00:00:00.000Z"')
      .replaceAll(/"at":\d+/g, '"at":0'),
  ) as Plan;

export const solanaPlanCases = (world: () => SolanaPlanWorld): void => {
  const buy = (dollars: number): NewStep => ({
    name: 'buy',
    operation: 'tradeToken',
    asked: {
      chainSlug,
      tokenId: world().token,
      direction: 'buy',
      buyAmountUSD: dollars,
      userAddress: world().wallet.address,
    },
  });
  const steps: Record<string, () => NewStep> = {
    'a trade': () => buy(3),
    'a creation': () => ({
      name: 'create',
      operation: 'createTokenTransaction',
      asked: {
        chainSlug,
        name: 'Kite',
        symbol: 'KITE',
        description: 'It flies.',
        image: picture,
        userAddress: world().wallet.address,
      },
    }),
    'a transfer': () => ({
      name: 'send',
      operation: 'transferToken',
      asked: {
        token_id: world().token,
        recipient_address: world().friend.address,
        amount: '1.25',
        from_chain_slug: chainSlug,
        to_chain_slug: chainSlug,
        wallet_address: world().wallet.address,
      },
    }),
  };
  /** Runs a plan as it was kept, and returns what this run kept of it. */
  const run = async (plan: Plan, wallet: SolanaWallet = world().wallet, more: Partial<RunOptions> = {}) => {
    let kept = JSON.stringify(plan);
    const save = (changed: Plan): void => {
      kept = JSON.stringify(changed);
    };
    const { client, trusted } = world();
    await runPlan(client, JSON.parse(kept) as Plan, { wallet, trusted, save, ...more }).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    });
    await world().system.caughtUp();
    return JSON.parse(kept) as Plan;
  };
  /** A wallet that does something in the place of an answer. */
  const answering = (answer: SolanaWallet['signAndSend']): SolanaWallet => ({
    address: world().wallet.address,
    signAndSend: answer,
  });
  const asked = () => world().wallet.asked.length;
  /** So many blocks that nothing prepared before is good any more. */
  const outlive = () => askNode(world().rpcUrl, 'mine', 320);
  const lands = (signature: string) =>
    until(async () => {
      const { value } = (await askNode(world().rpcUrl, 'getSignatureStatuses', [signature])) as {
        value: ({ confirmationStatus: string } | null)[];
      };
      return value[0]?.confirmationStatus === 'confirmed' || value[0]?.confirmationStatus === 'finalized';
    });
  /** The process ends after the wallet has sent and before it says so. */
  const cutOff = (isSent: boolean): { wallet: SolanaWallet; sent: Promise<void> } => {
    const { promise: sent, resolve } = Promise.withResolvers<void>();
    const wallet = answering(async (...given) => {
      if (isSent) await lands(await world().wallet.signAndSend(...given));
      resolve();
      return new Promise<string>(() => {});
    });
    return { wallet, sent };
  };
  /** What such a process leaves behind. */
  const leftBy = async (step: NewStep, isSent: boolean): Promise<Plan> => {
    const { wallet, sent } = cutOff(isSent);
    const { client, trusted } = world();
    let kept = '';
    const save = (plan: Plan): void => {
      kept = JSON.stringify(plan);
    };
    void runPlan(client, newPlan([step]), { wallet, trusted, save }); // it never ends
    await sent;
    await world().system.caughtUp();
    return JSON.parse(kept) as Plan;
  };

  it.each(Object.keys(steps))(
    'behavior: %s that was sent while the process ended is waited for, found once it can land no more, and not sent again',
    async (kind) => {
      const step = (steps[kind] as () => NewStep)();
      const before = asked();
      const left = await leftBy(step, true);
      expect(left.steps[0]).toMatchObject({ status: 'sent', sent: [{ hash: null }] });
      const early = await run(left);
      expect(statuses(early)).toEqual([`${step.name} SENT_UNCONFIRMED`]);
      const done = await run(longAfter(early));
      expect(statuses(done)).toEqual([`${step.name} done`]);
      expect(done.steps[0]?.sent[0]?.hash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
      expect(statuses(await run(done))).toEqual(statuses(done));
      expect(asked() - before).toBe(1);
    },
  );

  it('behavior: what was never sent begins anew when the chain’s own height says that it can land no more', async () => {
    const before = asked();
    const left = await leftBy(buy(4), false);
    const late = longAfter(left);
    const still = await run(late);
    expect(statuses(still)).toEqual(['buy SENT_UNCONFIRMED']);
    expect(still.steps[0]?.status).toBe('sent');
    expect(asked()).toBe(before);
    await outlive();
    const done = await run(longAfter(still));
    expect(statuses(done)).toEqual(['buy done']);
    expect(asked() - before).toBe(1);
  });

  it('behavior: a run that nobody asked for leaves what can land no more, until somebody does', async () => {
    const before = asked();
    const late = longAfter(await leftBy(buy(4), false));
    await outlive();
    const looked = await run(late, undefined, { again: false });
    expect(looked.steps[0]).toMatchObject({ status: 'sent', error: { code: 'TRANSACTION_EXPIRED' } });
    expect(asked()).toBe(before);
    expect(statuses(await run(longAfter(looked)))).toEqual(['buy done']);
  });

  it('behavior: whatever the service says of its end, a transaction is not over before two minutes of this clock', async () => {
    const before = asked();
    const left = await leftBy(buy(4), false);
    const lying = JSON.parse(
      JSON.stringify(left).replaceAll(/"expiresAt":"20[^"]*"/g, '"expiresAt":"2020-01-01T00:00:00.000Z"'),
    );
    await outlive();
    expect(statuses(await run(lying as Plan))).toEqual(['buy SENT_UNCONFIRMED']);
    expect(asked()).toBe(before);
  });

  it('behavior: no other step’s transaction is taken for one that was never sent', async () => {
    const left = await leftBy(buy(6), false);
    const other = await run(newPlan([buy(6)]));
    const both = { steps: [...longAfter(left).steps, ...other.steps.map((step) => ({ ...step, name: 'other' }))] };
    expect(statuses(await run(both))).toEqual(['buy SENT_UNCONFIRMED', 'other done']);
  });

  it('behavior: a signature that nobody knows is no proof that nothing was sent: the index is asked as well', async () => {
    const before = asked();
    const another = toBase58(new Uint8Array(64).fill(7));
    const mistaken = answering(async (...given) => {
      await lands(await world().wallet.signAndSend(...given));
      return another;
    });
    const first = await run(newPlan([buy(5)]), mistaken, { timeoutMs: 1_000 });
    expect(first.steps[0]).toMatchObject({ status: 'sent', sent: [{ hash: another }] });
    await outlive();
    expect(statuses(await run(longAfter(first), undefined, { timeoutMs: 1_000 }))).toEqual(['buy SENT_UNCONFIRMED']);
    expect(asked() - before).toBe(1);
  });

  it('behavior: a signature that was told is looked up, and not sent again', async () => {
    const before = asked();
    let kept: Plan | null = null;
    const { client, trusted, wallet } = world();
    await runPlan(client, newPlan([buy(2)]), {
      wallet,
      trusted,
      save(plan) {
        kept = structuredClone(plan);
        if (plan.steps[0]?.sent.some(({ hash }) => hash !== null)) throw new Crash();
      },
    }).catch((error: unknown) => expect(error).toBeInstanceOf(Crash));
    const done = await run(kept ?? expect.fail('nothing kept'));
    expect(statuses(done)).toEqual(['buy done']);
    expect(asked() - before).toBe(1);
  });

  it('error: what the person refuses was not sent, and begins anew', async () => {
    const refusals = [
      Object.assign(new Error('User rejected the request.'), { code: 4001 }),
      new MintageError('WALLET_REFUSED', 'The person does not want it.'),
    ];
    for (const refusal of refusals) {
      const refused = await run(
        newPlan([buy(2)]),
        answering(() => Promise.reject(refusal)),
      );
      expect(statuses(refused)).toEqual(['buy WALLET_REFUSED']);
      expect(refused.steps[0]).toMatchObject({ status: 'failed', sent: [] });
      expect(statuses(await run(refused))).toEqual(['buy done']);
    }
    const vague = await run(
      newPlan([buy(2)]),
      answering(() => Promise.reject(new Error('The window was closed.'))),
    );
    expect(vague.steps[0]).toMatchObject({
      status: 'sent',
      sent: [{ hash: null }],
      error: { code: 'SENT_UNCONFIRMED' },
    });
  });

  it('error: another account, an answer that is no signature, no client to ask, and what has expired', async () => {
    const { client, trusted, wallet, friend } = world();
    const prepared = await prepare(client, 'tradeToken', buy(2).asked as never);
    const by = (one: SolanaWallet, more: object = {}) =>
      errorOf(execute(prepared, { wallet: one, trusted, calls: client, ...more }));
    const before = [asked(), friend.asked.length];
    expect((await by(friend)).code).toBe('WALLET_ELSEWHERE');
    expect((await by(wallet, { calls: undefined })).code).toBe('INVALID_PARAMETERS');
    expect((await by(answering(async () => 'sent'))).code).toBe('SENT_UNCONFIRMED');
    const late = longAfter({ steps: [{ prepared }] } as unknown as Plan).steps[0]?.prepared ?? expect.fail();
    expect(await errorOf(execute(late, { wallet, trusted, calls: client }))).toMatchObject({
      code: 'TRANSACTION_EXPIRED',
    });
    expect([asked(), friend.asked.length]).toEqual(before);
  });

  it('error: what fails on the chain says why, and is not sent again', async () => {
    const { wallet } = world();
    // More than it has: a node that tries it first would refuse it.
    const step = { ...(steps['a transfer'] as () => NewStep)() };
    step.asked = { ...step.asked, amount: '900000000' };
    const careless = answering((transaction) => wallet.sendUntried(transaction));
    const failed = await run(newPlan([step]), careless);
    expect(failed.steps[0]).toMatchObject({ status: 'failed', error: { code: 'TRANSACTION_FAILED' } });
    expect(failed.steps[0]?.error?.message).toMatch(/^[A-Z].*\.$/);
    const before = asked();
    expect(statuses(await run(failed))).toEqual(statuses(failed));
    expect(asked()).toBe(before);
  });
};
