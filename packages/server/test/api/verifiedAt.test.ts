import { until } from '@mintage/devnet/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEvents } from '../../src/api/events/reader.ts';
import { shownEvents } from '../../src/api/events/shownEvents.ts';
import { makeMonths } from '../../src/db/months.ts';
import { addToken, graduationOf, heldRow, hex, tokenRow, tradeRow, transferRow } from './reads/readsFixture.ts';
import { type Person, startPeople } from './surfaces/people.ts';
import { filled, leavesOf, sampleOf } from './surfaces/samples.ts';
import { surfacesOf } from './surfaces/surfaces.ts';
import { tell } from './webhooks/webhooksFixture.ts';

/** On its curve, and one that graduated. */
const last_trade_at = new Date('2026-01-01T00:00:11Z');
const young = tokenRow('base-sepolia', hex(0xf7), { name: 'Young', symbol: 'YOUNG', last_trade_at });
const grown = tokenRow('base-sepolia', hex(0xf8), {
  name: 'Grown',
  symbol: 'GROWN',
  last_trade_at,
  stage: 'graduated',
  graduated_at: new Date('2026-01-02T00:00:00Z'),
  graduation: graduationOf(20, 0),
  pool_id: hex(0x99, 32),
});
const names = [young, grown].map(({ platform_id: id }) => id);

/** What each deployment tells of the two tokens, in every answer that it gives about them. */
const startDeployment = async (env: Record<string, string>) => {
  const people = await startPeople(1, env);
  const { api, all } = people;
  const { db } = api.context;
  const [owner] = all as [Person];
  await makeMonths(db, [new Date('2026-01-01')]);
  for (const [token, slug] of [
    [young, 'young'],
    [grown, 'grown'],
  ] as const) {
    await addToken(db, token, slug);
    await db
      .insertInto('trade')
      .values(tradeRow(token, 11, 0))
      .execute();
    await db
      .insertInto('transfer')
      .values(transferRow(token, 12, 0))
      .execute();
    await db.insertInto('balance').values(heldRow(token, owner.wallet)).execute();
    const credit = {
      eid: token.eid,
      block_number: 11,
      log_index: Number(token === grown),
      part: 0,
      block_hash: hex(11, 32),
      tx_hash: hex(12, 32),
      time: new Date('2026-01-01'),
      currency: hex(6),
      recipient: owner.wallet,
      amount: 5n,
      distribution_type: 0,
      activity_id: 0,
      token: token.address,
    };
    await db.insertInto('fee_credit').values(credit).execute();
    const of = { platform_id: token.platform_id, token_address: token.address };
    await tell(db, 'tokenActivity', [{ platform_id: token.platform_id, data: of }]);
    const fee = { tracking_id: token.platform_id };
    await tell(db, 'walletFees', [{ platform_id: token.platform_id, wallet: owner.wallet, data: fee }]);
  }
  const sums = { eid: young.eid, recipient: owner.wallet, distribution_type: 0, credits: 2, earned: 10n };
  await db.insertInto('fee_sum').values(sums).execute();

  /** Which of the ids the answers of each surface name, over all bodies that name one of the tokens by its uuid. */
  const told = async (): Promise<Map<string, Set<string>>> => {
    const found = new Map<string, Set<string>>();
    for (const surface of surfacesOf('mintage', 'Testnet').filter(({ lasts }) => !lasts)) {
      const refs = leavesOf(surface.input).filter(({ path }) => /^(token_?id|input|keyword)$/i.test(path.join('.')));
      const sample = { ...(sampleOf(surface.input) as object), simulate: false };
      const bodies = [sample, { ...sample, ...surface.example }].flatMap((base) => [
        base,
        ...refs.flatMap((leaf) => [young, grown].map((token) => filled({ ...leaf, base }, token.token_id))),
      ]);
      for (const body of bodies) {
        const headers = { authorization: `Bearer ${owner.bearer}` };
        const { body: text } = await api.inject({ ...surface.request(body as Record<string, unknown>), headers });
        const seen = found.get(surface.name) ?? new Set();
        for (const id of names) if (text.includes(id)) seen.add(id);
        found.set(surface.name, seen);
      }
    }
    return found;
  };
  return { people, owner, told };
};

