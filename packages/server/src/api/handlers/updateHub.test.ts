import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HubOf, type HubWorld, startHubs } from '../../../test/api/testing/hubWorld.ts';
import type { SignedIn } from '../../../test/api/testing/testApi.ts';

describe('updateHub', () => {
  let world: HubWorld;
  let owner: SignedIn;
  let hub: HubOf;
  beforeAll(async () => {
    world = await startHubs();
    owner = await world.api.signIn();
    hub = await world.newHub(owner);
  });
  afterAll(() => world?.stop());

  const update = (change: object, who = owner) =>
    world.api.call('updateHub', { token_id: hub.slug, ...change }, { bearer: who.accessToken });

  it('default: what is given changes, what is absent stays, and empty text removes', async () => {
    const said = { description: 'Boats\nonly.', rules: 'Be kind.', post_rule: 'holders', invite_only: true };
    expect((await update({ ...said, min_holding: '1.5' })).body.hub).toMatchObject({ ...said, min_holding: '1.5' });
    expect((await update({ rules: null })).body.hub).toMatchObject({ ...said, min_holding: '1.5' });
    const none = await update({ description: '', rules: '', min_holding: '', invite_only: false });
    expect(none.body.hub).toMatchObject({ description: '', rules: null, min_holding: null, invite_only: false });
    expect(none.body.hub.post_rule).toBe('holders');
  });

  it.each([
    ['0', null],
    ['0.000', null],
    ['0.000000000000000001', '0.000000000000000001'],
    ['1000000000', '1000000000'],
    ['2.50', '2.5'],
  ])('default: min_holding %s is shown as %s', async (min_holding, shown) => {
    expect((await update({ min_holding })).body.hub.min_holding).toBe(shown);
  });

  it.each([
    { min_holding: '-1' },
    { min_holding: '1e3' },
    { min_holding: '0.0000000000000000001' },
    { min_holding: '9'.repeat(80) },
    { min_holding: 5 },
    { rules: 'a'.repeat(2001) },
    { description: 'turned \u202e round' },
    { rules: 'a\u0000b' },
    { post_rule: 'nobody' },
    { banner: 'data:image/png;base64,AAAA' },
    { name: 'Other' },
  ])('error: %o changes nothing', async (change) => {
    const { body: before } = await update({});
    expect((await update({ rules: 'New.', ...change })).status).toBe(400);
    expect((await update({})).body).toEqual(before);
  });

  it('default: a banner is kept, and removed', async () => {
    const background = { r: 20, g: 90, b: 200, alpha: 1 };
    const bytes = await sharp({ create: { width: 900, height: 300, channels: 4, background } })
      .png()
      .toBuffer();
    const { body } = await update({ banner: `data:image/png;base64,${bytes.toString('base64')}` });
    const stored = await world.api.call('ipfs', { cid: body.hub.banner_url.split('/').at(-1) });
    expect((await sharp(stored.body as Buffer).metadata()).width).toBe(900);
    expect((await update({ rules: 'Be kind.' })).body.hub.banner_url).toBe(body.hub.banner_url);
    expect((await update({ banner: '' })).body.hub.banner_url).toBeNull();
  });

  it('error: whoever does not own the hub is refused before a picture is read', async () => {
    const { status, body } = await update({ banner: 'data:image/png;base64,AAAA' }, await world.api.signIn());
    expect([status, body.code]).toEqual([403, 'NOT_THE_HUB_OWNER']);
  });
});
