import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApi, testApi } from '../../../test/api/testing/testApi.ts';
import { eids } from '../../../test/eids.ts';
import { claimSlug } from '../../db/claimSlug.ts';
import { sweepLooseFiles } from '../media/looseFiles.ts';
import { endDrafts, findDraft, type NewDraft, storeDraft } from './draft.ts';

const day = 24 * 60 * 60 * 1000;
const draft = (tokenId: string, name: string): NewDraft => ({
  tokenId,
  eid: eids.baseSepolia,
  address: `0x${'a'.repeat(40)}`,
  creator: `0x${'b'.repeat(40)}`,
  poolType: 'meme',
  name,
  symbol: 'S',
  userId: '00000000-0000-4000-8000-000000000001',
  description: 'd',
  tokenUri: 'ipfs://x',
  logo: 'http://127.0.0.1/x',
  banner: null,
  video: null,
  links: { website: 'https://a.example/' },
  tags: ['a'],
  destinationChains: ['solana'],
  builder: null,
});
const id = (n: number): string => `00000000-0000-8000-8000-${n.toString().padStart(12, '0')}`;

/** A row of a token that was created. */
const created = (tokenId: string, name: string) =>
  ({
    eid: eids.baseSepolia,
    address: `0x${tokenId.slice(-4).repeat(10)}`,
    token_id: tokenId,
    platform_id: '0x1',
    creator: '0x1',
    pool_type: 7,
    name,
    symbol: 'S',
    uri: '',
    salt: '0x1',
    created_at: new Date(),
    block_number: 1,
    log_index: 0,
    tx_hash: '0x1',
    virtual_tokens: 1n,
    virtual_usd: 1n,
    start_price_usd18: 1n,
    price_usd18: 1n,
  }) as const;

describe('drafts', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
  });
  afterAll(() => api?.stop());

  it('default: found by the token id for 24 hours', async () => {
    const { db } = api.context;
    expect(await storeDraft(db, draft(id(1), 'Red Fox'))).toEqual({ slug: 'red-fox' });
    expect(await storeDraft(db, draft(id(2), 'Red Fox'))).toEqual({ slug: 'red-fox-2' });
    const now = Date.now();
    expect(await findDraft(db, id(1), now)).toMatchObject({ tokenId: id(1), name: 'Red Fox', poolType: 'meme' });
    expect(await findDraft(db, 'red-fox', now)).toBeNull();
    expect(await findDraft(db, id(1), now + day + 60_000)).toBeNull();
  });

  it('behavior: a draft that replaces one of the same person and name gets its slug; no other does', async () => {
    const { db } = api.context;
    expect(await storeDraft(db, draft(id(11), 'Grey Fox'))).toEqual({ slug: 'grey-fox' });
    expect(await storeDraft(db, draft(id(12), 'Grey Fox'), id(11))).toEqual({ slug: 'grey-fox' });
    // What was replaced has none any more, and gets the next one if it is created after all.
    expect(await claimSlug(db.withTables(), id(11), 'Grey Fox')).toBe('grey-fox-2');
    const strangers: Partial<NewDraft>[] = [
      { userId: '00000000-0000-4000-8000-000000000002' },
      { creator: `0x${'d'.repeat(40)}` },
      { name: 'Grey  Fox' },
    ];
    for (const [n, stranger] of strangers.entries())
      expect(await storeDraft(db, { ...draft(id(13 + n), 'Grey Fox'), ...stranger }, id(12))).toEqual({
        slug: `grey-fox-${3 + n}`,
      });
    await db
      .insertInto('token')
      .values(created(id(12), 'Grey Fox'))
      .execute();
    expect(await storeDraft(db, draft(id(16), 'Grey Fox'), id(12))).toEqual({ slug: 'grey-fox-6' });
    await db.deleteFrom('token').execute();
    await db.deleteFrom('token_draft').where('name', 'like', 'Grey%').execute();
  });

  it('behavior: ended drafts go with their slugs, created tokens stay', async () => {
    const { db } = api.context;
    await storeDraft(db, draft(id(3), 'Blue Fox'));
    await storeDraft(db, draft(id(4), 'Green Fox'));
    await db
      .insertInto('token')
      .values(created(id(4), 'Green Fox'))
      .execute();
    await endDrafts(db, Date.now() + day - 60_000);
    expect(await db.selectFrom('token_draft').select('token_id').execute()).toHaveLength(4);
    await endDrafts(db, Date.now() + day + 60_000);
    expect(await db.selectFrom('token_draft').select('token_id').execute()).toEqual([{ token_id: id(4) }]);
    expect(await claimSlug(db.withTables(), id(9), 'Blue Fox')).toBe('blue-fox');
    expect(await claimSlug(db.withTables(), id(8), 'Green Fox')).toBe('green-fox-2');
  });

  it('behavior: the files of a creation that was not sent go after a day, those of a token stay', async () => {
    const { db, media } = api.context;
    const start = Date.now();
    const draftOf = async (n: number) => {
      const [json, logo] = [media.json({ n }), media.json({ logo: n })];
      await media.storeForNow([json, logo], { owner: draft(id(n), '').userId, address: '192.0.2.1' });
      await storeDraft(db, { ...draft(id(n), 'Film Fox'), tokenUri: `ipfs://${json.cid}`, logo: logo.url });
      return async () => (await Promise.all([media.read(json.cid), media.read(logo.cid)])).map((file) => file !== null);
    };
    const [unsent, sent] = [await draftOf(20), await draftOf(21)];
    await db
      .insertInto('token')
      .values(created(id(21), 'Film Fox'))
      .execute();
    const sweepAt = async (ms: number) => {
      await endDrafts(db, ms);
      await sweepLooseFiles(db, ms);
    };
    await sweepAt(start + 2 * 60 * 60_000);
    expect([await unsent(), await sent()]).toEqual([
      [true, true],
      [true, true],
    ]);
    await sweepAt(start + day + 60_000);
    await sweepAt(start + day + 2 * 60 * 60_000);
    expect([await unsent(), await sent()]).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it('behavior: a draft waits while the index of its chain has not passed its last moment', async () => {
    const { db } = api.context;
    await storeDraft(db, draft(id(30), 'Late Fox'));
    const indexedAt = (ms: number) =>
      db
        .insertInto('chain')
        .values({
          eid: eids.baseSepolia,
          slug: 'base-sepolia',
          usd: '0x',
          usd_decimals: 6,
          launchpad: '0x',
          indexed_time: new Date(ms),
        })
        .onConflict((conflict) => conflict.column('eid').doUpdateSet({ indexed_time: new Date(ms) }))
        .execute();
    const isThere = async () =>
      (await db.selectFrom('token_draft').select('token_id').where('token_id', '=', id(30)).execute()).length === 1;
    await indexedAt(Date.now());
    await endDrafts(db, Date.now() + 3 * day);
    expect(await isThere()).toBe(true);
    await indexedAt(Date.now() + day + 60_000);
    await endDrafts(db, Date.now() + 3 * day);
    expect(await isThere()).toBe(false);
  });
});
