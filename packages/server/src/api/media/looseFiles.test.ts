import { randomBytes, randomUUID } from 'node:crypto';
import type { Eid } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApi, testApi } from '../../../test/api/testing/testApi.ts';
import { letGoOfFiles, sweepLooseFiles } from './looseFiles.ts';
import type { MediaFile } from './media.ts';

/** `CASES=1000` for a release. */
const rounds = Number(process.env.CASES ?? 50);
const hourMs = 60 * 60_000;
const sender = { owner: randomUUID(), address: '192.0.2.1' };

describe('looseFiles', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
  });
  afterAll(() => api?.stop());

  const newFile = () => api.context.media.json({ random: randomUUID() });
  /** Of two blocks: as `unixFsFile` lays out a film. */
  const newFilm = async (): Promise<MediaFile> => {
    const bytes = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42', 'latin1'), randomBytes(1_500_000)]);
    return (await api.context.media.video(`data:video/mp4;base64,${bytes.toString('base64')}`)) as MediaFile;
  };
  const stored = async ({ blocks }: MediaFile): Promise<number> => {
    const cids = blocks.map(({ cid }) => cid);
    const rows = await api.context.db.selectFrom('media_block').select('cid').where('cid', 'in', cids).execute();
    return rows.length;
  };
  /** As if this much time had passed. */
  const sweepIn = (ms: number) => sweepLooseFiles(api.context.db, api.clock.ms + ms);
  const letGo = ({ url }: MediaFile) =>
    api.context.db.transaction().execute((tx) => letGoOfFiles(tx, [url, null], api.clock.ms));
  const person = async () => (await api.signIn()).userId;
  const refer = async (user_id: string, { url }: MediaFile): Promise<void> => {
    const banner = { banner_url: url, updated_at: new Date() };
    await api.context.db
      .insertInto('profile')
      .values({ user_id, ...banner })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(banner))
      .execute();
  };

  it('default: what is stored for now goes after an hour, what is stored for good stays, in either order', async () => {
    const { media } = api.context;
    const [forNow, forGood, first, then] = [newFile(), newFile(), newFile(), newFile()];
    await media.storeForNow([forNow, first], sender);
    await media.store([forGood, first, then]);
    await media.storeForNow([then], sender);
    await sweepIn(hourMs - 1);
    expect(await stored(forNow)).toBe(1);
    for (const file of [forNow, forGood, first, then]) await letGo(file);
    await sweepIn(hourMs + 1);
    expect(await Promise.all([forNow, forGood, first, then].map(stored))).toEqual([0, 1, 1, 1]);
  });

  it('default: a film goes whole, and its blocks stay while it does', async () => {
    const { media, db } = api.context;
    const film = await newFilm();
    expect(film.blocks).toHaveLength(3);
    await media.storeForNow([film], sender);
    const user = await person();
    await refer(user, film);
    for (let hour = 1; hour < 4; hour += 1) await sweepIn(hour * (hourMs + 1));
    expect(await stored(film)).toBe(3);
    await db.deleteFrom('profile').where('user_id', '=', user).execute();
    await letGo(film);
    await sweepIn(hourMs + 1);
    await sweepIn(3 * hourMs);
    expect(await stored(film)).toBe(0);
  });

  it.each(['profile', 'token_draft', 'hub', 'post'] as const)(
    'behavior: what a row of %s refers to stays',
    async (table) => {
      const { media, db } = api.context;
      const file = newFile();
      await media.storeForNow([file], sender);
      const [id, at] = [randomUUID(), new Date()];
      // Another PUBLIC_URL, as before the service moved.
      const url = `https://before.example/functions/v1/ipfs/${file.cid}`;
      const named = { name: 'a', symbol: 'A', slug: id, description: '', token_uri: `ipfs://${file.cid}` };
      const rows = {
        profile: async () => refer(await person(), { ...file, url }),
        token_draft: () =>
          db
            .insertInto('token_draft')
            .values({ token_id: id, eid: 1 as Eid, address: '0x1', creator: '0x1', pool_type: 'meme', ...named })
            .execute(),
        hub: () => db.insertInto('hub').values({ token_id: id, banner_url: url, created_at: at }).execute(),
        post: () =>
          db
            .insertInto('post')
            .values({
              post_id: id,
              type: 'post',
              text: '',
              hashtags: [],
              entities: '[]',
              media: JSON.stringify([file]),
              created_at: at,
            })
            .execute(),
      };
      await rows[table]();
      await letGo(file);
      await sweepIn(hourMs + 1);
      expect(await stored(file)).toBe(1);
    },
  );

  it(`behavior: of ${rounds} files that are stored for good and for now at once, all stay`, async () => {
    const { media } = api.context;
    const files = Array.from({ length: rounds }, newFile);
    await Promise.all(
      files.flatMap((file) => [
        media.storeForNow([file], sender),
        media.store([file]),
        media.storeForNow([file], sender),
      ]),
    );
    await sweepIn(hourMs + 1);
    expect(await Promise.all(files.map(stored))).toEqual(files.map(() => 1));
  });

  it(`behavior: in ${rounds} races of storing, referring, letting go and sweeping nothing is lost that is referred to`, async () => {
    const { media, db } = api.context;
    const users = await Promise.all(Array.from({ length: 4 }, person));
    const shared = newFile();
    for (let round = 0; round < rounds; round += 1) {
      // The hour of everything is over when the calls come, of which each stores and then refers to what it stored.
      await db
        .updateTable('loose_file')
        .set({ swept_from: new Date(0) })
        .execute();
      await Promise.all([
        ...users.map(async (user) => {
          const file = round % 2 === 0 ? shared : newFile();
          await media.storeForNow([file], sender);
          await refer(user, file);
        }),
        letGo(shared),
        sweepIn(0),
        sweepIn(0),
      ]);
      const urls = await db.selectFrom('profile').select('banner_url').where('user_id', 'in', users).execute();
      for (const { banner_url } of urls) {
        const found = await media.read(String(banner_url).split('/').at(-1) as string);
        expect([round, banner_url, found === null]).toEqual([round, banner_url, false]);
      }
    }
  });
});