describe('VERIFIED_AT', () => {
  let open: Awaited<ReturnType<typeof startDeployment>>;
  let held: Awaited<ReturnType<typeof startDeployment>>;
  beforeAll(async () => {
    open = await startDeployment({});
    held = await startDeployment({ VERIFIED_AT: 'graduation' });
  });
  afterAll(() => Promise.all([open, held].map((one) => one?.people.stop())));

  it('default: every answer that names tokens names them from their creation, or, held back, from graduation', async () => {
    const [fromCreation, fromGraduation] = [await open.told(), await held.told()];
    const showing = [...fromCreation].filter(([, seen]) => seen.has(young.platform_id)).map(([name]) => name);
    expect(showing.length).toBeGreaterThan(20);
    for (const [name, seen] of fromGraduation) {
      expect([name, seen.has(young.platform_id)]).toEqual([name, false]);
      expect([name, seen.has(grown.platform_id)]).toEqual([name, fromCreation.get(name)?.has(grown.platform_id)]);
    }
  });

  it('behavior: the answers say null, under both keys, and a creation is not told its own', async () => {
    const { api, all } = held.people;
    const [{ bearer }] = all as [Person];
    const { body } = await api.call('searchToken', { input: 'young' });
    expect([body.token.platform_id, body.token.mintage_id]).toEqual([null, null]);
    const png =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const creation = { name: 'New', symbol: 'NEW', description: 'New.', image: png, chainSlug: 'base-sepolia' };
    const wallet = held.owner.wallet;
    const input = { ...creation, userAddress: wallet, simulate: false };
    const made = await api.call('createTokenTransaction', input, { bearer });
    expect([made.status, made.body.metadata?.platform_id]).toEqual([200, null]);
  });

  it('behavior: verified_only lists what has an id to show; a token is found by its id all the same', async () => {
    const listed = async ({ people }: typeof open, verified_only: boolean) => {
      const { body } = await people.api.call('getTokensV2', { verified_only });
      const { body: other } = await people.api.call('getTokens', { filter: 'new', verified_only });
      const symbols = body.tokens.map(({ symbol }: { symbol: string }) => symbol).toSorted();
      expect(other.tokens.map(({ symbol }: { symbol: string }) => symbol).toSorted()).toEqual(symbols);
      expect(other.pagination.total).toBe(symbols.length);
      return symbols;
    };
    expect(await listed(open, true)).toEqual(await listed(open, false));
    expect(await listed(held, false)).toEqual(await listed(open, false));
    expect(await listed(held, true)).toEqual(['GROWN']);
    const { body } = await held.people.api.call('searchToken', { input: young.platform_id });
    expect(body.token.id).toBe(young.token_id);
  });

  it('behavior: streams and webhooks hold it back too, and still filter by it', async () => {
    for (const [{ people, owner }, shown] of [
      [open, [young.platform_id, grown.platform_id]],
      [held, [null, grown.platform_id]],
    ] as const) {
      const { context } = people.api;
      const filter = { topic: 'tokenActivity' as const, tokenIds: names };
      const events = await shownEvents(
        context,
        await readEvents(context.db, 'tokenActivity', { after: 0, limit: 10, filter }),
      );
      expect(events.map(({ data }) => data.platform_id)).toEqual(shown);
      const fees = await shownEvents(
        context,
        await readEvents(context.db, 'walletFees', { after: 0, limit: 10, filter: { ...filter, topic: 'walletFees' } }),
      );
      expect(fees.map(({ data }) => data.tracking_id)).toEqual(shown);
      const bearer = owner.bearer;
      for (const { seq } of fees) {
        const before = people.delivered().length;
        await people.api.call('redeliverWebhook', { id: owner.webhookId, seq }, { bearer });
        await until(() => people.delivered().length > before);
      }
      const sent = people.delivered().slice(-2);
      expect(sent.map((text) => JSON.parse(text).data.tracking_id)).toEqual(shown);
    }
  });
});
