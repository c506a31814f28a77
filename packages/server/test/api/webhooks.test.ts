import { until } from '@mintage/devnet/until';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTradeWorld, type TradeWorld } from './trade/tradeWorld.ts';
import { type Delivery, type Receiver, startReceiver } from './webhooks/webhooksFixture.ts';

/** What remains of deliveries when those that were taken back are left out. */
const standing = (deliveries: readonly Delivery[]) => {
  const held = new Map<number, Delivery['body']>();
  for (const { body } of deliveries) {
    if (body.type === 'retract') expect(held.delete(body.retracts), 'taken back once, after it was told').toBe(true);
    else held.set(body.seq, body);
  }
  return [...held.values()].map(({ data }) => data);
};

describe('webhooks over the whole system', () => {
  let world: TradeWorld;
  let receivers: Receiver[] = [];
  beforeAll(async () => {
    world = await startTradeWorld();
    for (const who of ['alice', 'bob', 'carol', 'dave'] as const) await world.fund('base-sepolia', who, 1_000_000n);
    await world.indexed();
  });
  afterAll(async () => {
    await Promise.all(receivers.map((one) => one.stop()));
    await world?.stop();
  });

  it('S4 through trades, a reorg and a dead consumer, what was delivered equals the tables', async () => {
    const { db } = world.api.context;
    const { rpc } = world.chain('base-sepolia');
    const { bearer } = world;
    receivers = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
    const [activity, balances, fees] = receivers as [Receiver, Receiver, Receiver];
    const make = async (url: string, topic: string) => {
      const { body } = await world.call('createWebhook', { url, subscription: { topic } }, { bearer });
      return { id: body.webhook.id as string, verifier: new Verifier(body.secret) };
    };
    const hooks = [
      await make(activity.url, 'tokenActivity'),
      await make(balances.url, 'walletBalances'),
      await make(fees.url, 'walletFees'),
    ];
    const buy = async (who: 'bob' | 'carol' | 'dave', dollars: number) => {
      const answer = await world.trade('base-sepolia', who, { tokenId, direction: 'buy', buyAmountUSD: dollars });
      await world.send('base-sepolia', who, answer);
    };
    const { tokenId } = await world.create('base-sepolia', 'alice', { amountIn: 10 });
    await world.indexed();
    await buy('bob', 20);
    await buy('carol', 30);
    await world.indexed();
    await until(() => balances.got.length >= 3);

    await balances.stop();
    await buy('bob', 40);
    await buy('carol', 50);
    await world.indexed();
    await rpc('anvil_reorg', [2, []]);
    await rpc('evm_mine');
    await world.indexed();
    await buy('dave', 60); // who had no transaction in the lost blocks
    await world.indexed();
    const back = await startReceiver(Number(new URL(balances.url).port));
    receivers.push(back);
    await world.call('redeliverWebhook', { id: hooks[1]?.id ?? '' }, { bearer });

    const listed = async () => (await world.call('listWebhooks', {}, { bearer })).body.webhooks;
    // `cursor` is the last delivered event; what comes after it on the topic is not for the webhook.
    const newest = (topic: string, ofWallet?: string) =>
      db
        .selectFrom('stream_event')
        .select((query) => query.fn.max('seq').as('seq'))
        .where('topic', '=', topic as 'walletFees')
        .$if(ofWallet !== undefined, (query) => query.where('wallet', '=', ofWallet as `0x${string}`))
        .executeTakeFirstOrThrow();
    const alice = world.signedIn.toLowerCase();
    const ends = [await newest('tokenActivity'), await newest('walletBalances'), await newest('walletFees', alice)];
    await until(async () => {
      const rows: { id: string; cursor: number }[] = await listed();
      return hooks.every(({ id }, at) => (rows.find((row) => row.id === id)?.cursor ?? 0) >= (ends[at]?.seq ?? 0));
    });

    const came = [activity.got, [...balances.got, ...back.got], fees.got];
    for (const [at, { verifier }] of hooks.entries()) {
      const seqs = (came[at] as Delivery[]).map(({ body }) => body.seq);
      expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
      for (const { text, headers } of came[at] as Delivery[]) verifier.verify(text, headers as Record<string, string>);
    }
    expect(activity.got.some(({ body }) => body.type === 'retract')).toBe(true);

    const trades = await db.selectFrom('trade').select(['tx_hash', 'log_index']).orderBy('log_index').execute();
    expect(
      standing(activity.got)
        .filter((data) => data.activity_type === 'trade')
        .map((data) => `${data.tx_hash} ${data.evt_index}`)
        .toSorted(),
    ).toEqual(trades.map((row) => `${row.tx_hash} ${row.log_index}`).toSorted());

    const held = await db.selectFrom('balance').select(['wallet', 'amount']).where('amount', '>', 0n).execute();
    const replica = new Map<string, string>();
    for (const { body } of came[1] as Delivery[])
      if (body.type === 'event') replica.set(body.data.wallet, body.data.balance_raw);
    expect([...replica].filter(([, amount]) => amount !== '0').toSorted()).toEqual(
      held.map((row) => [row.wallet, row.amount.toString()]).toSorted(),
    );

    const credits = await db
      .selectFrom('fee_credit')
      .selectAll()
      .where('recipient', '=', alice as `0x${string}`)
      .execute();
    expect(credits.length).toBeGreaterThan(0);
    expect(
      standing(fees.got)
        .map((data) => `${data.tx_hash} ${data.evt_index} ${data.amount_raw}`)
        .toSorted(),
    ).toEqual(credits.map((row) => `${row.tx_hash} ${row.log_index} ${row.amount}`).toSorted());
  });
});
