import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeDraft } from '../../../src/api/tokens/draft.ts';
import { requireToken } from '../../../src/api/tokens/tokenRef.ts';
import { chainChannel } from '../../../src/db/chainChannel.ts';
import { hex, startReads, tokenRow } from '../reads/readsFixture.ts';

type NewToken = ReturnType<typeof tokenRow>;

describe('requireToken, of a token that was just created', () => {
  let reads: Awaited<ReturnType<typeof startReads>>;
  beforeAll(async () => {
    reads = await startReads();
  });
  afterAll(() => reads?.stop());

  /** What this service keeps of a creation that it prepares. */
  const drafted = async (n: number): Promise<{ token: NewToken; slug: string }> => {
    const token = tokenRow('base', hex(n), { name: `Red Fox ${n}` });
    const { slug } = await storeDraft(reads.db, {
      tokenId: token.token_id,
      eid: token.eid,
      address: token.address,
      creator: token.creator,
      poolType: 'meme',
      name: token.name,
      symbol: token.symbol,
      userId: '00000000-0000-4000-8000-000000000001',
      description: 'd',
      tokenUri: 'ipfs://x',
      logo: 'http://127.0.0.1/x',
      banner: null,
      video: null,
      links: {},
      tags: [],
      destinationChains: [],
      builder: null,
    });
    return { token, slug };
  };
  const indexed = async (token: NewToken): Promise<void> => {
    await reads.db.insertInto('token').values(token).execute();
    await sql`select pg_notify(${chainChannel}, ${JSON.stringify({ eid: token.eid, version: 1 })})`.execute(reads.db);
  };
  /** With how long each wait for an index may take, milliseconds. */
  const watched = () => {
    const waits: number[] = [];
    const { chainNews } = reads.context;
    const wait: typeof chainNews.wait = (id, look, limitMs) => {
      waits.push(limitMs);
      return chainNews.wait(id, look, limitMs);
    };
    return { context: { ...reads.context, chainNews: { ...chainNews, wait } }, waits };
  };
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'found',
      (error: { code: string }) => error.code,
    );

  it('behavior: whatever it is named by, it is there as soon as the index says so', async () => {
    /** How long it took from the index's word. */
    const arrival = async (n: number): Promise<number> => {
      const { token, slug } = await drafted(n);
      const refs = [token.token_id, token.platform_id, token.address, token.address.toUpperCase(), ` ${slug} `];
      const asked = refs.map((ref) => requireToken(reads.context, ref));
      await sleep(600); // 400 ms before they look by themselves
      const saidMs = performance.now();
      await indexed(token);
      for (const found of await Promise.all(asked)) expect(found).toMatchObject({ token_id: token.token_id, slug });
      const { context, waits } = watched();
      await requireToken(context, slug);
      expect(waits).toEqual([]);
      return performance.now() - saidMs;
    };
    // By the notification, not by the next look; a busy machine is late now and then.
    let [n, tookMs] = [0xe0, Number.POSITIVE_INFINITY];
    while (tookMs > 300 && n < 0xf0) tookMs = await arrival(n++);
    expect(tookMs).toBeLessThan(300);
  });

  it('error: one that does not come is given up after three seconds', async () => {
    const { slug } = await drafted(0xf1);
    const { context, waits } = watched();
    const startedMs = performance.now();
    expect(await codeOf(requireToken(context, slug))).toBe('TOKEN_NOT_FOUND');
    expect(performance.now() - startedMs).toBeGreaterThan(2_900);
    expect(waits).toEqual([3_000]);
  });

  it('error: what nobody prepared, or more than a day ago, is not waited for', async () => {
    const { token, slug } = await drafted(0xf2);
    await reads.db
      .updateTable('token_draft')
      .set({ created_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('token_id', '=', token.token_id)
      .execute();
    const nobodys = tokenRow('base', hex(0xf3));
    const { context, waits } = watched();
    for (const ref of [slug, token.address, nobodys.token_id, nobodys.platform_id, nobodys.address, 'no-such-token'])
      expect([ref, await codeOf(requireToken(context, ref))]).toEqual([ref, 'TOKEN_NOT_FOUND']);
    expect(waits).toEqual([]);
  });
});
