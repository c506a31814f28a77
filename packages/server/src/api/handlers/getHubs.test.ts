import { chainBySlug } from '@mintage/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, hex, tokenRow } from '../../../test/api/reads/readsFixture.ts';
import { type HubOf, type HubWorld, startHubs } from '../../../test/api/testing/hubWorld.ts';
import type { SignedIn } from '../../../test/api/testing/testApi.ts';
import { hubsQuery } from '../people/listHubs.ts';

describe('getHubs', () => {
  let world: HubWorld;
  let owner: SignedIn;
  let user: SignedIn;
  /** The last has no row. */
  let hubs: HubOf[];
  beforeAll(async () => {
    world = await startHubs();
    [owner, user] = (await world.people(2)) as [SignedIn, SignedIn];
    const { db } = world.api.context;
    hubs = [];
    for (let at = 0; at < 5; at += 1) hubs.push(await world.newHub(at > 2 ? owner : undefined));
    const figures = [
      { members_count: 1, posts_count: 30, last_post_at: new Date('2029-01-03') },
      { members_count: 3, posts_count: 10, last_post_at: null },
      { members_count: 2, posts_count: 20, last_post_at: new Date('2029-01-01') },
      { members_count: 0, posts_count: 0, last_post_at: new Date('2029-01-02') },
    ];
    for (const [at, figure] of figures.entries())
      await db
        .insertInto('hub')
        .values({ token_id: (hubs[at] as HubOf).id, created_at: new Date('2029-01-01'), ...figure })
        .execute();
  });
  afterAll(() => world?.stop());

  /** The places of the hubs in the list. */
  const list = async (input: object, bearer?: string) => {
    const { status, body } = await world.api.call('getHubs', input, bearer === undefined ? {} : { bearer });
    expect(status).toBe(200);
    return body.hubs.map(({ id }: HubOf) => hubs.findIndex((hub) => hub.id === id)) as number[];
  };

  it.each([
    ['members', [1, 2, 0, 3]],
    ['posts', [0, 2, 1, 3]],
    ['activity', [0, 3, 2, 1]],
    ['created_at', [4, 3, 2, 1, 0]],
  ])('default: by %s, highest or newest first', async (order_by, places) => {
    expect(await list({ order_by })).toEqual(places);
    expect(await list({ order_by, limit: 2, offset: 1 })).toEqual(places.slice(1, 3));
    if (order_by === 'activity') expect(await list({})).toEqual(places);
  });

  it('default: pages say whether more follow', async () => {
    const page = async (offset: number) =>
      (await world.api.call('getHubs', { order_by: 'posts', limit: 3, offset })).body.pagination;
    expect(await page(0)).toEqual({ limit: 3, offset: 0, total_returned: 3, has_more: true });
    expect(await page(3)).toEqual({ limit: 3, offset: 3, total_returned: 1, has_more: false });
    expect((await world.api.call('getHubs', { offset: 10_001 })).status).toBe(400);
  });

  it('default: by a keyword, as tokens are found', async () => {
    expect(await list({ keyword: 'FOX 3' })).toEqual([2]);
    expect(await list({ keyword: (hubs[1] as HubOf).address, order_by: 'members' })).toEqual([1]);
    expect(await list({ keyword: 'fox 5' })).toEqual([]);
    expect(await list({ keyword: 'fox 5', order_by: 'created_at' })).toEqual([4]);
    expect(await list({ keyword: '100%' })).toEqual([]);
  });

  it('default: mine are those that the caller owns or joined, those where nothing was done too', async () => {
    expect(await list({ mine: true }, owner.accessToken)).toEqual([3, 4]);
    expect(await list({ mine: true, order_by: 'members' }, owner.accessToken)).toEqual([3, 4]);
    expect(await list({ mine: true, order_by: 'created_at' }, owner.accessToken)).toEqual([4, 3]);
    expect(await list({ mine: true }, user.accessToken)).toEqual([]);
    await world.api.call('joinHub', { token_id: hubs[2]?.id }, { bearer: user.accessToken });
    expect(await list({ mine: true }, user.accessToken)).toEqual([2]);
    await world.api.call('leaveHub', { token_id: hubs[2]?.id }, { bearer: user.accessToken });
    expect((await world.api.call('getHubs', { mine: true })).body.code).toBe('AUTHENTICATION_FAILED');
  });

  it('behavior: a token of a chain that is not served has no hub in lists', async () => {
    const { db } = world.api.context;
    const row = tokenRow('bnb', hex(0xb0), { creator: owner.address });
    await addToken(db, row, 'bnb-fox');
    await db.insertInto('hub').values({ token_id: row.token_id, created_at: new Date() }).execute();
    for (const order_by of ['members', 'created_at']) {
      const { body } = await world.api.call('getHubs', { order_by, limit: 100 });
      expect(body.hubs.map(({ id }: HubOf) => id)).not.toContain(row.token_id);
    }
  });

  it.each(['members', 'posts', 'activity'] as const)('behavior: by %s, found along its index', async (order) => {
    const { context } = world.api;
    const { eid } = chainBySlug('base-sepolia');
    await sql`
      insert into token (eid, address, token_id, platform_id, creator, pool_type, name, symbol, uri, salt, created_at,
        block_number, log_index, tx_hash, virtual_tokens, virtual_usd, start_price_usd18, price_usd18)
      select ${eid}, '0x' || lpad(to_hex(n), 40, 'd'), md5(n::text)::uuid, '0x' || md5(n::text) || md5(n::text), '0x', 7,
        'Many', 'MANY', '', '0x', now(), 1, 0, '0x', 1, 1, 1, 1
      from generate_series(1, 5000) n on conflict do nothing`.execute(context.db);
    await sql`
      insert into hub (token_id, created_at, members_count, posts_count, last_post_at)
      select md5(n::text)::uuid, now(), n % 100, n % 70, now() - n * interval '1 minute' from generate_series(1, 5000) n
      on conflict do nothing`.execute(context.db);
    await sql`analyze hub, token`.execute(context.db);
    const query = hubsQuery(context, { order, of: null }, { limit: 20, offset: 0 });
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${query}`.execute(context.db);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain(`hub_by_${order}`);
    expect(plan).not.toContain('Sort');
  });
});
