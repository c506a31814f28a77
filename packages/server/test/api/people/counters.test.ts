import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tell } from '../../../src/api/notifications/tell.ts';
import { hidePost, unhidePost } from '../../../src/api/people/moderation.ts';
import { eids } from '../../eids.ts';
import { Random } from '../../index/random.ts';
import { VotingGround, wallets } from '../../index/votingGround.ts';
import type { SignedIn } from '../testing/testApi.ts';
import { seededRandom } from '../trade/seededRandom.ts';
import { type Body, type Posting, startPosting } from './postsFixture.ts';

const spam = { by: null, reason: 'spam' };

/** `CASES=10000` for a release. */
const deeds = Number(process.env.CASES ?? 300);
const writers = Number(process.env.CASES ?? 0) >= 1_000 ? 100 : 20;

describe('what is counted of posts and votes', () => {
  let on: Posting;
  beforeAll(async () => {
    on = await startPosting();
  });
  afterAll(() => on?.api.stop());

  /** Rows whose counters are not what counting says. */
  const wrong = async () => {
    const shown = sql`p.deleted_at is null and p.hidden_because is null`;
    const { rows } = await sql<{ what: string; id: string }>`
      select 'user' as what, u.user_id::text as id from app_user u where posts_count <> (
        select count(*) from post p where p.author_id = u.user_id and p.type = 'post' and ${shown})
      union all
      select 'hub', h.token_id::text from hub h where (posts_count, media_count) <> (
        select count(*), coalesce(sum(jsonb_array_length(p.media)), 0) from post p where p.token_id = h.token_id and ${shown})
      union all
      select 'post', q.post_id::text from post q where comments_count <> (
        select count(*) from post p where p.parent_id = q.post_id and ${shown})
      union all
      select 'tally', p.post_id::text from post p
        full join (select * from tally where target_type = 'post') t on t.target_id = p.post_id
        where (t.target_id is not null) <> (p.post_id is not null and p.deleted_at is null) or t.made_at <> p.created_at
      union all
      select 'votes', t.target_id::text from tally t left join vote v using (target_type, target_id)
        group by t.target_type, t.target_id
        having (upvotes, downvotes, up_weight, down_weight, score_usd18) <> (count(*) filter (where is_up),
          count(*) filter (where not is_up), coalesce(sum(weight) filter (where is_up), 0),
          coalesce(sum(weight) filter (where not is_up), 0),
          coalesce(sum((case when is_up then 1 else -1 end) * div(weight * v.price_usd18, 10::numeric ^ 18)), 0))
      union all
      select 'order', t.target_id::text from tally t
        where (ranked_usd18, ranked_votes) <> (score_usd18, upvotes - downvotes) and not exists (
          select from happening where kind = 'votes' and data->>'target_type' = t.target_type and data->'target_ids' ? t.target_id::text)
      union all
      select 'vote left', v.target_id::text from vote v
        where not exists (select from tally t where (t.target_type, t.target_id) = (v.target_type, v.target_id))
      union all
      select 'tag', p.post_id::text from post p where ${shown} and p.parent_id is null and array(select unnest(hashtags) order by 1) <> array(
        select hashtag from post_hashtag h where h.post_id = p.post_id order by hashtag)
      union all
      select 'tag left', h.post_id::text from post_hashtag h join post p on p.post_id = h.post_id
        where not (${shown}) or p.parent_id is not null
      union all
      select 'empty place', p.post_id::text from post p where p.deleted_at is not null
        and (p.text <> '' or p.media <> '[]' or p.entities <> '[]' or p.hashtags <> '{}'
          or not exists (select from post c where c.parent_id = p.post_id))`.execute(on.db);
    return rows;
  };

  it('behavior: after posts, comments, votes, deletions, hiding, transfers and reorgs, several at once, every counter is what counting says', async () => {
    const random = seededRandom(17);
    const users = await Promise.all(Array.from({ length: 6 }, () => on.user()));
    const [owner] = users;
    if (owner === undefined) throw new Error('nobody');
    const ground = new VotingGround(on.db, new Random(17), [eids.baseSepolia, eids.bnb]);
    await ground.begin();
    await on.db.insertInto('token_slug').values({ slug: 'passed-on', token_id: ground.tokenId }).execute();
    await on.db
      .insertInto('user_wallet')
      .values(wallets.map((address, i) => ({ address, user_id: users[i % users.length]?.userId as string })))
      .execute();
    const tokens = [{ token_id: ground.tokenId }, { token_id: ground.tokenId }, await on.token(owner.address)];
    const film = `data:video/mp4;base64,${Buffer.from('\0\0\0\x18ftypmp42'.padEnd(100, 'x'), 'latin1').toString('base64')}`;
    const ids: string[] = [];
    const one = <Item>(list: readonly Item[]): Item => list[random.below(list.length)] as Item;
    const allowed = new Set([200, 403, 404]);
    const seen = { votes: 0, weight: 0n, losses: 0, undone: 0 };

    /** One after the other: blocks of a chain, what is indexed of them, and at times some that go again. */
    let last = Promise.resolve();
    const index = (): Promise<void> => {
      last = last.then(async () => {
        const chain = one(ground.chains);
        ground.mine(chain);
        await ground.index(chain, 1 + random.below(3));
        if (random.below(4) > 0) return;
        ground.reorg(chain);
        seen.undone += chain.indexed > chain.blocks.length ? 1 : 0;
        await ground.undo(chain);
      });
      return last;
    };
    const vote = async (user: SignedIn, post: string): Promise<void> => {
      const target =
        random.below(8) === 0
          ? { target_type: 'token', target_id: ground.tokenId }
          : { target_type: 'post', target_id: post };
      const choice = one(['upvote', 'upvote', 'downvote', 'none']);
      const { status, body } = await on.api.call('vote', { ...target, vote: choice }, { bearer: user.accessToken });
      if (status === 200) seen.votes += 1;
      else expect(body.code, JSON.stringify(body)).toBe('VOTE_TARGET_NOT_FOUND');
    };
    const told = async (): Promise<void> => {
      on.api.clock.ms += 1_000;
      expect((await tell(on.api.context)).errors).toEqual([]);
    };
    const expectRight = async (): Promise<void> => {
      expect(await wrong()).toEqual([]);
      const votes = await ground.votes();
      expect(votes.filter(({ weight, expected }) => weight !== expected)).toEqual([]);
      for (const { weight } of votes) seen.weight += weight;
    };

    const deed = async (): Promise<void> => {
      const user = one(users);
      const known = ids.length === 0 ? undefined : one(random.below(3) === 0 ? ids : ids.slice(-8));
      const kind = known === undefined ? 0 : random.below(17);
      const more = {
        text: one(['gm #a', '#b #a', 'plain', '']),
        media: [film],
        ...(random.below(3) > 0 && { taggedCoinId: one(tokens).token_id }),
      };
      const answer = async (): Promise<{ status: number; body?: Body } | undefined> => {
        if (kind < 3) return on.create(user, more);
        if (kind < 6) return on.create(user, { text: 'comment #c', media: [film], parent_id: known });
        if (kind < 8) return on.remove(user, { post_id: known });
        if (kind === 16) await told();
        else if (kind >= 14) await index();
        else if (kind >= 10) await vote(user, known as string);
        else {
          const act = kind === 8 ? hidePost(on.db, known as string, spam) : unhidePost(on.db, known as string, spam);
          await act.catch((error: Error) => expect(error.message).toContain('no such post'));
        }
        return undefined;
      };
      const said = await answer();
      if (said === undefined) return;
      expect([...allowed], JSON.stringify(said.body)).toContain(said.status);
      if (said.body?.post) ids.push(said.body.post.id);
    };

    for (let done = 0; done < deeds; done += 12) {
      await Promise.all(Array.from({ length: 12 }, deed));
      if (done % 120 === 0) await expectRight();
    }
    await expectRight();
    seen.losses = (await on.db.selectFrom('vote_low').select('voter_id').execute()).length;
    expect(ids.length).toBeGreaterThan(deeds / 6);
    expect(seen.votes).toBeGreaterThan(deeds / 12);
    expect([seen.weight > 0n, seen.losses > 0, seen.undone > 0]).toEqual([true, true, true]);
    // All that is there is shown again, then taken away: nothing is left.
    const left = () =>
      on.db.selectFrom('post').select(['post_id', 'author_id']).where('deleted_at', 'is', null).execute();
    const bySender = new Map(users.map((user) => [user.userId, user]));
    for (const { post_id } of await left()) await unhidePost(on.db, post_id, spam);
    await expectRight();
    const posts = await left();
    // Twelve at once, as above: of thousands some would wait for longer than a call may.
    while (posts.length > 0) {
      const removed = posts
        .splice(0, 12)
        .map(({ post_id, author_id }) => on.remove(bySender.get(author_id as string) ?? owner, { post_id }));
      expect((await Promise.all(removed)).map(({ status }) => status)).not.toContain(503);
    }
    const rest = await on.db.selectFrom('post').select('post_id').execute();
    expect([rest, await wrong()]).toEqual([[], []]);
    console.log(
      `${deeds} deeds: ${ids.length} posts, ${seen.votes} votes, ${seen.losses} losses, ${seen.undone} reorgs`,
    );
  });

  it('behavior: who reads while many write misses no comment, and sees none twice', async () => {
    const users = await Promise.all(Array.from({ length: writers }, () => on.user()));
    const [first] = users;
    if (first === undefined) throw new Error('nobody');
    const { id: parent_id } = await on.post(first, 'Talk here');
    const before = await Promise.all(users.map((user, at) => on.post(user, `before ${at}`)));
    const now = { isWriting: true };
    const written: string[] = [];
    const writing = Promise.all(
      users.map(async (user, at) => {
        for (let nth = 0; nth < 5; nth++) {
          on.api.clock.ms += at % 3;
          written.push((await on.post(user, `${at} ${nth}`, { parent_id })).id);
          await on.post(user, `meanwhile ${at} ${nth}`);
        }
      }),
    ).finally(() => {
      now.isWriting = false;
    });

    /** Comments as they come, each page asked anew until nobody writes any more. */
    const follow = async (limit: number): Promise<string[]> => {
      const seen: string[] = [];
      let after: { cursor?: string } = {};
      for (;;) {
        const wasWriting = now.isWriting;
        const { body } = await on.list(null, { parent_id, limit, ...after });
        seen.push(...body.posts.map(({ id }: Body) => id));
        const last = body.posts.at(-1);
        if (last !== undefined)
          after = { cursor: Buffer.from(JSON.stringify([Date.parse(last.created_at), last.id])).toString('base64url') };
        if (!wasWriting && !body.pagination.has_more) return seen;
      }
    };
    /** The newest by pages, once through. */
    const page = async (): Promise<string[]> => {
      const seen: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const { body } = await on.list(null, { limit: 7, ...(cursor && { cursor }) });
        seen.push(...body.posts.map(({ id }: Body) => id));
        cursor = body.pagination.next_cursor;
      }
      return seen;
    };
    const readers = [follow(3), follow(50)];
    do {
      const seen = await page();
      expect(new Set(seen).size).toBe(seen.length);
      expect(before.every(({ id }: Body) => seen.includes(id))).toBe(true);
    } while (now.isWriting);
    await writing;
    for (const seen of await Promise.all(readers)) {
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.toSorted()).toEqual(written.toSorted());
    }
    expect(await wrong()).toEqual([]);
  });
});
