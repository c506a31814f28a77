import {
  createTokenTypedData,
  digestOf,
  infoAuthTypedData,
  infoBodyHashes,
  registerTypedData,
  type SignedCreation,
} from '@mintage/protocol';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApi, testApi, testChain } from '../../../test/api/testing/testApi.ts';
import { createEvmClient } from '../../chain/evm/evmClient.ts';
import { buildApp, createContext } from '../main.ts';

const platformName = 'Acme Pad';
/** Equal requests: `CASES=1000` for a release. */
const parallel = Math.min(1_000, Number(process.env.CASES ?? 60));
const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const creation = {
  type: 'createToken',
  name: 'Demo Coin',
  symbol: 'DEMO',
  description: 'A demo',
  image: png,
  chainSlug: 'base-sepolia',
  simulate: false,
};

describe('POST /platform-action', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi({
      env: { PLATFORM_NAME: platformName, NETWORK: 'Testnet' },
      chains: [testChain('base-sepolia', 'http://127.0.0.1:9')],
    });
  });
  afterAll(() => api.stop());

  const post = async (path: string, payload: object, headers: Record<string, string>) => {
    const answer = await api.inject({ method: 'POST', url: `/functions/v1${path}`, payload, headers });
    return { status: answer.statusCode, body: answer.json() };
  };
  const wallet = () => privateKeyToAccount(generatePrivateKey());
  const bearer = (address: string) => ({ authorization: `Bearer ${address}` });
  const signing = (nonce: number) => ({ platformName, signatureChainId: 1n, nonce, expiresAfter: 300_000 });
  const envelope = (nonce: number) => ({
    source: 'Testnet',
    expiresAfter: 300_000,
    nonce,
    signatureChainId: '0x1',
  });
  let ticks = 0;
  /** Nonces that differ. */
  const now = () => {
    ticks += 1;
    return api.clock.ms + ticks;
  };

  const eip4361 = (
    address: string,
    nonce: number,
  ) => `app.acmepad.example wants you to sign in with your Ethereum account:
${address}

AcmePad register timestamp: ${nonce}

URI: https://app.acmepad.example
Version: 1
Chain ID: 1
Nonce: ${nonce}
Issued At: ${new Date(nonce).toISOString()}
Expiration Time: ${new Date(nonce + 300_000).toISOString()}`;
  const threeLines = (address: string, nonce: number) => `AcmePad register\naddress: ${address}\ntimestamp: ${nonce}`;

  const registration = async (
    account: PrivateKeyAccount,
    nonce: number,
    message = eip4361(account.address, nonce),
  ) => ({
    ...envelope(nonce),
    signature: await account.signTypedData(registerTypedData(signing(nonce), 'Testnet')),
    action: { type: 'register', method: 'web3', message, signature: await account.signMessage({ message }) },
  });
  const register = async (account: PrivateKeyAccount) => {
    const { status, body } = await post(
      '/platform-action',
      await registration(account, now()),
      bearer(account.address),
    );
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  };
  /** Signed in the `form`-th of the forms that clients use. */
  const signedCreation = async (account: PrivateKeyAccount, nonce: number, action: object = creation, form = 0) => {
    const forms = createTokenTypedData(signing(nonce), 'Testnet', action as unknown as SignedCreation);
    const signature = await account.sign({ hash: digestOf(forms[form % forms.length] as never) });
    return { ...envelope(nonce), signature, action };
  };

  it('default: a wallet registers, once, with either message and signatures with or without 0x', async () => {
    const account = wallet();
    const first = await register(account);
    expect(first).toMatchObject({
      actionType: 'register',
      name: 'register',
      success: true,
      walletAddress: account.address.toLowerCase(),
      method: 'web3',
    });
    const nonce = now();
    for (const message of [
      threeLines(account.address, nonce),
      threeLines(account.address, nonce).replaceAll('\n', '\\n'),
    ]) {
      const again = await registration(account, now(), message);
      const signed = await registration(account, nonce, message);
      const bare = {
        ...signed,
        signature: signed.signature.slice(2),
        action: { ...signed.action, signature: signed.action.signature.slice(2) },
      };
      const { body } = await post(
        '/acme-pad',
        message.includes('\\n') ? again : bare,
        bearer(account.address.toLowerCase()),
      );
      if (message.includes('\\n'))
        expect(body.code).toBe('INVALID_REGISTER_MESSAGE'); // another nonce than the message's
      else expect(body).toMatchObject({ success: true, userId: first.userId });
    }
    const capital = await registration(account, now());
    const { body: capitals } = await post('/platform-action', capital, bearer(account.address.toUpperCase()));
    expect(capitals).toMatchObject({ success: true, userId: first.userId });
    const literal = now();
    const message = threeLines(account.address, literal).replaceAll('\n', '\\n');
    const { body } = await post(
      '/platform-action',
      await registration(account, literal, message),
      bearer(account.address),
    );
    expect(body).toMatchObject({ success: true, userId: first.userId });
  });

  it('default: a registered wallet signs a creation in every form that clients use', async () => {
    const account = wallet();
    await register(account);
    const action = { ...creation, amountIn: 10 };
    for (let form = 0; form < 4; form += 1) {
      const { status, body } = await post(
        '/platform-action',
        await signedCreation(account, now(), action, form),
        bearer(account.address),
      );
      expect([status, body.error]).toEqual([200, undefined]);
      expect(body).toMatchObject({ actionType: 'createToken', name: 'createToken', executed: false });
      expect(body.transactions.at(-1)).toMatchObject({ chainSlug: 'base-sepolia', chainId: 84_532, chainType: 'evm' });
    }
  });

  it('behavior: a creation may name another wallet as its creator', async () => {
    const account = wallet();
    await register(account);
    const action = { ...creation, userAddress: wallet().address };
    const { status } = await post(
      '/platform-action',
      await signedCreation(account, now(), action),
      bearer(account.address),
    );
    expect(status).toBe(200);
  });

  it('error: a wallet without an account, and a signature that would have been good', async () => {
    const account = wallet();
    const { status, body } = await post(
      '/platform-action',
      await signedCreation(account, now()),
      bearer(account.address),
    );
    expect([status, body.code]).toEqual([401, 'IDENTITY_NOT_REGISTERED']);
  });

  it('A1 many equal requests at once to four servers are taken once', async () => {
    const account = wallet();
    await register(account);
    const payload = await signedCreation(account, now());
    const { config, db, log, now: clock, intentKeys } = api.context;
    const servers = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const chains = [testChain('base-sepolia', 'http://127.0.0.1:9')];
        return buildApp(
          await createContext({
            config,
            db: db.withTables(),
            chains,
            createClient: createEvmClient,
            log,
            now: clock,
            intentKeys,
          }),
        );
      }),
    );
    try {
      const answers = await Promise.all(
        Array.from({ length: parallel }, async (_, i) => {
          const headers = bearer(account.address);
          const url = '/functions/v1/platform-action';
          const answer = await servers[i % servers.length]?.inject({ method: 'POST', url, payload, headers });
          return answer?.json();
        }),
      );
      expect(answers.filter(({ success }) => success)).toHaveLength(1);
      expect(answers.filter(({ code }) => code === 'REPLAY_DETECTED')).toHaveLength(parallel - 1);
    } finally {
      await Promise.all(servers.map((server) => server.close()));
    }
  });

  it('A1 nothing older, newer or longer than its window, which is an hour at most', async () => {
    const account = wallet();
    await register(account);
    for (const nonce of [api.clock.ms - 300_001, api.clock.ms + 300_500]) {
      const { status, body } = await post(
        '/platform-action',
        await signedCreation(account, nonce),
        bearer(account.address),
      );
      expect([status, body.code]).toEqual([401, 'ACTION_EXPIRED']);
    }
    const long = { ...(await signedCreation(account, now())), expiresAfter: 3_600_001 };
    expect((await post('/platform-action', long, bearer(account.address))).status).toBe(400);
  });

  it('A2 a signature for the other network is refused', async () => {
    const account = wallet();
    await register(account);
    const request = { ...(await signedCreation(account, now())), source: 'Mainnet' };
    const { status, body } = await post('/platform-action', request, bearer(account.address));
    expect([status, body.code]).toEqual([400, 'INVALID_PARAMETERS']);
    const forMainnet = createTokenTypedData(signing(now()), 'Mainnet', creation as unknown as SignedCreation);
    const signature = await account.sign({ hash: digestOf(forMainnet[0] as never) });
    const answer = await post(
      '/platform-action',
      { ...envelope(now()), signature, action: creation },
      bearer(account.address),
    );
    expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_ACTION_SIGNATURE']);
  });

  it('A3 each changed field is refused, and so is what could mean two things', async () => {
    const account = wallet();
    await register(account);
    const action = {
      ...creation,
      banner: png,
      tags: ['ai'],
      links: { website: 'https://a.example' },
      destinationChains: ['bnb'],
      poolType: 'meme',
      userAddress: account.address,
      builder: { code: wallet().address, fee: 50 },
      token_referral: wallet().address,
      amountIn: 10,
      tokensOut: 5,
      maxAmountIn: 100,
    };
    const changes = {
      name: 'Other',
      symbol: 'OTHER',
      description: 'Other',
      image: png.replace('==', '='),
      banner: png.replace('==', '='),
      tags: ['agent'],
      links: { twitter: 'https://a.example' },
      destinationChains: ['base'],
      poolType: 'test',
      userAddress: wallet().address,
      builder: { code: action.builder.code, fee: 51 },
      token_referral: wallet().address,
      amountIn: 11,
      tokensOut: 6,
      maxAmountIn: 101,
    };
    for (const [field, value] of Object.entries(changes)) {
      const request = await signedCreation(account, now(), action);
      const { status, body } = await post(
        '/platform-action',
        { ...request, action: { ...action, [field]: value } },
        bearer(account.address),
      );
      expect([field, status, body.code]).toEqual([field, 401, 'INVALID_ACTION_SIGNATURE']);
    }
    for (const part of [{ tags: ['a|b'] }, { links: { website: 'https://a.example/|' } }]) {
      const request = await signedCreation(account, now(), { ...creation, ...part });
      const { status, body } = await post('/platform-action', request, bearer(account.address));
      expect([status, body.code]).toEqual([400, 'INVALID_PARAMETERS']);
    }
    const [signer, other] = [wallet(), wallet()];
    const nonce = now();
    const message = eip4361(signer.address, nonce);
    const mixed = await registration(signer, nonce);
    mixed.action.signature = await other.signMessage({ message });
    expect((await post('/platform-action', mixed, bearer(signer.address))).body.code).toBe('INVALID_REGISTER_MESSAGE');
    const stranger = await registration(signer, now());
    expect((await post('/platform-action', stranger, bearer(other.address))).body.code).toBe(
      'INVALID_ACTION_SIGNATURE',
    );
  });

  it('A4 the second form of a signature is nobody’s', async () => {
    const account = wallet();
    await register(account);
    const request = await signedCreation(account, now());
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const s = order - BigInt(`0x${request.signature.slice(66, 130)}`);
    const v = request.signature.endsWith('1b') ? '1c' : '1b';
    const signature = `${request.signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}`;
    const { status, body } = await post('/platform-action', { ...request, signature }, bearer(account.address));
    expect([status, body.code]).toEqual([401, 'INVALID_ACTION_SIGNATURE']);
  });

  it('behavior: other actions need a token, and answer as their route with the action’s name', async () => {
    const { accessToken, address } = await api.signIn();
    const action = { type: 'mintUsd', chainSlug: 'base-sepolia', userAddress: address, amount: 5 };
    const request = { source: 'Testnet', expiresAfter: 300_000, action };
    const { body } = await post('/platform-action', request, bearer(accessToken));
    const { body: twin } = await api.call('mintUsd', { ...action, type: undefined }, { bearer: accessToken });
    expect(body).toEqual({ actionType: 'mintUsd', name: 'mintUsd', ...twin });
    expect((await post('/platform-action', request, {})).body.code).toBe('AUTHENTICATION_FAILED');
    expect((await post('/platform-action', request, bearer(address))).body.code).toBe('AUTHENTICATION_FAILED');
  });

  it('error: paths of details start at the envelope', async () => {
    const { accessToken } = await api.signIn();
    const request = {
      source: 'Testnet',
      expiresAfter: 300_000,
      action: { type: 'mintUsd' },
    };
    const { status, body } = await post('/platform-action', request, bearer(accessToken));
    expect(status).toBe(400);
    expect(body.details).toEqual([{ path: 'action.chainSlug', message: 'is required' }]);
  });

  it('error: statuses that clients of this endpoint do not know are 400', async () => {
    const { accessToken } = await api.signIn();
    const { body: key } = await api.call('createApiKey', { name: 'reader', scopes: ['read'] }, { bearer: accessToken });
    const action = { type: 'mintUsd', chainSlug: 'base-sepolia', userAddress: wallet().address };
    const request = { source: 'Testnet', expiresAfter: 300_000, action };
    const { status, body } = await post('/platform-action', request, bearer(key.key));
    expect([status, body.code]).toEqual([400, 'SCOPE_MISSING']);
  });

  describe('allowances', () => {
    let limited: TestApi;
    beforeAll(async () => {
      const limits = JSON.stringify({ anonymous: 50, authenticated: 200, writeDivisor: 10, signIn: 1e6 });
      limited = await testApi({
        env: { PLATFORM_NAME: platformName, NETWORK: 'Testnet', RATE_LIMITS: limits },
        chains: [testChain('base-sepolia', 'http://127.0.0.1:9')],
      });
    });
    afterAll(() => limited?.stop());

    const act = async (account: PrivateKeyAccount, payload: object, remoteAddress: string) => {
      const url = '/functions/v1/platform-action';
      const headers = bearer(account.address);
      const {
        statusCode,
        headers: answered,
        ...answer
      } = await limited.inject({
        method: 'POST',
        url,
        payload,
        headers,
        remoteAddress,
      });
      return {
        status: statusCode,
        policy: answered['ratelimit-policy'],
        code: answer.json().code as string | undefined,
      };
    };
    /** Signs in, which registers; counted apart. */
    const registered = async () => {
      const account = wallet();
      await limited.signIn(account);
      return account;
    };

    it('behavior: registered users are counted by user, however many share an address', async () => {
      const accounts = await Promise.all(Array.from({ length: 4 }, registered));
      const statuses: number[] = [];
      for (let round = 0; round < 3; round += 1)
        for (const account of accounts)
          statuses.push((await act(account, await signedCreation(account, now()), '192.0.2.10')).status);
      expect(statuses).toEqual(Array(12).fill(200));
      const [one] = accounts as [PrivateKeyAccount];
      const more = await Promise.all(
        Array.from({ length: 20 }, async () => act(one, await signedCreation(one, now()), '192.0.2.10')),
      );
      expect(more.filter(({ status }) => status === 200)).toHaveLength(17);
      expect(more.filter(({ code }) => code === 'RATE_LIMIT_EXCEEDED')).toHaveLength(3);
      expect(more[0]?.policy).toBe('"write";q=20;w=60');
    });

    it('behavior: all others are counted by address, and refused before the check once it is used up', async () => {
      const [stranger, user] = [wallet(), await registered()];
      const send = async () => act(stranger, await signedCreation(stranger, now()), '192.0.2.11');
      const codes: (string | undefined)[] = [];
      for (let sent = 0; sent < 7; sent += 1) codes.push((await send()).code);
      expect(codes).toEqual([...Array(5).fill('IDENTITY_NOT_REGISTERED'), ...Array(2).fill('RATE_LIMIT_EXCEEDED')]);
      expect((await act(user, await signedCreation(user, now()), '192.0.2.12')).status).toBe(200);
    });

    it('A1 a replay is refused by its signature, before the action is hashed', async () => {
      const account = await registered();
      const nonce = now();
      const signed = await signedCreation(account, nonce);
      expect((await act(account, signed, '192.0.2.13')).status).toBe(200);
      // Another picture: were it hashed first, the signature would be wrong.
      const other = { ...signed, action: { ...creation, image: `${png}AAAA` } };
      expect((await act(account, other, '192.0.2.13')).code).toBe('REPLAY_DETECTED');
    });
  });
});

