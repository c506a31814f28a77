import { freePort } from '@mintage/devnet/freePort';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKey, createClient, createReader, MintageError, type Session, session, signIn, wallet } from '../src/sdk.ts';
import { startService, type TestService, watchedFetch } from './service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

const newWallet = () => privateKeyToAccount(generatePrivateKey());
const signing = { platformName: 'Mintage', network: 'Testnet', chainId: 84_532 } as const;
const clientOf = (settings: Partial<Parameters<typeof createClient>[0]> = {}) =>
  createClient({ baseUrl: service.url, network: 'Testnet', ...settings });
/** The error of a call that has to fail. */
const errorOf = async (call: Promise<unknown>): Promise<MintageError> => {
  const error = await call.then(
    () => null,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(MintageError);
  return error as MintageError;
};
const unavailable = (headers: Record<string, string> = {}) =>
  Response.json({ success: false, error: 'Busy', code: 'SERVICE_UNAVAILABLE' }, { status: 503, headers });

describe('calls', () => {
  it('default: reads, by the base address with the path of the interface or without', async () => {
    for (const baseUrl of [service.url, `${service.url}/`, `${service.url}/functions/v1`]) {
      expect(await createReader({ baseUrl }).health()).toEqual({ status: 'ok' });
    }
  });

  it('default: queries, path parameters, and answers that are no JSON', async () => {
    const { asked, fetch } = watchedFetch();
    const client = clientOf({ fetch });
    expect(await (await client.llms()).text()).toContain('Mintage');
    expect((await errorOf(client.ipfs({ cid: 'bafy/../x' }))).code).toBe('INVALID_PARAMETERS');
    expect(new URL(asked[1]?.url ?? '').pathname).toBe('/functions/v1/ipfs/bafy%2F..%2Fx');
  });

  it('error: the code, sentence, details and request id of the service', async () => {
    const error = await errorOf(clientOf().getTokenAbout({ token_id: 'no such token' }));
    expect(error).toMatchObject({ code: 'TOKEN_NOT_FOUND', kind: { status: 400, retryable: false } });
    expect(error.requestId).toMatch(/\S/);
    const wrong = await errorOf(clientOf().getTokenTrades({ token_id: 'x', limit: -1 }));
    expect(wrong).toMatchObject({ code: 'INVALID_PARAMETERS', details: [{ path: 'limit' }] });
  });

  it('error: nobody answers, what answers is no service, and no address', async () => {
    expect(
      (await errorOf(createReader({ baseUrl: `http://127.0.0.1:${await freePort()}`, retries: 0 }).health())).code,
    ).toBe('UNREACHABLE');
    const { fetch } = watchedFetch(() => new Response('<html>', { status: 200 }));
    expect((await errorOf(clientOf({ fetch }).health())).code).toBe('UNEXPECTED_ANSWER');
    const proxy = watchedFetch(() => new Response('bad gateway', { status: 502 }));
    expect((await errorOf(clientOf({ fetch: proxy.fetch }).health())).code).toBe('UNEXPECTED_ANSWER');
    expect((await errorOf(createReader({ baseUrl: 'localhost' }).health())).code).toBe('INVALID_PARAMETERS');
  });

  it('behavior: what may succeed later is sent again, as late as it says, and ends with the caller’s signal', async () => {
    const once = watchedFetch((_, before) => (before === 0 ? unavailable({ 'retry-after': '0' }) : null));
    expect(await clientOf({ fetch: once.fetch }).health()).toEqual({ status: 'ok' });
    expect(once.asked).toHaveLength(2);

    const always = watchedFetch(() => unavailable({ 'retry-after': '0' }));
    expect((await errorOf(clientOf({ fetch: always.fetch }).health())).code).toBe('SERVICE_UNAVAILABLE');
    expect(always.asked).toHaveLength(3);

    const late = watchedFetch(() => unavailable({ 'retry-after': '3600' }));
    expect((await errorOf(clientOf({ fetch: late.fetch }).health())).retryAfterMs).toBe(3_600_000);
    expect(late.asked).toHaveLength(1);

    const ended = new AbortController();
    const waiting = clientOf({ fetch: watchedFetch(() => unavailable({ 'retry-after': '20' })).fetch }).health(
      {},
      { signal: ended.signal },
    );
    ended.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});

describe('who calls', () => {
  const signedIn = async (settings: Parameters<typeof session>[1] = {}) => {
    const account = newWallet();
    const first = await signIn(clientOf(), account);
    return { account, first, auth: session(first, settings) };
  };

  it('default: a wallet signs in, makes an API key, and each of them calls in one client', async () => {
    const { account, auth } = await signedIn();
    const client = clientOf({ auth });
    const { key } = await client.createApiKey({ name: 'program' });
    const userId = (await client.me()).data.userId;
    client.use(apiKey(key));
    expect((await client.me()).data.userId).toBe(userId);
    client.use(wallet(account, signing));
    expect((await client.info.me()).data.userId).toBe(userId);
    client.use(null);
    expect((await errorOf(client.me())).code).toBe('AUTHENTICATION_FAILED');
  });

  it('behavior: a session goes on by its refresh token, once for all calls that wait', async () => {
    const renewed: Session[] = [];
    const { first } = await signedIn();
    const auth = session({ ...first, accessToken: 'ended' }, { onRefresh: (next) => void renewed.push(next) });
    const client = clientOf({ auth });
    const answers = await Promise.all([client.me(), client.me(), client.me()]);
    expect(new Set(answers.map(({ data }) => data.userId)).size).toBe(1);
    expect(renewed).toHaveLength(1);
    expect(renewed[0]?.refreshToken).not.toBe(first.refreshToken);
  });

  it('error: a session that ended for good says so once', async () => {
    const { fetch, asked } = watchedFetch();
    const client = clientOf({ fetch, auth: session({ accessToken: 'ended', refreshToken: 'used' }) });
    expect((await errorOf(client.me())).code).toBe('AUTHENTICATION_FAILED');
    expect(asked.map(({ url }) => new URL(url).pathname.slice('/functions/v1'.length))).toEqual([
      '/me',
      '/auth/refresh',
    ]);
  });

  it('behavior: a write has a key by which it is done once, also when it comes twice', async () => {
    const { auth } = await signedIn();
    const { fetch, asked } = watchedFetch((request, before) =>
      before > 0 ? null : globalThis.fetch(request).then(() => unavailable({ 'retry-after': '0' })),
    );
    const client = clientOf({ auth, fetch });
    // It was done; a secret is shown once, and not to who asks again.
    expect((await errorOf(client.createApiKey({ name: 'once' }))).code).toBe('IDEMPOTENCY_ANSWER_GONE');
    const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    const options = { timeoutMs: 10_000 };
    await client.createApiKey({ name: 'second' }, options);
    await client.createApiKey({ name: 'third' }, options);
    const { keys: made } = await client.listApiKeys();
    expect(made.map(({ name }) => name)).toEqual(['third', 'second', 'once']);
  });

  it('behavior: a wallet registers, and signs reads and creations as the wire contract says', async () => {
    const account = newWallet();
    const client = clientOf({ auth: wallet(account, signing) });
    expect((await errorOf(client.info.me())).code).toBe('IDENTITY_NOT_REGISTERED');
    const registered = await client.actions.register();
    expect(registered).toMatchObject({ success: true, method: 'web3', walletAddress: account.address.toLowerCase() });
    expect((await client.actions.register()).userId).toBe(registered.userId);
    const { data } = await client.info.me({ include_testnets: undefined });
    expect(data.userId).toBe(registered.userId);
    await client.info.getUserPortfolio({ chains: undefined });
    await client.info.getUserFees({ user_id: registered.userId });
    // This service has no chains: it comes as far as that, past the signature.
    const creation = {
      name: 'Paper Boat',
      symbol: 'BOAT',
      description: 'It floats.',
      image: 'data:image/png;base64,AA==',
      chainSlug: 'base-sepolia',
      links: { website: 'https://example.com' },
      tags: ['boat', 'paper'],
      amountIn: 12.5,
    } as const;
    expect((await errorOf(client.actions.createToken(creation))).code).toBe('UNSUPPORTED_CHAIN');
    const stranger = clientOf({ auth: wallet(account, { ...signing, platformName: 'Another Pad' }) });
    expect((await errorOf(stranger.actions.createToken(creation))).code).toBe('INVALID_ACTION_SIGNATURE');
    expect((await errorOf(stranger.info.me())).code).toBe('AUTHENTICATION_FAILED');
    expect((await errorOf(client.actions.enterReferralCode({ referral_code: 'ABC123' }))).code).toBe(
      'AUTHENTICATION_FAILED',
    );
  });

  it('behavior: an action under a credential', async () => {
    const { auth } = await signedIn();
    const { fetch, asked } = watchedFetch();
    const error = await errorOf(clientOf({ auth, fetch }).actions.enterReferralCode({ referral_code: 'ABC123' }));
    expect(error.code).toMatch(/^REFERRAL_/);
    expect(await asked[0]?.json()).toEqual({
      source: 'Testnet',
      expiresAfter: 60_000,
      action: { type: 'enterReferralCode', referral_code: 'ABC123' },
    });
  });
});
