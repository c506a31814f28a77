import type { Eid } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hidePost, unhidePost } from '../../../src/api/people/moderation.ts';
import type { Tx } from '../../../src/db/serviceTables.ts';
import { takeBackLosses } from '../../../src/index/aggregates/votes.ts';
import { eids } from '../../eids.ts';
import { addToken, heldRow, hex, tokenRow } from '../reads/readsFixture.ts';
import { meeting } from '../testing/meeting.ts';
import { type SignedIn, type TestApi, testApi, testChain } from '../testing/testApi.ts';

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
    await db
      .insertInto('chain')
      .values({ eid: eids.bnb, slug: 'bnb', usd: hex(1), usd_decimals: 18, launchpad: hex(2), indexed: 7 })
      .execute();
    const origin = {
      registered_at: new Date(),
      block_number: 1,
      log_index: 0,
      tx_hash: hex(1, 32),
      supply: 0n,
      holders: 0,
    };
    const { address, token_id, platform_id, creator, salt, name, symbol } = owl;
    await db
      .insertInto('remote_token')
      .values({
        eid: eids.bnb,
        home_eid: owl.eid,
        address,
        token_id,
        platform_id,
        creator,
        salt,
        name,
        symbol,
        ...origin,
      })
      .execute();
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

  it('default: a hidden post keeps its votes, of which nobody hears, until it is shown again or deleted', async () => {
    const post = await said();
    const user = await voter(3n);
    await vote(user, post, 'upvote');
    const before = await tallyOf(post);
    const { db } = api.context;
    const spam = { by: null, reason: 'Looks like spam.' };
    await hidePost(db, post, spam);
    expect((await vote(user, post, 'none')).body.code).toBe('VOTE_TARGET_NOT_FOUND');
    const asked = { target_type: 'post', target_id: post };
    expect((await api.call('getVotes', asked)).body.code).toBe('VOTE_TARGET_NOT_FOUND');
    await unhidePost(db, post, spam);
    expect(await tallyOf(post)).toEqual(before);
    await hidePost(db, post, spam);
    await api.call('deletePost', { post_id: post }, { bearer: author.accessToken });
    expect([await votesOf(post), await tallyOf(post)]).toEqual([[], undefined]);
  });

  it('behavior: a vote on a hidden post loses on two chains at once what it lost on each', async () => {
    const { db } = api.context;
    const post = await said();
    const user = await voter(3n);
    const spam = { by: null, reason: 'Looks like spam.' };
    await db
      .insertInto('balance')
      .values({ ...heldRow(owl, user.address, { amount: 4n * unit }), eid: eids.bnb })
      .execute();
    expect((await vote(user, post, 'upvote')).body.weight).toBe('7');
    await hidePost(db, post, spam);
    /** What is held goes down to nothing, as of the block at which the vote was cast. */
    const sell = async (tx: Tx, eid: Eid): Promise<void> => {
      await tx.updateTable('balance').set({ amount: 0n }).where('eid', '=', eid).execute();
      await takeBackLosses(tx as never, { eid, decimals: { token: 18 } }, 6, 0);
    };
    const here = { execute: (tx: Tx) => sell(tx, owl.eid) };
    await meeting(db, here, [() => db.transaction().execute((tx) => sell(tx, eids.bnb))]);
    const weight = await db.selectFrom('vote').select('weight').where('target_id', '=', post).execute();
    expect([weight, (await tallyOf(post))?.up_weight]).toEqual([[{ weight: 0n }], 0n]);
  });
});
