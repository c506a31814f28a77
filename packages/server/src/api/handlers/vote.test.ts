import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, heldRow, hex, tokenRow } from '../../../test/api/reads/readsFixture.ts';
import { type SignedIn, type TestApi, testApi, testChain } from '../../../test/api/testing/testApi.ts';

/** `CASES=1000` for a release. */
const parallel = Number(process.env.CASES ?? 50);
const unit = 10n ** 18n;
const owl = tokenRow('base-sepolia', hex(0xf1), { name: 'Owl', symbol: 'OWL', price_usd18: 2n * unit });
const fox = tokenRow('base-sepolia', hex(0xf2), { name: 'Fox', symbol: 'FOX' });
const listed = tokenRow('base-sepolia', hex(0xf3), { name: 'Votes', symbol: 'VOTE', price_usd18: 5n * unit });

describe('vote, getVotes', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi({
      chains: [testChain('base-sepolia', 'http://127.0.0.1:9')],
      env: { VOTING_TOKENS: listed.token_id },
    });
    const { db } = api.context;
    await db
      .insertInto('chain')
      .values({ eid: owl.eid, slug: 'base-sepolia', usd: hex(1), usd_decimals: 6, launchpad: hex(2), indexed: 7 })
      .execute();
    for (const [token, slug] of [
      [owl, 'owl'],
      [fox, 'fox'],
      [listed, 'listed'],
    ] as const)
      await addToken(db, token, slug);
  });
  afterAll(() => api?.stop());

  const holding = async (amounts: Partial<Record<'owl' | 'fox' | 'listed', bigint>>): Promise<SignedIn> => {
    const user = await api.signIn();
    for (const [name, amount] of Object.entries(amounts))
      await api.context.db
        .insertInto('balance')
        .values(heldRow({ owl, fox, listed }[name] as typeof owl, user.address, { amount: amount * unit }))
        .execute();
    return user;
  };
  const post = async (row: { token_id?: string; author_id?: string; hidden_because?: string } = {}) => {
    const post_id = randomUUID();
    const at = new Date(api.clock.ms);
    const empty = { media: '[]', entities: '[]', hashtags: [], parent_id: null, root_id: null, author_holds: null };
    const said = { token_id: null, author_id: null, hidden_because: null, deleted_at: null, created_at: at, ...empty };
    await api.context.db
      .insertInto('post')
      .values({ post_id, type: 'post', text: 'gm', ...said, ...row })
      .execute();
    if (row.hidden_because === undefined)
      await api.context.db
        .insertInto('tally')
        .values({ target_type: 'post', target_id: post_id, made_at: at })
        .execute();
    return post_id;
  };
  const vote = ({ accessToken }: Pick<SignedIn, 'accessToken'>, body: object) =>
    api.call('vote', body, { bearer: accessToken });
  const votes = async (body: object, bearer?: string) => (await api.call('getVotes', body, { bearer })).body;
  const none = { upvotes: 0, downvotes: 0, weighted_upvotes: '0', weighted_downvotes: '0', user_vote: null };

  it('default: a vote weighs what is held; another takes its place, the same is no error, none takes it back', async () => {
    const user = await holding({ fox: 40n });
    const target = { target_type: 'token', target_id: 'fox' };
    expect((await votes(target)).votes).toEqual(none);
    const up = await vote(user, { ...target, vote: 'upvote' });
    const counted = { ...none, upvotes: 1, weighted_upvotes: '40', user_vote: 'upvote' };
    const weighed = { success: true, votes: counted, weight: '40', voting_token_id: fox.token_id };
    expect([up.status, up.body]).toEqual([200, weighed]);
    expect((await vote(user, { ...target, vote: 'upvote' })).body).toEqual(weighed);
    const down = { ...none, downvotes: 1, weighted_downvotes: '40', user_vote: 'downvote' };
    expect((await vote(user, { ...target, vote: 'downvote' })).body.votes).toEqual(down);
    expect((await votes(target, user.accessToken)).votes).toEqual(down);
    const gone = await vote(user, { ...target, vote: 'none' });
    expect(gone.body).toEqual({ success: true, votes: none, weight: '0', voting_token_id: null });
    expect((await vote(user, { ...target, vote: 'none' })).body.votes).toEqual(none);
    const { score_usd18 } = await api.context.db
      .selectFrom('tally')
      .select('score_usd18')
      .where('target_id', '=', fox.token_id)
      .executeTakeFirstOrThrow();
    expect(score_usd18).toBe(0n);
  });

  it('default: a post is weighed by its token, one without a token by nothing, and any by a token that the deployment lists', async () => {
    const user = await holding({ owl: 3n, listed: 7n });
    const of = async (target_id: string, more: object = {}) =>
      (await vote(user, { target_type: 'post', target_id, vote: 'upvote', ...more })).body;
    const [plain, tagged] = [await post(), await post({ token_id: owl.token_id })];
    expect(await of(tagged)).toMatchObject({ weight: '3', voting_token_id: owl.token_id });
    expect(await of(plain)).toMatchObject({ weight: '0', voting_token_id: null, votes: { upvotes: 1 } });
    expect(await of(plain, { voting_token_id: 'listed' })).toMatchObject({
      weight: '7',
      voting_token_id: listed.token_id,
      votes: { upvotes: 1, weighted_upvotes: '7' },
    });
    expect(await of(tagged.toUpperCase(), { votingTokenId: 'owl' })).toMatchObject({ weight: '3' });
    const { score_usd18 } = await api.context.db
      .selectFrom('tally')
      .select('score_usd18')
      .where('target_id', '=', plain)
      .executeTakeFirstOrThrow();
    expect(score_usd18).toBe(35n * unit);
  });

  it('behavior: what cannot be voted on or weighed so, and by whom not', async () => {
    const user = await holding({ owl: 3n });
    const plain = await post();
    const refused = async (body: object) => {
      const { status, body: answer } = await vote(user, { vote: 'upvote', ...body });
      return [status, answer.code];
    };
    const gone = [400, 'VOTE_TARGET_NOT_FOUND'];
    expect(await refused({ target_type: 'token', target_id: 'nothing' })).toEqual(gone);
    expect(await refused({ target_type: 'post', target_id: randomUUID() })).toEqual(gone);
    expect(await refused({ target_type: 'post', target_id: 'owl' })).toEqual(gone);
    expect(await refused({ target_type: 'post', target_id: await post({ hidden_because: 'spam' }) })).toEqual(gone);
    const onPost = { target_type: 'post', target_id: plain };
    expect(await refused({ ...onPost, voting_token_id: 'owl' })).toEqual([400, 'INVALID_PARAMETERS']);
    expect(await refused({ ...onPost, voting_token_id: 'nothing' })).toEqual([400, 'TOKEN_NOT_FOUND']);
    expect(await refused({ ...onPost, voting_token_id: 'listed', votingTokenId: 'listed' })).toEqual([
      400,
      'INVALID_PARAMETERS',
    ]);
    const { db } = api.context;
    const author = await api.signIn();
    await db
      .insertInto('user_block')
      .values({ user_id: author.userId, blocked_id: user.userId, created_at: new Date() })
      .execute();
    const blocked = { target_type: 'post', target_id: await post({ author_id: author.userId }) };
    expect(await refused(blocked)).toEqual([403, 'BLOCKED']);
    const until = new Date(api.clock.ms + 60_000);
    await db
      .insertInto('hub_ban')
      .values({ token_id: owl.token_id, user_id: user.userId, until, banned_at: new Date() })
      .execute();
    const onOwl = { target_type: 'token', target_id: 'owl' };
    const { status, body } = await vote(user, { ...onOwl, vote: 'upvote' });
    expect([status, body.code, body.details]).toEqual([403, 'HUB_BANNED', { until: until.toISOString() }]);
    expect((await vote(user, { ...onOwl, vote: 'none' })).status).toBe(200);
    api.clock.ms += 60_000;
    expect((await vote(user, { ...onOwl, vote: 'upvote' })).status).toBe(200);
  });

  it(`behavior: ${parallel} votes of one user at once leave one, and of as many users each one`, async () => {
    const target_id = await post({ token_id: owl.token_id });
    const user = await holding({ owl: 5n });
    const choices = ['upvote', 'downvote', 'none'] as const;
    const asked = Array.from({ length: parallel }, (_, i) =>
      vote(user, { target_type: 'post', target_id, vote: choices[i % 3] }),
    );
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
    await vote(user, { target_type: 'post', target_id, vote: 'upvote' });
    const users = await Promise.all(Array.from({ length: parallel - 1 }, () => holding({ owl: 2n })));
    await Promise.all(users.map((one) => vote(one, { target_type: 'post', target_id, vote: 'upvote' })));
    const { body } = await api.call('getVotes', { target_type: 'post', target_id, limit: 1 });
    expect(body.votes).toMatchObject({ upvotes: parallel, weighted_upvotes: String(5 + 2 * (parallel - 1)) });
  });

  it('behavior: for whom a block keeps from a post it has no voters, as if it were not there', async () => {
    const [author, voter, blocked] = await Promise.all([holding({}), holding({ owl: 1n }), holding({})]);
    const target = { target_type: 'post', target_id: await post({ author_id: author.userId }) };
    await vote(voter, { ...target, vote: 'upvote' });
    await api.call('blockUser', { user_id: blocked.userId }, { bearer: author.accessToken });
    const { body: gone } = await api.call('getVotes', { ...target, target_id: randomUUID() });
    const answer = await api.call('getVotes', target, { bearer: blocked.accessToken });
    expect([answer.status, answer.body.code]).toEqual([400, gone.code]);
    for (const bearer of [author.accessToken, voter.accessToken, undefined])
      expect((await votes(target, bearer)).voters).toHaveLength(1);
  });

  it('default: voters are listed newest first, page by page, and what somebody hides is not told', async () => {
    const target = { target_type: 'post', target_id: await post({ token_id: owl.token_id }) };
    const users: SignedIn[] = [];
    for (let i = 0; i < 5; i += 1) {
      const user = await holding({ owl: BigInt(i) });
      users.unshift(user);
      await vote(user, { ...target, vote: i === 2 ? 'downvote' : 'upvote' });
      if (i % 2 === 0) api.clock.ms += 1_000;
    }
    const hiding = users[0] as SignedIn;
    await api.call('updateUser', { settings: { show_wallet: false } }, { bearer: hiding.accessToken });
    const seen: [string, string, string | null][] = [];
    let cursor: string | undefined;
    do {
      const body = await votes({ ...target, limit: 2, cursor });
      for (const one of body.voters) seen.push([one.user.id, one.vote, one.weight]);
      cursor = body.pagination.next_cursor ?? undefined;
    } while (cursor !== undefined);
    const weights = [null, '3', '2', '1', '0'];
    // What somebody hides is in no sum either: it would be the difference of two.
    expect((await votes(target)).votes).toMatchObject({ upvotes: 4, weighted_upvotes: '4', weighted_downvotes: '2' });
    expect(seen).toEqual(users.map(({ userId }, i) => [userId, i === 2 ? 'downvote' : 'upvote', weights[i]]));
    for (const wrong of ['x', Buffer.from('[1,"no number"]').toString('base64url')])
      expect((await api.call('getVotes', { ...target, cursor: wrong })).status).toBe(400);

    const { rows } = await sql<{ kept: bigint; counted: bigint }>`select score_usd18 as kept, (
        select sum(case when is_up then 1 else -1 end * div(weight * price_usd18, 1e18)) from vote
        where target_id = tally.target_id) as counted
      from tally where target_id = ${target.target_id}`.execute(api.context.db);
    expect(rows[0]?.kept).toBe(rows[0]?.counted);
    expect(rows[0]?.kept).not.toBe(0n);
    expect((await vote(hiding, { ...target, vote: 'downvote' })).body.weight).toBe('0');
  });
});
