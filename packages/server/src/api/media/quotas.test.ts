import { randomBytes, randomUUID } from 'node:crypto';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, type TestApi, testApi } from '../../../test/api/testing/testApi.ts';
import { eids } from '../../../test/eids.ts';
import { sweepLooseFiles } from './looseFiles.ts';

const hourMs = 60 * 60_000;
/** So short that several are taken at once. */
const filmBytes = 150_000;
const quotas = {
  userDay: 2.5 * filmBytes,
  userTotal: 4.5 * filmBytes,
  addressDay: 3.5 * filmBytes,
  addressTotal: 8 * filmBytes,
  filmsAfterHours: 24,
};

/** Starts like an MP4; no two are the same. */
const film = (length = filmBytes): string => {
  const bytes = randomBytes(length);
  bytes.write('\0\0\0\x18ftypmp42', 0, 'latin1');
  return `data:video/mp4;base64,${bytes.toString('base64')}`;
};

describe('media quotas', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi({ env: { MEDIA_QUOTAS: JSON.stringify(quotas) } });
  });
  afterAll(() => api?.stop());

  const upload = ({ accessToken }: SignedIn, data: string, address = '192.0.2.1') =>
    api.call('uploadMedia', { kind: 'video', data }, { bearer: accessToken, address });
  const codesOf = async (count: number, send: () => ReturnType<typeof upload>) => {
    const codes: string[] = [];
    for (let sent = 0; sent < count; sent += 1) codes.push((await send()).body.code ?? 'stored');
    return codes;
  };
  /** Signed up so many hours ago; signs in whenever it is called. */
  const userOf = async (hours = 48): Promise<() => Promise<SignedIn>> => {
    const account = privateKeyToAccount(generatePrivateKey());
    const { userId } = await api.signIn(account);
    const created_at = new Date(api.clock.ms - hours * hourMs);
    await api.context.db.updateTable('app_user').set({ created_at }).where('user_id', '=', userId).execute();
    return () => api.signIn(account);
  };
  const oldUser = async () => (await userOf())();
  let at = 0;
  /** No upload came from it before. */
  const newAddress = (): string => {
    at += 1;
    return `198.51.100.${at}`;
  };
  const sweepIn = async (hours: number) => {
    for (let hour = 1; hour <= hours; hour += 1)
      await sweepLooseFiles(api.context.db, api.clock.ms + hour * (hourMs + 1));
  };

  it('error: an account brings so many bytes a day, also at once, and goes on the next day', async () => {
    const [signIn, address] = [await userOf(), newAddress()];
    const user = await signIn();
    const sent = await Promise.all(Array.from({ length: 4 }, () => upload(user, film(), address)));
    expect(sent.map(({ body }) => body.code ?? 'stored').toSorted()).toEqual([
      'MEDIA_QUOTA_EXCEEDED',
      'MEDIA_QUOTA_EXCEEDED',
      'stored',
      'stored',
    ]);
    const refused = await upload(user, film(), address);
    expect([refused.status, refused.body]).toEqual([
      403,
      expect.objectContaining({
        error: expect.stringMatching(/one day \(UTC\)\. .*next day \(UTC\)/),
        details: {
          quota: 'userDay',
          mostBytes: quotas.userDay,
          usedBytes: expect.any(Number),
          bytes: expect.any(Number),
        },
      }),
    ]);
    api.clock.ms += 24 * hourMs;
    expect((await upload(await signIn(), film(), address)).status).toBe(200);
  });

  it('error: all accounts of an address bring so many, and another address is free', async () => {
    const address = newAddress();
    const users = await Promise.all(Array.from({ length: 5 }, oldUser));
    const codes: string[] = [];
    for (const user of users) codes.push((await upload(user, film(), address)).body.code ?? 'stored');
    expect(codes).toEqual(['stored', 'stored', 'stored', 'MEDIA_QUOTA_EXCEEDED', 'MEDIA_QUOTA_EXCEEDED']);
    expect((await upload(users[4] as SignedIn, film(), newAddress())).status).toBe(200);
  });

  it('error: what is stored of an account takes so much room, until it goes', async () => {
    const signIn = await userOf();
    const { userId } = await signIn();
    const send = async () => upload(await signIn(), film(), newAddress());
    const stored: string[] = [];
    for (let day = 0; day < 3; day += 1) {
      stored.push(...(await codesOf(2, send)));
      api.clock.ms += 24 * hourMs;
    }
    expect(stored).toEqual([...Array(4).fill('stored'), ...Array(2).fill('MEDIA_QUOTA_EXCEEDED')]);
    expect((await send()).body.details.quota).toBe('userTotal');
    await sweepIn(3);
    expect(await api.context.db.selectFrom('media_share').selectAll().where('user_id', '=', userId).execute()).toEqual(
      [],
    );
    expect((await send()).status).toBe(200);
  });

  it('behavior: the same file counts once, and a premium user has ten times as much', async () => {
    const [user, address, same] = [await oldUser(), newAddress(), film()];
    expect(await codesOf(4, () => upload(user, same, address))).toEqual(Array(4).fill('stored'));
    await api.context.db.updateTable('app_user').set({ premium: true }).where('user_id', '=', user.userId).execute();
    expect(await codesOf(4, () => upload(user, film(), address))).toEqual(Array(4).fill('stored'));
  });

  it('error: films of an account that is a day old, or that has created a token', async () => {
    const user = await (await userOf(0))();
    const refused = await upload(user, film(100), newAddress());
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      403,
      'FILMS_NOT_YET',
      { from: expect.stringMatching(/Z$/) },
    ]);
    const post = { text: '', media: [film(100)] };
    expect((await api.call('createPost', post, { bearer: user.accessToken })).body.code).toBe('FILMS_NOT_YET');
    const { db } = api.context;
    const token_id = randomUUID();
    const token = {
      eid: eids.baseSepolia,
      address: `0x${'7'.repeat(40)}` as const,
      token_id,
      platform_id: '0x1',
      creator: user.address,
      pool_type: 7,
      name: 'Fox',
      symbol: 'FOX',
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
    } as const;
    await db
      .insertInto('chain')
      .values({ eid: eids.baseSepolia, slug: 'base-sepolia', usd: '0x', usd_decimals: 6, launchpad: '0x' })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await db.insertInto('token').values(token).execute();
    expect((await upload(user, film(100), newAddress())).status).toBe(200);
  });
});
