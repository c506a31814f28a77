import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, heldRow, hex, tokenRow } from '../../../test/api/reads/readsFixture.ts';
import { type SignedIn, type TestApi, testApi, testChain } from '../../../test/api/testing/testApi.ts';
import { hidePost, unhidePost } from './moderation.ts';

const unit = 10n ** 18n;
const owl = tokenRow('base-sepolia', hex(0xf1), { name: 'Owl', symbol: 'OWL', price_usd18: 2n * unit });

describe('votes on posts that go', () => {
  let api: TestApi;
  let author: SignedIn;
  beforeAll(async () => {
    api = await testApi({ chains: [testChain('base-sepolia', 'http://127.0.0.1:9')] });
    const { db } = api.context;
    await db
      .insertInto('chain')
      .values({ eid: owl.eid, slug: 'base-sepolia', usd: hex(1), usd_decimals: 6, launchpad: hex(2), indexed: 7 })
      .execute();
    await addToken(db, owl, 'owl');
    author = await api.signIn();
  });
  afterAll(() => api?.stop());

  const said = async (): Promise<string> => {
    const body = { text: 'gm', taggedCoinId: 'owl' };
    return (await api.call('createPost', body, { bearer: author.accessToken })).body.post.id;
  };
  const voter = async (amount: bigint): Promise<SignedIn> => {
    const user = await api.signIn();
    await api.context.db
      .insertInto('balance')
      .values(heldRow(owl, user.address, { amount: amount * unit }))
      .execute();
    return user;
  };
  const vote = (user: SignedIn, target_id: string, word: string) =>
    api.call('vote', { target_type: 'post', target_id, vote: word }, { bearer: user.accessToken });
  const votesOf = (target_id: string) =>
    api.context.db.selectFrom('vote').select('vote_id').where('target_id', '=', target_id).execute();
  const tallyOf = (target_id: string) =>
    api.context.db.selectFrom('tally').selectAll().where('target_id', '=', target_id).executeTakeFirst();

  it('default: a deleted post has no votes, and nobody votes on it', async () => {
    const post = await said();
    const user = await voter(3n);
    expect((await vote(user, post, 'upvote')).body.weight).toBe('3');
    await api.call('deletePost', { post_id: post }, { bearer: author.accessToken });
    expect([await votesOf(post), await tallyOf(post)]).toEqual([[], undefined]);
    expect((await vote(user, post, 'upvote')).body.code).toBe('VOTE_TARGET_NOT_FOUND');
  });

  it('default: a hidden post keeps its votes, which count again when it is shown, as they weigh then', async () => {
    const post = await said();
    const [one, other] = [await voter(3n), await voter(5n)];
    await vote(one, post, 'upvote');
    await vote(other, post, 'downvote');
    const before = await tallyOf(post);
    const { db } = api.context;
    const spam = { by: null, reason: 'Looks like spam.' };
    await hidePost(db, post, spam);
    expect((await vote(one, post, 'none')).body.code).toBe('VOTE_TARGET_NOT_FOUND');
    await unhidePost(db, post, spam);
    expect(await tallyOf(post)).toEqual(before);
    await hidePost(db, post, spam);
    await db
      .updateTable('vote')
      .set({ weight: 2n * unit })
      .where('user_id', '=', other.userId)
      .execute();
    await unhidePost(db, post, spam);
    expect(await tallyOf(post)).toEqual({ ...before, down_weight: 2n * unit, score_usd18: 2n * unit });
  });
});
