import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HubWorld, startHubs } from '../../../test/api/testing/hubWorld.ts';
import type { SignedIn } from '../../../test/api/testing/testApi.ts';

const kinds = ['owner', 'moderator', 'member', 'outsider', 'banned', 'banned moderator'] as const;
type Kind = (typeof kinds)[number];

/** `self`, or another one of a kind. */
const targets = ['self', 'owner', 'moderator', 'member', 'outsider', 'banned', 'banned moderator', 'nobody'] as const;

const refused = '403 NOT_THE_HUB_OWNER';
const none = '404 USER_NOT_FOUND';
const all = (answer: string): string[] => targets.map(() => answer);

/** What each kind is answered when it acts upon each of `targets`, in their order. Of the owner, `self` and `owner` are one. */
const upon: Record<string, Record<Kind, string[]>> = {
  'setHubRole moderator': {
    owner: [refused, refused, '200', '200', none, none, none, none],
    moderator: all(refused),
    member: all(refused),
    outsider: all(refused),
    banned: all(refused),
    'banned moderator': all(refused),
  },
  'setHubRole member': {
    owner: [refused, refused, '200', '200', none, none, none, none],
    moderator: all(refused),
    member: all(refused),
    outsider: all(refused),
    banned: all(refused),
    'banned moderator': all(refused),
  },
  banFromHub: {
    owner: [refused, refused, '200', '200', '200', '200', '200', none],
    moderator: [refused, refused, refused, '200', '200', '200', '200', none],
    member: [...all(refused).slice(1), none],
    outsider: [...all(refused).slice(1), none],
    banned: [...all(refused).slice(1), none],
    'banned moderator': [...all(refused).slice(1), none],
  },
  unbanFromHub: {
    owner: all('200'),
    moderator: all('200'),
    member: all(refused),
    outsider: all(refused),
    banned: all(refused),
    'banned moderator': all(refused),
  },
};

/** What each kind is answered that acts upon the hub. */
const alone: Record<string, Record<Kind, string>> = {
  updateHub: {
    owner: '200',
    moderator: refused,
    member: refused,
    outsider: refused,
    banned: refused,
    'banned moderator': refused,
  },
  createHubInvite: {
    owner: '200',
    moderator: '200',
    member: refused,
    outsider: refused,
    banned: refused,
    'banned moderator': refused,
  },
  pinPost: {
    owner: '200',
    moderator: '200',
    member: refused,
    outsider: refused,
    banned: refused,
    'banned moderator': refused,
  },
  joinHub: {
    owner: '200',
    moderator: '200',
    member: '200',
    outsider: '200',
    banned: '403 HUB_BANNED',
    'banned moderator': '403 HUB_BANNED',
  },
  leaveHub: {
    owner: '400 INVALID_PARAMETERS',
    moderator: '200',
    member: '200',
    outsider: '200',
    banned: '200',
    'banned moderator': '200',
  },
};

