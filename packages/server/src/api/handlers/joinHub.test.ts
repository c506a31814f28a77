import { campaign } from '@mintage/devnet/random';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HubWorld, startHubs } from '../../../test/api/testing/hubWorld.ts';
import type { SignedIn } from '../../../test/api/testing/testApi.ts';

/** `CASES=1000` for a release. */
const { random, cases: count } = campaign('members of a hub', 50);
const minuteMs = 60_000;

describe('joinHub, leaveHub, createHubInvite', () => {
  let world: HubWorld;
  beforeAll(async () => {
    world = await startHubs();
  });
  afterAll(() => world?.stop());

  type Name = 'joinHub' | 'leaveHub' | 'createHubInvite' | 'updateHub' | 'banFromHub' | 'unbanFromHub' | 'setHubRole';
  const ask = (name: Name, { accessToken: bearer }: Pick<SignedIn, 'accessToken'>, body: object) =>
    world.api.call(name, body, { bearer });
  const refused = (of: Awaited<ReturnType<typeof ask>>) => [of.status, of.body.code];
  const stored = async (id: string) => {
    const { db } = world.api.context;
    const { members_count } = await db
      .selectFrom('hub')
      .select('members_count')
      .where('token_id', '=', id)
      .executeTakeFirstOrThrow();
    const rows = await db.selectFrom('hub_member').select('user_id').where('token_id', '=', id).execute();
    return [members_count, rows.length];
  };
  const inviteOnly = async () => {
    const owner = await world.api.signIn();
    const { id, slug } = await world.newHub(owner);
    await ask('updateHub', owner, { token_id: id, invite_only: true });
    const invite = async (terms: object = {}, by = owner) =>
      (await ask('createHubInvite', by, { token_id: id, ...terms })).body.invite as string;
    return { owner, id, slug, invite };
  };

  it('default: who joins is a member once, and who leaves is none', async () => {
    const user = await world.api.signIn();
    const { id: token_id } = await world.newHub();
    for (let time = 0; time < 2; time += 1) {
      const { body } = await ask('joinHub', user, { token_id });
      expect(body).toMatchObject({ hub: { members_count: 1, my: { is_member: true, role: 'member' } } });
    }
    for (let time = 0; time < 2; time += 1) {
      const { body } = await ask('leaveHub', user, { token_id });
      expect(body).toMatchObject({ hub: { members_count: 0, my: { is_member: false, role: null } } });
    }
    expect(await stored(token_id)).toEqual([0, 0]);
  });

  it('behavior: the owner is there without joining, and cannot leave', async () => {
    const owner = await world.api.signIn();
    const { id: token_id } = await world.newHub(owner);
    expect((await ask('joinHub', owner, { token_id })).body.hub).toMatchObject({
      members_count: 0,
      my: { is_member: true, role: 'owner' },
    });
    expect(refused(await ask('leaveHub', owner, { token_id }))).toEqual([400, 'INVALID_PARAMETERS']);
  });

  it('default: where invites are needed one lets in whoever has it, as often as it says', async () => {
    const { owner, id: token_id, slug, invite } = await inviteOnly();
    const [one, two, three] = (await world.people(3)) as [SignedIn, SignedIn, SignedIn];
    const { body } = await ask('createHubInvite', owner, { token_id: slug, uses: 2 });
    expect(body).toEqual({
      success: true,
      invite: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      url: `http://localhost:8080/token/${slug}?invite=${body.invite}`,
    });
    for (const wrong of [undefined, '', 'x', `${body.invite}0`])
      expect(refused(await ask('joinHub', one, { token_id, invite: wrong }))).toEqual([403, 'HUB_INVITE_ONLY']);
    for (const who of [one, one, two])
      expect((await ask('joinHub', who, { token_id, invite: body.invite })).status).toBe(200);
    expect(refused(await ask('joinHub', three, { token_id, invite: body.invite }))).toEqual([403, 'HUB_INVITE_ONLY']);
    const other = await inviteOnly();
    const elsewhere = { token_id, invite: await other.invite() };
    expect(refused(await ask('joinHub', three, elsewhere))).toEqual([403, 'HUB_INVITE_ONLY']);
    expect((await ask('joinHub', three, { token_id, invite: await invite() })).body.hub.members_count).toBe(3);
    const rows = await world.api.context.db.selectFrom('hub_invite').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(body.invite);
  });

  it('behavior: an invite is over when its time is, and with the role of who made it', async () => {
    const { owner, id: token_id, invite } = await inviteOnly();
    const [moderator, user] = (await world.people(2)) as [SignedIn, SignedIn];
    const expires_at = new Date(world.api.clock.ms + minuteMs).toISOString();
    const late = await invite({ expires_at });
    await ask('joinHub', moderator, { token_id, invite: await invite() });
    const role = { token_id, user_id: moderator.userId };
    for (const end of [
      () => ask('setHubRole', owner, { ...role, role: 'member' }),
      () => ask('banFromHub', owner, role),
    ]) {
      await ask('setHubRole', owner, { ...role, role: 'moderator' });
      const made = await invite({}, moderator);
      expect((await end()).status).toBe(200);
      expect(refused(await ask('joinHub', user, { token_id, invite: made }))).toEqual([403, 'HUB_INVITE_ONLY']);
    }
    world.api.clock.ms += minuteMs;
    expect(refused(await ask('joinHub', user, { token_id, invite: late }))).toEqual([403, 'HUB_INVITE_ONLY']);
    for (const wrong of ['2031-13-99T00:00:00Z', '2000-01-01T00:00:00Z', new Date(world.api.clock.ms).toISOString()])
      expect(refused(await ask('createHubInvite', owner, { token_id, expires_at: wrong }))).toEqual([
        400,
        'INVALID_PARAMETERS',
      ]);
  });

  it('error: a hub has at most 100 invites that can still be used', async () => {
    const { owner, id: token_id, invite } = await inviteOnly();
    const first = await invite();
    for (let made = 1; made < 100; made += 1) await invite();
    expect(refused(await ask('createHubInvite', owner, { token_id }))).toEqual([400, 'INVALID_PARAMETERS']);
    await ask('joinHub', await world.api.signIn(), { token_id, invite: first });
    expect((await ask('createHubInvite', owner, { token_id })).status).toBe(200);
  });

  it('behavior: of 50 who join at once by an invite of three uses, three are in', async () => {
    const { id: token_id, invite } = await inviteOnly();
    const body = { token_id, invite: await invite({ uses: 3 }) };
    const answers = await Promise.all((await world.people(50)).map((user) => ask('joinHub', user, body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await stored(token_id)).toEqual([3, 3]);
  });

  it('behavior: who joins many times at once is one member, and uses one', async () => {
    const { id: token_id, invite } = await inviteOnly();
    const user = await world.api.signIn();
    const body = { token_id, invite: await invite({ uses: 2 }) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('joinHub', user, body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await stored(token_id)).toEqual([1, 1]);
    expect((await ask('joinHub', await world.api.signIn(), body)).status).toBe(200);
  });

  it('behavior: who is banned cannot join until the ban is over', async () => {
    const owner = await world.api.signIn();
    const user = await world.api.signIn();
    const { id: token_id } = await world.newHub(owner);
    const until = new Date(world.api.clock.ms + minuteMs).toISOString();
    await ask('banFromHub', owner, { token_id, user_id: user.userId, until });
    const { status, body } = await ask('joinHub', user, { token_id });
    expect([status, body.code, body.details]).toEqual([403, 'HUB_BANNED', { until }]);
    world.api.clock.ms += minuteMs;
    expect((await ask('joinHub', user, { token_id })).body.hub.my).toMatchObject({
      is_member: true,
      banned_until: null,
    });
    await ask('banFromHub', owner, { token_id, user_id: user.userId.toUpperCase() });
    expect((await ask('joinHub', user, { token_id })).body.details).toEqual({ until: null });
    await ask('unbanFromHub', owner, { token_id, user_id: user.userId });
    expect((await ask('joinHub', user, { token_id })).status).toBe(200);
  });

  it(`behavior: after ${count} joins, leaves, bans, unbans and changes of role at once, the members are counted right`, async () => {
    const owner = await world.api.signIn();
    const users = await world.people(12);
    const { id: token_id } = await world.newHub(owner);
    const some = (): Promise<{ status: number }> => {
      const on = { token_id, user_id: random.pick(users).userId };
      switch (random.int(8)) {
        case 0:
        case 1:
        case 2:
          return ask('joinHub', random.pick(users), { token_id });
        case 3:
          return ask('leaveHub', random.pick(users), { token_id });
        case 4:
          return ask('banFromHub', random.pick([owner, ...users]), { ...on, delete_posts: random.chance(2) });
        case 5:
          return ask('unbanFromHub', random.pick([owner, owner, ...users]), on);
        default:
          return ask('setHubRole', random.pick([owner, owner, ...users]), {
            ...on,
            role: random.pick(['moderator', 'member']),
          });
      }
    };
    const statuses = new Set<number>();
    for (let done = 0; done < count; done += 25)
      for (const { status } of await Promise.all(Array.from({ length: 25 }, some))) statuses.add(status);
    expect([...statuses].filter((status) => ![200, 403, 404].includes(status))).toEqual([]);
    const [counted, rows] = await stored(token_id);
    expect(counted).toBe(rows);
    const { db } = world.api.context;
    const both = await db
      .selectFrom('hub_member')
      .innerJoin('hub_ban', (join) =>
        join.onRef('hub_ban.token_id', '=', 'hub_member.token_id').onRef('hub_ban.user_id', '=', 'hub_member.user_id'),
      )
      .selectAll('hub_ban')
      .execute();
    expect(both.filter((ban) => ban.until === null || ban.until.getTime() > world.api.clock.ms)).toEqual([]);
  });
});
