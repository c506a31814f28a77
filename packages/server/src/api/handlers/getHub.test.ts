import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heldRow, hex } from '../../../test/api/reads/readsFixture.ts';
import { type HubWorld, startHubs } from '../../../test/api/testing/hubWorld.ts';
import { eids } from '../../../test/eids.ts';

describe('getHub', () => {
  let world: HubWorld;
  beforeAll(async () => {
    world = await startHubs();
  });
  afterAll(() => world?.stop());

  const get = async (token_id: string, bearer?: string) =>
    (await world.api.call('getHub', { token_id }, bearer === undefined ? {} : { bearer })).body.hub;

  it('default: a token of which nobody has spoken has a hub, by each of its names', async () => {
    const owner = await world.api.signIn();
    const { id, slug, address } = await world.newHub(owner);
    const hub = await get(id);
    expect(hub).toEqual({
      id,
      token: expect.objectContaining({ id, slug, name: 'Fox 1', symbol: 'FOX', logo: null }),
      url: `http://localhost:8080/token/${slug}`,
      name: 'Fox 1',
      description: '',
      rules: null,
      banner_url: null,
      invite_only: false,
      post_rule: 'anyone',
      min_holding: null,
      members_count: 0,
      holders_count: 0,
      posts_count: 0,
      launch_post_id: null,
      pinned_post_id: null,
      owner: { id: owner.userId, username: null, display_name: null, profile_picture: null, address: owner.address },
    });
    for (const ref of [id.toUpperCase(), slug, address]) expect(await get(ref)).toEqual(hub);
    const { status, body } = await world.api.call('getHub', { token_id: 'no-such-token' });
    expect([status, body.code]).toEqual([400, 'TOKEN_NOT_FOUND']);
  });

  it('default: what the draft says is shown until the owner says something else', async () => {
    const { db } = world.api.context;
    const { id, slug, address } = await world.newHub();
    await db
      .insertInto('token_draft')
      .values({
        token_id: id,
        eid: eids.baseSepolia,
        address,
        user_id: null,
        creator: hex(0xc0),
        pool_type: 'meme',
        name: 'Fox',
        symbol: 'FOX',
        slug,
        description: 'A red fox.',
        token_uri: 'ipfs://x',
        logo: null,
        banner: 'https://a.example/wide.webp',
        video: null,
        builder: null,
      })
      .execute();
    const from = { description: 'A red fox.', banner_url: 'https://a.example/wide.webp' };
    expect(await get(id)).toMatchObject({ ...from, owner: null });
    const launch = await world.addPost({ id }, { type: 'launch' });
    expect((await get(id)).launch_post_id).toBe(launch);
    await db.updateTable('post').set({ hidden_because: 'Spam.' }).where('post_id', '=', launch).execute();
    expect((await get(id)).launch_post_id).toBeNull();
  });

  it('behavior: who hides the wallet that created the token is no owner for others, and is for themselves', async () => {
    const owner = await world.api.signIn();
    const { id } = await world.newHub(owner);
    const bearer = owner.accessToken;
    await world.api.call('updateUser', { settings: { show_wallet: false } }, { bearer });
    const other = (await world.api.signIn()).accessToken;
    for (const who of [undefined, other]) expect((await get(id, who)).owner).toBeNull();
    const own = await get(id, bearer);
    expect(own).toMatchObject({ owner: { id: owner.userId, address: null }, my: { role: 'owner' } });
    const { status } = await world.api.call('updateHub', { token_id: id, rules: 'Be kind.' }, { bearer });
    expect(status).toBe(200);
  });

  it('behavior: what it is to the caller is only for a credential that may read', async () => {
    const user = await world.api.signIn();
    const { id } = await world.newHub();
    const nothing = { is_member: false, role: null, banned_until: null, may_post: true, may_not_because: null };
    expect((await get(id, user.accessToken)).my).toEqual(nothing);
    expect(await get(id)).not.toHaveProperty('my');
    const { body } = await world.api.call(
      'createApiKey',
      { name: 'a', scopes: ['social'] },
      { bearer: user.accessToken },
    );
    expect(await get(id, body.key)).not.toHaveProperty('my');
    const joined = await world.api.call('joinHub', { token_id: id }, { bearer: body.key });
    expect(joined.body.hub).not.toHaveProperty('my');
    expect((await get(id, user.accessToken)).my).toEqual({ ...nothing, is_member: true, role: 'member' });
  });

  it('behavior: who was banned and then links the wallet that created the token is the owner, whom no ban keeps from anything', async () => {
    const { db } = world.api.context;
    const owner = await world.api.signIn();
    const { id } = await world.newHub({ address: hex(0xabc) });
    const ban = { token_id: id, user_id: owner.userId, until: null, banned_at: new Date() };
    await db.insertInto('hub_ban').values(ban).execute();
    const bearer = owner.accessToken;
    const may = async () => [
      (await get(id, bearer)).my.may_post,
      (await world.api.call('createPost', { text: 'gm', taggedCoinId: id }, { bearer })).status,
      (await world.api.call('vote', { target_type: 'token', target_id: id, vote: 'upvote' }, { bearer })).status,
    ];
    expect(await may()).toEqual([false, 403, 403]);
    await db
      .insertInto('user_wallet')
      .values({ address: hex(0xabc), user_id: owner.userId })
      .execute();
    expect(await may()).toEqual([true, 200, 200]);
  });

  it('behavior: where members or holders post, others are told why they may not', async () => {
    const { db } = world.api.context;
    const [owner, moderator, member, outsider] = (await world.people(4)) as [Person, Person, Person, Person];
    const { id, address } = await world.newHub(owner);
    const update = (change: object) =>
      world.api.call('updateHub', { token_id: id, ...change }, { bearer: owner.accessToken });
    await update({ post_rule: 'members' });
    for (const { accessToken: bearer } of [moderator, member])
      await world.api.call('joinHub', { token_id: id }, { bearer });
    const role = { token_id: id, user_id: moderator.userId, role: 'moderator' };
    await world.api.call('setHubRole', role, { bearer: owner.accessToken });
    const why = () =>
      Promise.all(
        [owner, moderator, member, outsider].map(async ({ accessToken }) => {
          const { my } = await get(id, accessToken);
          expect(my.may_post).toBe(my.may_not_because === null);
          return my.may_not_because;
        }),
      );
    expect(await why()).toEqual([null, null, null, 'HUB_MEMBERS_ONLY']);
    await update({ post_rule: 'holders' });
    expect(await why()).toEqual([null, null, 'HUB_HOLDERS_ONLY', 'HUB_HOLDERS_ONLY']);
    // Half here and half on another chain, in a second wallet.
    const second = hex(0x5e);
    await db.insertInto('user_wallet').values({ address: second, user_id: outsider.userId }).execute();
    const there = { eid: eids.bnb, address };
    await db
      .insertInto('remote_token')
      .values({
        ...there,
        home_eid: eids.baseSepolia,
        token_id: id,
        platform_id: hex(1, 32),
        creator: owner.address,
        name: 'Fox',
        symbol: 'FOX',
        salt: hex(1, 32),
        registered_at: new Date(),
        block_number: 1,
        log_index: 0,
        tx_hash: hex(1, 32),
        supply: 10n ** 18n,
        holders: 1,
      })
      .execute();
    const here = { eid: eids.baseSepolia, address };
    await db
      .insertInto('balance')
      .values([
        heldRow(here, outsider.address, { amount: 5n * 10n ** 17n }),
        heldRow(there, second, { amount: 5n * 10n ** 17n }),
      ])
      .execute();
    expect(await why()).toEqual([null, null, 'HUB_HOLDERS_ONLY', null]);
    await update({ min_holding: '1' });
    expect(await why()).toEqual([null, null, 'HUB_HOLDERS_ONLY', null]);
    await update({ min_holding: '1.000000000000000001' });
    expect(await why()).toEqual([null, null, 'HUB_HOLDERS_ONLY', 'HUB_HOLDERS_ONLY']);
    const ban = { token_id: id, user_id: outsider.userId };
    await world.api.call('banFromHub', ban, { bearer: moderator.accessToken });
    expect(await why()).toEqual([null, null, 'HUB_HOLDERS_ONLY', 'HUB_BANNED']);
  });
});

type Person = Awaited<ReturnType<HubWorld['people']>>[number];