describe('who may do what in a hub', () => {
  let world: HubWorld;
  /** Two of each kind but the owner, who is one. */
  let first: Record<Kind, SignedIn>;
  let second: Record<Kind, SignedIn>;
  const nobody = '00000000-0000-4000-8000-0000000000aa';

  beforeAll(async () => {
    world = await startHubs();
    const users = await world.people(2 * kinds.length);
    const of = (from: number) =>
      Object.fromEntries(kinds.map((kind, at) => [kind, users[from + at] as SignedIn])) as Record<Kind, SignedIn>;
    first = of(0);
    second = { ...of(kinds.length), owner: first.owner };
  });
  afterAll(() => world?.stop());

  const ask = (name: string, { accessToken: bearer }: SignedIn, body: object) =>
    world.api.call(name as 'joinHub', body, { bearer });

  /** A hub in which each is what its kind says, by what its owner did. */
  const newHub = async (): Promise<string> => {
    const { id: token_id } = await world.newHub(first.owner);
    for (const people of [first, second]) {
      for (const kind of ['moderator', 'member', 'banned moderator'] as const)
        await ask('joinHub', people[kind], { token_id });
      for (const kind of ['moderator', 'banned moderator'] as const)
        await ask('setHubRole', first.owner, { token_id, user_id: people[kind].userId, role: 'moderator' });
      for (const kind of ['banned', 'banned moderator'] as const)
        await ask('banFromHub', first.owner, { token_id, user_id: people[kind].userId });
    }
    return token_id;
  };

  /** Everything that is stored of a hub but its invites. */
  const stateOf = async (tokenId: string): Promise<string> => {
    const { db } = world.api.context;
    return JSON.stringify([
      await db.selectFrom('hub').selectAll().where('token_id', '=', tokenId).execute(),
      await db.selectFrom('hub_member').selectAll().where('token_id', '=', tokenId).orderBy('user_id').execute(),
      await db.selectFrom('hub_ban').selectAll().where('token_id', '=', tokenId).orderBy('user_id').execute(),
      await db.selectFrom('moderation').selectAll().where('reason', 'like', `%${tokenId}%`).orderBy('id').execute(),
      await db.selectFrom('post').selectAll().where('token_id', '=', tokenId).orderBy('post_id').execute(),
    ]);
  };

  const told = ({ status, body }: Awaited<ReturnType<typeof ask>>): string =>
    body.code === undefined ? `${status}` : `${status} ${body.code}`;

  it.each(Object.keys(upon))('%s', async (what) => {
    const [name = '', role] = what.split(' ');
    const answered: Record<string, string[]> = {};
    let token_id = await newHub();
    for (const kind of kinds) {
      answered[kind] = [];
      for (const target of targets) {
        const user = target === 'self' ? first[kind] : target === 'nobody' ? undefined : second[target];
        const before = await stateOf(token_id);
        const body = { token_id, user_id: user?.userId ?? nobody, ...(role !== undefined && { role }) };
        const answer = told(await ask(name, first[kind], body));
        if (answer === '200') token_id = await newHub();
        else expect(await stateOf(token_id)).toBe(before);
        answered[kind].push(answer);
      }
    }
    expect(answered).toEqual(upon[what]);
  });

  it.each(Object.keys(alone))('%s', async (name) => {
    const answered: Record<string, string> = {};
    for (const kind of kinds) {
      const token_id = await newHub();
      const post_id = await world.addPost({ id: token_id });
      const before = await stateOf(token_id);
      const body = name === 'pinPost' ? { post_id, pinned: true } : { token_id };
      const answer = told(await ask(name, first[kind], body));
      if (answer !== '200') expect(await stateOf(token_id)).toBe(before);
      answered[kind] = answer;
    }
    expect(answered).toEqual(alone[name]);
  });

  it('default: roles are shown, and what was done to whom is written down', async () => {
    const token_id = await newHub();
    const { member, owner } = first;
    const on = { token_id, user_id: member.userId };
    const { body } = await ask('setHubRole', owner, { ...on, role: 'moderator' });
    expect(body.member).toEqual({
      user: { id: member.userId, username: null, display_name: null, profile_picture: null, address: member.address },
      role: 'moderator',
      order_no: 10,
      joined_at: new Date(world.api.clock.ms).toISOString(),
      holding: null,
    });
    expect((await ask('setHubRole', owner, { ...on, role: 'moderator' })).body).toEqual(body);
    await ask('banFromHub', owner, { ...on, until: '2030-06-01T00:00:00Z', delete_posts: true });
    for (let time = 0; time < 2; time += 1) await ask('unbanFromHub', first.moderator, on);
    const done = await world.api.context.db
      .selectFrom('moderation')
      .select(['user_id', 'action', 'reason'])
      .where('target', '=', member.userId)
      .where('reason', 'like', `%${token_id}%`)
      .orderBy('id')
      .execute();
    expect(done).toEqual([
      { user_id: owner.userId, action: 'hub_role', reason: `moderator of hub ${token_id}` },
      {
        user_id: owner.userId,
        action: 'hub_ban',
        reason: `hub ${token_id}, until 2030-06-01T00:00:00.000Z, with posts`,
      },
      { user_id: first.moderator.userId, action: 'hub_unban', reason: `hub ${token_id}` },
    ]);
  });

  it('error: a credential without the scope social, or none, does none of it', async () => {
    const token_id = await newHub();
    const { accessToken: bearer } = first.owner;
    const scopes = ['read', 'prepare', 'execute'];
    const { body: key } = await world.api.call('createApiKey', { name: 'trader', scopes }, { bearer });
    const post_id = await world.addPost({ id: token_id });
    const on = { user_id: first.member.userId };
    for (const name of [...Object.keys(alone), ...Object.keys(upon)].map((what) => what.split(' ')[0] as 'joinHub')) {
      const role = String(name) === 'setHubRole' ? { role: 'member' } : {};
      const fields = name in alone ? {} : { ...on, ...role };
      const body = String(name) === 'pinPost' ? { post_id, pinned: true } : { token_id, ...fields };
      const without = await world.api.call(name, body, { bearer: key.key });
      expect([name, without.status, without.body.code]).toEqual([name, 403, 'SCOPE_MISSING']);
      expect((await world.api.call(name, body)).status).toBe(401);
    }
  });
});
