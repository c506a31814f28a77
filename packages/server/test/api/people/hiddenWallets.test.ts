import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, heldRow, hex, tokenRow } from '../reads/readsFixture.ts';
import { type SignedIn, type TestApi, testApi, testChain } from '../testing/testApi.ts';

const unit = 10n ** 18n;
const owl = tokenRow('base-sepolia', hex(0xf1), { name: 'Owl', symbol: 'OWL' });

describe('posts of who hides the wallet', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi({ chains: [testChain('base-sepolia', 'http://127.0.0.1:9')] });
    const { db } = api.context;
    await db
      .insertInto('chain')
      .values({ eid: owl.eid, slug: 'base-sepolia', usd: hex(1), usd_decimals: 6, launchpad: hex(2), indexed: 7 })
      .execute();
    await addToken(db, owl, 'owl');
  });
  afterAll(() => api?.stop());

  const hide = ({ accessToken }: SignedIn) =>
    api.call('updateUser', { settings: { show_wallet: false } }, { bearer: accessToken });

  it('W5 a block does not tell who launched a token: the launch stays for whoever blocked its creator', async () => {
    const [creator, reader] = [await api.signIn(), await api.signIn()];
    const { db } = api.context;
    const post_id = randomUUID();
    const at = new Date(api.clock.ms);
    const said = { text: 'gm', media: '[]', entities: '[]', hashtags: [], parent_id: null, root_id: null };
    await db
      .insertInto('post')
      .values({ post_id, type: 'launch', author_id: creator.userId, token_id: owl.token_id, ...said, created_at: at })
      .execute();
    await db
      .insertInto('tally')
      .values({ target_type: 'post', target_id: post_id, token_id: owl.token_id, made_at: at })
      .execute();
    await hide(creator);
    const bearer = reader.accessToken;
    await api.call('blockUser', { user_id: creator.userId }, { bearer });
    expect((await api.call('getPost', { post_id }, { bearer })).body.post).toMatchObject({ id: post_id, author: null });
    for (const feed of ['latest', 'top']) {
      const { body } = await api.call('getPosts', { feed, taggedCoinId: 'owl' }, { bearer });
      expect(body.posts.map(({ id }: { id: string }) => id)).toContain(post_id);
    }
    const vote = { target_type: 'post', target_id: post_id, vote: 'upvote' };
    expect((await api.call('vote', vote, { bearer })).status).toBe(200);
    expect((await api.call('createPost', { text: 'gm', parent_id: post_id }, { bearer })).status).toBe(200);
  });

  it('W5 what somebody held when posting is no longer told once they hide the wallet', async () => {
    const author = await api.signIn();
    await api.context.db
      .insertInto('balance')
      .values(heldRow(owl, author.address, { amount: 7n * unit }))
      .execute();
    const { body } = await api.call('createPost', { text: 'gm', taggedCoinId: 'owl' }, { bearer: author.accessToken });
    const holds = async () => (await api.call('getPost', { post_id: body.post.id })).body.post.author_holds;
    expect(await holds()).toBe('7');
    await hide(author);
    expect(await holds()).toBeNull();
  });
});
