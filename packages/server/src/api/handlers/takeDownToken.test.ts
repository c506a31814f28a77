import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, type Posting, startPosting } from '../../../test/api/people/postsFixture.ts';
import { addDraft, type tokenRow } from '../../../test/api/reads/readsFixture.ts';
import { signInOperator } from '../../../test/api/testing/operator.ts';
import type { SignedIn } from '../../../test/api/testing/testApi.ts';
import type { MediaFile } from '../media/media.ts';

type Token = ReturnType<typeof tokenRow>;

describe('takeDownToken', () => {
  let on: Posting;
  let operator: SignedIn;
  let creator: SignedIn;
  beforeAll(async () => {
    on = await startPosting();
    operator = await signInOperator(on.api);
    creator = await on.api.signIn();
  });
  afterAll(() => on?.api.stop());

  let shade = 0;
  const picture = async (): Promise<MediaFile> => {
    shade += 10;
    const { media } = on.api.context;
    const background = { r: shade, g: 200, b: 30 };
    const png = await sharp({ create: { width: 40, height: 40, channels: 3, background } })
      .png()
      .toBuffer();
    const file = await media.image(`data:image/png;base64,${png.toString('base64')}`);
    await media.store([file]);
    return file;
  };
  const token = async (logo: MediaFile, banner: MediaFile | null = null): Promise<Token> => {
    const row = await on.token(creator.address);
    await addDraft(on.db, row, randomUUID(), { logo: logo.url, banner: banner?.url ?? null });
    return row;
  };
  const act = async ({ token_id }: Token, taken_down: boolean, more: object = {}): Promise<Body> => {
    const input = { token_id, taken_down, reason: 'A copy.', ...more };
    const { status, body } = await on.api.call('takeDownToken', input, { bearer: operator.accessToken });
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const served = async ({ cid }: MediaFile) => {
    const { status, body } = await on.api.call('ipfs', { cid });
    return status === 200 ? 200 : [status, body.code];
  };
  const out = [451, 'MEDIA_WITHDRAWN'];

  it('default: its logo and banner answer 451, in our words, until it is restored', async () => {
    const [logo, banner] = [await picture(), await picture()];
    const row = await token(logo, banner);
    const { withdrawn, kept, taken_down } = await act(row, true);
    expect([taken_down, withdrawn.toSorted(), kept]).toEqual([true, [logo.cid, banner.cid].toSorted(), []]);
    for (const file of [logo, banner]) expect(await served(file)).toEqual(out);
    const { body, headers } = await on.api.call('ipfs', { cid: logo.cid });
    expect(body).toMatchObject({ success: false, code: 'MEDIA_WITHDRAWN', error: expect.stringContaining(logo.cid) });
    expect(headers['cache-control']).not.toContain('max-age');
    expect(await act(row, false)).toEqual({
      success: true,
      taken_down: false,
      withdrawn: [],
      kept: [logo.cid, banner.cid].toSorted(),
    });
    for (const file of [logo, banner]) expect(await served(file)).toBe(200);
  });

  it('default: nobody who kept it shows it for longer than an hour, and whoever asks again is told', async () => {
    const logo = await picture();
    const row = await token(logo);
    const first = await on.api.call('ipfs', { cid: logo.cid });
    expect(first.headers['cache-control']).toBe('public, max-age=3600');
    const again = async () => {
      const headers = { 'if-none-match': String(first.headers.etag) };
      const { statusCode, rawPayload } = await on.api.inject({
        method: 'GET',
        url: `/functions/v1/ipfs/${logo.cid}`,
        headers,
      });
      return [statusCode, rawPayload.length];
    };
    expect(await again()).toEqual([304, 0]);
    await act(row, true);
    expect((await again())[0]).toBe(451);
  });

  it('default: the picture beside links to it is gone at once', async () => {
    const row = await token(await picture());
    const ask = async () => (await on.api.call('og', { token: `${row.token_id}.png` })).status;
    expect(await ask()).toBe(200);
    await act(row, true);
    expect(await ask()).toBe(404);
    await act(row, false);
    expect(await ask()).toBe(200);
  });

  it('behavior: a file that another token, a person or a post elsewhere uses stays, unless it is taken out too', async () => {
    const uses: ((file: MediaFile) => Promise<unknown>)[] = [
      (file) => token(file),
      (file) => {
        const profile = { user_id: creator.userId, banner_url: file.url, updated_at: new Date() };
        return on.db
          .insertInto('profile')
          .values(profile)
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ banner_url: file.url }))
          .execute();
      },
      (file) => on.post(creator, 'Look', { media: [`ipfs://${file.cid}`] }),
    ];
    for (const use of uses) {
      const logo = await picture();
      const row = await token(logo);
      await use(logo);
      expect(await act(row, true)).toMatchObject({ withdrawn: [], kept: [logo.cid] });
      expect(await served(logo)).toBe(200);
      expect(await act(row, true, { shared_media: true })).toMatchObject({ withdrawn: [logo.cid], kept: [] });
      expect(await served(logo)).toEqual(out);
    }
  });

  it('behavior: what is only drafted, or in its own hub, keeps no file up', async () => {
    const logo = await picture();
    const row = await token(logo);
    const draft = { ...row, token_id: randomUUID() };
    await addDraft(on.db, draft, randomUUID(), { logo: logo.url });
    await on.post(creator, 'Look', { taggedCoinId: row.token_id, media: [`ipfs://${logo.cid}`] });
    expect((await act(row, true)).withdrawn).toEqual([logo.cid]);
  });

  it('behavior: of two that show one file it is back when both are', async () => {
    const logo = await picture();
    const [one, other] = [await token(logo), await token(logo)];
    expect((await act(one, true)).kept).toEqual([logo.cid]);
    expect((await act(other, true)).withdrawn).toEqual([logo.cid]);
    await act(one, true);
    await act(other, false);
    expect(await served(logo)).toEqual(out);
    await act(one, false);
    expect(await served(logo)).toBe(200);
  });

  it('behavior: a file that is out of service is put into nothing new by its address', async () => {
    const logo = await picture();
    await act(await token(logo), true);
    const bearer = creator.accessToken;
    const source = `ipfs://${logo.cid}`;
    for (const [name, input] of [
      ['createPost', { text: '', media: [source] }],
      ['updateUser', { banner: source }],
    ] as const)
      expect((await on.api.call(name, input, { bearer })).body.code).toBe('MEDIA_INVALID');
  });

  it('error: no such token, no reason, and what is misspelt', async () => {
    const ask = async (input: object) =>
      (await on.api.call('takeDownToken', input, { bearer: operator.accessToken })).body.code;
    const { token_id } = await token(await picture());
    expect(await ask({ token_id: 'nobody', taken_down: true, reason: 'x' })).toBe('TOKEN_NOT_FOUND');
    expect(await ask({ token_id, taken_down: true })).toBe('INVALID_PARAMETERS');
    expect(await ask({ token_id, taken_down: true, reason: ' ' })).toBe('INVALID_PARAMETERS');
    expect(await ask({ token_id, taken_down: true, reason: 'x', sharedMedia: true })).toBe('INVALID_PARAMETERS');
  });
});
