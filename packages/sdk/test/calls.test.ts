import { freePort } from '@mintage/devnet/freePort';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  apiKey,
  createClient,
  createReader,
  createStreams,
  type Session,
  session,
  signIn,
  wallet,
} from '../src/sdk.ts';
import { errorOf } from './errorOf.ts';
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
const pathsOf = (asked: Request[]): string[] =>
  asked.map(({ url }) => new URL(url).pathname.slice('/functions/v1'.length));
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

  it('error: no field of a path leads out of it', async () => {
    const { asked, fetch } = watchedFetch();
    const client = clientOf({ fetch });
    for (const cid of ['..', '.', '', undefined, null])
      expect(await errorOf(client.ipfs({ cid: cid as string }))).toMatchObject({
        code: 'INVALID_PARAMETERS',
        details: [{ path: 'cid' }],
      });
    expect(asked).toEqual([]);
    for (const cid of ['%2e%2e', '...', '/', '../me', '..\\me', ' ', '?a=1', '#'])
      expect((await errorOf(client.ipfs({ cid }))).code).toBe('INVALID_PARAMETERS');
    expect(new Set(asked.map(({ url }) => url.slice(0, url.lastIndexOf('/'))))).toEqual(
      new Set([`${service.url}/functions/v1/ipfs`]),
    );
  });

  it('error: the code, sentence, details and request id of the service', async () => {
    const error = await errorOf(clientOf().getTokenAbout({ token_id: 'no such token' }));
    expect(error).toMatchObject({ code: 'TOKEN_NOT_FOUND', kind: { status: 400, retryable: false } });
    expect(error.requestId).toMatch(/\S/);
    // What to do stands apart, so that who prints both prints it once.
    expect(error.message).toBe('No token is known as no such token.');
    const wrong = await errorOf(clientOf().getTokenTrades({ token_id: 'x', limit: -1 }));
    expect(wrong).toMatchObject({ code: 'INVALID_PARAMETERS', details: [{ path: 'limit' }] });
  });

  it('error: nobody answers, and what answers is no service', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    expect((await errorOf(createReader({ baseUrl: nobody, retries: 0 }).health())).code).toBe('UNREACHABLE');
    for (const body of ['<html>', 'null', '7', '']) {
      const { fetch } = watchedFetch(() => new Response(body, { status: 200 }));
      expect((await errorOf(clientOf({ fetch }).health())).code).toBe('UNEXPECTED_ANSWER');
    }
    const other = watchedFetch(() => Response.json({ error: {}, code: 7 }, { status: 418 }));
    expect((await errorOf(clientOf({ fetch: other.fetch }).health())).code).toBe('UNEXPECTED_ANSWER');
  });

  it('behavior: a proxy that reaches nobody, or is too busy, is tried again as it asks', async () => {
    for (const [status, code] of [
      [502, 'UNREACHABLE'],
      [429, 'RATE_LIMIT_EXCEEDED'],
    ] as const) {
      const headers = { 'retry-after': new Date(Date.now() - 1_000).toUTCString() };
      const { fetch, asked } = watchedFetch(() => new Response('busy', { status, headers }));
      expect(await errorOf(clientOf({ fetch }).health())).toMatchObject({ code, retryAfterMs: 0 });
      expect(asked).toHaveLength(3);
    }
  });

  it('error: settings and inputs that cannot be sent name what is wrong, and never a secret', async () => {
    for (const baseUrl of [
      'localhost',
      'ftp://example.com',
      'https://example.com/?a=1',
      '',
      'https://me:secret@example.com',
    ]) {
      const make = () => createReader({ baseUrl });
      expect(make).toThrow(
        expect.objectContaining({ code: 'INVALID_PARAMETERS', message: expect.not.stringContaining('secret') }),
      );
    }
    for (const retries of [Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, '2' as unknown as number]) {
      expect(() => createReader({ baseUrl: service.url, retries })).toThrow(/^retries: /);
      expect(() => createStreams({ baseUrl: service.url, retries })).toThrow(/^retries: /);
    }
    for (const silenceMs of [Number.NaN, -1, 2 ** 31])
      expect(() => createStreams({ baseUrl: service.url, silenceMs })).toThrow(/^silenceMs: /);
    const client = clientOf();
    const wrong = [
      client.getTokenTrades({ token_id: 'x', limit: 7n as unknown as number }),
      client.ipfs({ cid: '\ud800' }),
      client.health({}, { timeoutMs: Number.POSITIVE_INFINITY }),
      client.health({}, { timeoutMs: Number.NaN }),
      clientOf({ auth: apiKey('se\ncret') }).me(),
      clientOf({ auth: session({ accessToken: 'se\u2028cret' }) }).me(),
      clientOf({ auth: apiKey('x') }).createApiKey({ name: 'n' }, { idempotencyKey: 'se\u0000cret' }),
    ];
    for (const call of wrong) {
      const error = await errorOf(call);
      expect(error.code).toBe('INVALID_PARAMETERS');
      expect(`${error.message} ${error.cause}`).not.toContain('cret');
    }
  });

  it('behavior: what may succeed later is sent again, as late as it says, and ends with the caller’s signal', async () => {
    const once = watchedFetch((_, before) => (before === 0 ? unavailable({ 'retry-after': '0' }) : null));
    expect(await clientOf({ fetch: once.fetch }).health()).toEqual({ status: 'ok' });
    expect(once.asked).toHaveLength(2);

    const always = watchedFetch(() => unavailable({ 'retry-after': '0' }));
    expect((await errorOf(clientOf({ fetch: always.fetch }).health())).code).toBe('SERVICE_UNAVAILABLE');
    expect(always.asked).toHaveLength(3);

    const person = watchedFetch(() =>
      Response.json({ success: false, error: 'Too far', code: 'SLIPPAGE_EXCEEDED' }, { status: 400 }),
    );
    expect((await errorOf(clientOf({ fetch: person.fetch }).health())).kind.retryable).toBe(true);
    expect(person.asked).toHaveLength(1);

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

  it('behavior: a refusal that comes after the renewal uses what was renewed', async () => {
    const { first } = await signedIn();
    const ended = session({ ...first, accessToken: 'ended' });
    let answerLate = (): void => {};
    const late = new Promise<void>((resolve) => {
      answerLate = resolve;
    });
    const { fetch, asked } = watchedFetch(async (request, before) => {
      if (before > 0) return null;
      const refusal = await globalThis.fetch(request);
      await late;
      return refusal;
    });
    const client = clientOf({ auth: ended, fetch });
    const slow = client.me();
    await client.me();
    answerLate();
    await slow;
    expect(pathsOf(asked).filter((path) => path === '/auth/refresh')).toHaveLength(1);
  });

  it('behavior: a new session is used once it is kept, and is not lost when it cannot be', async () => {
    const { first } = await signedIn();
    const order: string[] = [];
    const onRefresh = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push('kept');
      throw new Error('disk full');
    };
    const { fetch } = watchedFetch(({ url, headers }) => {
      if (!url.endsWith('/me')) return null;
      order.push(headers.get('authorization') === 'Bearer ended' ? 'old' : 'new');
      return null;
    });
    const client = clientOf({ fetch, auth: session({ ...first, accessToken: 'ended' }, { onRefresh }) });
    await expect(client.me()).rejects.toThrow('disk full');
    await client.me();
    expect(order).toEqual(['old', 'kept', 'new']);
  });

  it('behavior: a clock that is fast refreshes once, not at every call', async () => {
    const { first } = await signedIn();
    const isFast = () => void vi.setSystemTime(Date.now() + 86_400_000);
    const { fetch, asked } = watchedFetch(async (request) => {
      vi.useRealTimers(); // the service's clock, in this process too, is right
      const answer = await globalThis.fetch(request);
      isFast();
      return answer;
    });
    const client = clientOf({ auth: session(first), fetch });
    isFast();
    try {
      await client.me();
      await client.me();
    } finally {
      vi.useRealTimers();
    }
    expect(pathsOf(asked)).toEqual(['/auth/refresh', '/me', '/me']);
  });

  it('error: a session that ended for good says so once, by its time or by a refusal', async () => {
    const past = `e30.${btoa(JSON.stringify({ exp: 1 }))}.x`;
    for (const [accessToken, expected] of [
      ['ended', ['/me', '/auth/refresh', '/me']],
      [past, ['/auth/refresh', '/me', '/me']],
    ] as const) {
      const { fetch, asked } = watchedFetch();
      const client = clientOf({ fetch, auth: session({ accessToken, refreshToken: 'used' }) });
      expect((await errorOf(client.me())).code).toBe('AUTHENTICATION_FAILED');
      expect((await errorOf(client.me())).code).toBe('AUTHENTICATION_FAILED');
      expect(pathsOf(asked)).toEqual(expected);
    }
  });

  it('behavior: what is good for one use is not sent again when no answer came', async () => {
    const { account, first } = await signedIn();
    const lost = () =>
      watchedFetch(({ url }) => (/login|refresh/.test(url) ? Promise.reject(new TypeError('lost')) : null));
    const [login, refresh] = [lost(), lost()];
    expect((await errorOf(signIn(clientOf({ fetch: login.fetch }), account))).code).toBe('UNREACHABLE');
    expect(pathsOf(login.asked)).toEqual(['/auth/challenge', '/auth/login']);
    const client = clientOf({ fetch: refresh.fetch, auth: session({ ...first, accessToken: 'ended' }) });
    expect((await errorOf(client.me())).code).toBe('UNREACHABLE');
    expect(pathsOf(refresh.asked)).toEqual(['/me', '/auth/refresh']);
  });

  it('behavior: an action is sent for who signed it, whoever calls by then', async () => {
    const [signer, other] = [newWallet(), newWallet()];
    const slowSigner = {
      ...signer,
      async signTypedData(...asked: Parameters<typeof signer.signTypedData>) {
        client.use(wallet(other, signing));
        return signer.signTypedData(...asked);
      },
    } as typeof signer;
    const client = clientOf({ auth: wallet(slowSigner, signing) });
    expect((await client.actions.register()).walletAddress).toBe(signer.address.toLowerCase());
  });

  it('error: a network that was not given, and cannot be told by any chain', async () => {
    const { actions } = createClient({ baseUrl: service.url });
    expect((await errorOf(actions.register())).message).toMatch(/^network: must be given/);
  });

  it('behavior: a write has a key by which it is done once, also when it comes twice', async () => {
    const { auth } = await signedIn();
    const { fetch, asked } = watchedFetch((request, before) =>
      before > 0 ? null : globalThis.fetch(request).then(() => unavailable({ 'retry-after': '0' })),
    );
    const client = clientOf({ auth, fetch });
    // It was done; a secret is shown once, and not to who asks again.
    expect((await errorOf(client.createApiKey({ name: 'once' }))).code).toBe('IDEMPOTENCY_ANSWER_GONE');
    const lost = clientOf({ auth, fetch: watchedFetch(() => Promise.reject(new TypeError('lost'))).fetch, retries: 0 });
    const error = await errorOf(lost.createApiKey({ name: 'lost' }));
    expect(error).toMatchObject({ code: 'UNREACHABLE', idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/) });
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