describe('reads that a wallet signs', () => {
  it('default: the four headers stand for a credential; parallel reads may carry the same signature', async () => {
    const api = await testApi({ env: { PLATFORM_NAME: platformName } });
    try {
      const account = privateKeyToAccount(generatePrivateKey());
      const { userId } = await api.signIn(account);
      const nonce = api.clock.ms;
      const body = { type: 'getUserFees' };
      const read = async (signed: Record<string, unknown>, change: Record<string, string> = {}) => {
        const [bodyHash] = infoBodyHashes(signed, []);
        const data = infoAuthTypedData(
          { platformName, signatureChainId: 1n, nonce, expiresAfter: 300_000 },
          'getUserFees',
          bodyHash as `0x${string}`,
        );
        const answer = await api.inject({
          method: 'POST',
          url: '/functions/v1/info',
          payload: body,
          headers: {
            authorization: `Bearer ${account.address}`,
            'x-info-signature': await account.signTypedData(data),
            'x-info-nonce': String(nonce),
            'x-info-expires-after': '300000',
            'x-info-signature-chain-id': '0x1',
            ...change,
          },
        });
        return [answer.statusCode, answer.json().code ?? answer.json().type];
      };
      expect(userId).toBeTruthy();
      expect(await Promise.all([read(body), read(body)])).toEqual([
        [200, 'getUserFees'],
        [200, 'getUserFees'],
      ]);
      expect(await read({ ...body, chains: null })).toEqual([200, 'getUserFees']);
      expect(await read({ ...body, user_id: null, chains: null })).toEqual([200, 'getUserFees']);
      expect(await read({ ...body, chains: ['base'] })).toEqual([401, 'AUTHENTICATION_FAILED']);
      expect(await read(body, { 'x-info-nonce': String(nonce + 1) })).toEqual([401, 'AUTHENTICATION_FAILED']);
      expect(await read(body, { 'x-info-nonce': 'soon' })).toEqual([401, 'AUTHENTICATION_FAILED']);
      expect(await read(body, { authorization: `Bearer 0x${'1'.repeat(40)}` })).toEqual([401, 'AUTHENTICATION_FAILED']);
      api.clock.ms += 300_001;
      expect(await read(body)).toEqual([401, 'ACTION_EXPIRED']);
    } finally {
      await api.stop();
    }
  });

  it('error: a wallet that never registered is told so', async () => {
    const api = await testApi({ env: { PLATFORM_NAME: platformName } });
    try {
      const account = privateKeyToAccount(generatePrivateKey());
      const signing = { platformName, signatureChainId: 1n, nonce: api.clock.ms, expiresAfter: 1_000 };
      const [bodyHash] = infoBodyHashes({ type: 'me' }, []);
      const answer = await api.inject({
        method: 'POST',
        url: '/functions/v1/info',
        payload: { type: 'me' },
        headers: {
          authorization: `Bearer ${account.address}`,
          'x-info-signature': await account.signTypedData(infoAuthTypedData(signing, 'me', bodyHash as `0x${string}`)),
          'x-info-nonce': String(signing.nonce),
          'x-info-expires-after': '1000',
          'x-info-signature-chain-id': '0x1',
        },
      });
      expect([answer.statusCode, answer.json().code]).toEqual([401, 'IDENTITY_NOT_REGISTERED']);
    } finally {
      await api.stop();
    }
  });
});
