import { embedPaths, pagePaths } from '@mintage/web/paths';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HubOf, type HubWorld, startHubs } from '../../testing/hubWorld.ts';
import type { SignedIn } from '../../testing/testApi.ts';

describe('every page of the app', () => {
  let world: HubWorld;
  let owner: SignedIn;
  let hub: HubOf;
  let postId: string;
  beforeAll(async () => {
    world = await startHubs();
    owner = await world.api.signIn();
    hub = await world.newHub(owner);
    postId = await world.addPost(hub, { text: 'Who is here?', author_id: owner.userId });
    const code = { code: 'CODE1', code_key: 'code1', user_id: owner.userId, created_at: new Date() };
    await world.api.context.db
      .insertInto('referral_code')
      .values({ ...code, network: 'testnet' })
      .execute();
  });
  afterAll(() => world?.stop());

  const get = async (url: string) => {
    const { statusCode, body } = await world.api.inject({ method: 'GET', url, headers: { host: 'localhost' } });
    return { statusCode, body };
  };
  /** With what its parameters are, and what it says. */
  const pages = (): [path: string, says: string][] => {
    const at = (path: string, ...values: string[]) =>
      values.reduce((filled, value) => filled.replace(/:\w+/, value), path);
    const hash = `0x${'ab'.repeat(32)}`;
    return [
      [pagePaths.home, 'Market'],
      [at(pagePaths.token, hub.slug), 'Fox 1'],
      [pagePaths.feed, 'Feed'],
      [at(pagePaths.post, postId), 'Who is here?'],
      [at(pagePaths.user, owner.userId), 'Posts'],
      [at(pagePaths.tx, 'base-sepolia', hash), 'Transaction'],
      [pagePaths.leaderboard, 'Leaderboard'],
      [at(pagePaths.join, 'CODE1'), 'CODE1'],
      [pagePaths.solvency, 'Solvency'],
      [pagePaths.create, 'Create'],
      [pagePaths.portfolio, 'Portfolio'],
      [pagePaths.rewards, 'Rewards'],
      [pagePaths.account, 'Account'],
      [pagePaths.notifications, 'Notifications'],
      [at(embedPaths.trade, hub.slug), 'Fox 1'],
      [at(embedPaths.price, hub.slug), 'Fox 1'],
    ];
  };

  it('default: each reads without scripts', async () => {
    expect(pages()).toHaveLength(Object.keys({ ...pagePaths, ...embedPaths }).length);
    for (const [path, says] of pages()) {
      const { statusCode, body } = await get(path);
      const shown = /<main.*<\/main>/s.exec(body)?.[0].replaceAll(/<script.*?<\/script>|<[^>]*>/gs, ' ') ?? '';
      expect([path, statusCode, shown]).toEqual([path, 200, expect.stringContaining(says)]);
    }
  });

  it('behavior: a framed trade names who showed it, and nobody for what is no address', async () => {
    const givenAt = async (search: string) => {
      const { body } = await get(`/embed/trade/${hub.slug}${search}`);
      return JSON.parse(/id="given">(.*?)<\/script>/s.exec(body)?.[1] ?? 'null') as { referral: string | null };
    };
    expect(await givenAt('')).toMatchObject({ kind: 'trade', referral: null });
    expect(await givenAt(`?ref=${owner.address}`)).toMatchObject({ referral: owner.address });
    expect(await givenAt('?ref=somebody')).toMatchObject({ referral: null });
  });
});
