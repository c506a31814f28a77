import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heldRow } from '../../../test/api/reads/readsFixture.ts';
import { type HubOf, type HubWorld, startHubs } from '../../../test/api/testing/hubWorld.ts';
import type { SignedIn } from '../../../test/api/testing/testApi.ts';
import { eids } from '../../../test/eids.ts';

describe('getHubMembers', () => {
  let world: HubWorld;
  let owner: SignedIn;
  let users: SignedIn[];
  let hub: HubOf;
  beforeAll(async () => {
    world = await startHubs();
    [owner, ...users] = (await world.people(12)) as [SignedIn, ...SignedIn[]];
    hub = await world.newHub(owner);
    for (const [at, { accessToken: bearer }] of users.slice(0, 8).entries()) {
      // Some at the same time.
      if (at % 3 === 0) world.api.clock.ms += 1_000;
      await world.api.call('joinHub', { token_id: hub.id }, { bearer });
    }
  });
  afterAll(() => world?.stop());

  const page = async (input: object) => {
    const { status, body } = await world.api.call('getHubMembers', { token_id: hub.id, ...input });
    expect(status).toBe(200);
    const ids = body.members.map(({ user }: { user: { id: string } }) => user.id) as string[];
    return { ids, members: body.members, pagination: body.pagination };
  };
  const all = async (input: object) => {
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { ids, pagination } = await page({ ...input, cursor });
      found.push(...ids);
      cursor = pagination.next_cursor;
    }
    return found;
  };

  it('default: the owner, then the newest first', async () => {
    const { members, pagination } = await page({});
    expect(members[0]).toMatchObject({ user: { id: owner.userId }, role: 'owner', order_no: 0, holding: null });
    expect(members[0].joined_at).toBe('2026-01-01T00:00:01.000Z');
    const times = members.slice(1).map(({ joined_at }: { joined_at: string }) => joined_at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(pagination).toEqual({ limit: 20, total_returned: 9, has_more: false, next_cursor: null });
  });

  it.each([1, 2, 3, 8, 9, 10])('behavior: in pages of %i each is there once', async (limit) => {
    const whole = await all({ limit: 100 });
    expect(whole).toHaveLength(9);
    expect(await all({ limit })).toEqual(whole);
  });

  it('behavior: nobody is shown twice or left out when others come and go meanwhile', async () => {
    const before = await all({ limit: 100 });
    const { ids, pagination } = await page({ limit: 4 });
    world.api.clock.ms += 1_000;
    const [late, later] = users.slice(8) as [SignedIn, SignedIn];
    for (const { accessToken: bearer } of [late, later])
      await world.api.call('joinHub', { token_id: hub.id }, { bearer });
    const first = users.find(({ userId }) => userId === ids[3]) as SignedIn;
    await world.api.call('leaveHub', { token_id: hub.id }, { bearer: first.accessToken });
    const rest = (await page({ cursor: pagination.next_cursor, limit: 100 })).ids;
    expect([...ids, ...rest]).toEqual(before);
  });

  it('default: by role', async () => {
    const [user] = users as [SignedIn];
    const role = { token_id: hub.id, user_id: user.userId, role: 'moderator' };
    await world.api.call('setHubRole', role, { bearer: owner.accessToken });
    expect((await page({ role: 'owner' })).ids).toEqual([owner.userId]);
    expect((await page({ role: 'moderator' })).ids).toEqual([user.userId]);
    const members = (await page({ role: 'member' })).ids;
    expect(members).not.toContain(owner.userId);
    expect(members).not.toContain(user.userId);
  });

  it('behavior: what somebody holds is shown only where they show it, and the wallet too', async () => {
    const { db } = world.api.context;
    const holder = users[9] as SignedIn;
    await world.api.call('joinHub', { token_id: hub.id }, { bearer: holder.accessToken });
    const place = { eid: eids.baseSepolia, address: hub.address };
    const held = heldRow(place, holder.address, { amount: 25n * 10n ** 17n });
    await db.insertInto('balance').values(held).execute();
    const shown = async () =>
      (await page({ limit: 100 })).members.find(({ user }: { user: { id: string } }) => user.id === holder.userId)
        .holding;
    const set = (settings: object) => world.api.call('updateUser', { settings }, { bearer: holder.accessToken });
    expect(await shown()).toBeNull();
    await set({ show_holdings: true });
    expect(await shown()).toBe('2.5');
    await set({ show_wallet: false });
    expect(await shown()).toBeNull();
  });

  it('behavior: an owner who hides the wallet is not among them; one who joined before is there once', async () => {
    const creator = await world.api.signIn();
    const { id: token_id } = await world.newHub(creator);
    await world.api.context.db
      .insertInto('hub_member')
      .values({ token_id, user_id: creator.userId, role: 'member', joined_at: new Date() })
      .execute();
    const roles = async () => (await page({ token_id })).members.map(({ role }: { role: string }) => role) as string[];
    expect(await roles()).toEqual(['owner']);
    await world.api.call('updateUser', { settings: { show_wallet: false } }, { bearer: creator.accessToken });
    expect(await roles()).toEqual(['member']);
    expect((await page({ token_id, role: 'owner' })).ids).toEqual([]);
  });

  it('error: a cursor of nothing', async () => {
    const of = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const cursor of ['x', of([1, 'a']), of([1, '\u0000']), of([-1, owner.userId]), of([8.65e15, owner.userId])]) {
      const { status, body } = await world.api.call('getHubMembers', { token_id: hub.id, cursor });
      expect([status, body.code]).toEqual([400, 'INVALID_PARAMETERS']);
    }
    expect((await page({ cursor: of([8.64e15, owner.userId]) })).ids.length).toBeGreaterThan(0);
    expect((await page({ cursor: of([0, owner.userId]) })).ids).toEqual([]);
  });
});
