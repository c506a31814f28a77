import { decodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApi, testApi, testChain } from '../../../test/api/testing/testApi.ts';

const userAddress = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

describe('mintUsd', () => {
  let api: TestApi;
  let bearer: string;

  beforeAll(async () => {
    api = await testApi({
      patience: { walletMs: 0 },
      chains: [
        testChain('base-sepolia', 'http://127.0.0.1:1'),
        testChain('bnb-testnet', 'http://127.0.0.1:1', { usdDecimals: 18 }),
        testChain('base', 'http://127.0.0.1:1', { usdMintable: false }),
        testChain('unichain', 'http://127.0.0.1:1'),
      ],
    });
    bearer = (await api.signIn()).accessToken;
  });
  afterAll(() => api.stop());

  const mint = (input: object | string) => api.call('mintUsd', input, { bearer });
  const minted = async (input: object | string): Promise<bigint> => {
    const { body } = await mint(input);
    const abi = parseAbi(['function mint(address to, uint256 amount)']);
    return decodeFunctionData({ abi, data: body.transaction.data }).args[1];
  };

  it('default: 100000 dollars', async () => {
    const { status, body } = await mint({ chainSlug: 'base-sepolia', userAddress });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        executed: false,
        transactionHash: '',
        intentId: null,
        transaction: {
          to: `0x${'1'.repeat(40)}`,
          data: `0x40c10f19${userAddress.slice(2).padStart(64, '0')}${(100_000n * 10n ** 6n).toString(16).padStart(64, '0')}`,
          value: '0',
          gasLimit: '100000',
          chainType: 'evm',
          chainId: 'eip155:84532',
        },
      },
    ]);
  });

  it('R1 behavior: every digit arrives, in the decimals of the chain', async () => {
    expect(await minted({ chainSlug: 'base-sepolia', userAddress, amount: 0.1 })).toBe(100_000n);
    expect(await minted({ chainSlug: 'base-sepolia', userAddress, amount: 123456789.012345 })).toBe(
      123_456_789_012_345n,
    );
    expect(await minted({ chainSlug: 'bnb-testnet', userAddress, amount: 0.3 })).toBe(300_000_000_000_000_000n);
    const tiny = `{"chainSlug":"bnb-testnet","userAddress":"${userAddress}","amount":0.000000000000000001}`;
    expect(await minted(tiny)).toBe(1n);
  });

  it.each([
    ['0', 'must be greater than zero'],
    ['-1', 'must be greater than zero'],
    [
      '1e3',
      'must be a number without an exponent and with at most 15 significant digits; where base units are taken, send them as text',
    ],
    [
      '1234567890.1234567',
      'must be a number without an exponent and with at most 15 significant digits; where base units are taken, send them as text',
    ],
    ['0.1234567', 'must have at most 6 digits after the point'],
    ['"5"', 'must be a plain number'],
  ])('error: amount %s', async (amount, message) => {
    const { status, body } = await mint(
      `{"chainSlug":"base-sepolia","userAddress":"${userAddress}","amount":${amount}}`,
    );
    expect([status, body.code, body.details]).toEqual([400, 'INVALID_PARAMETERS', [{ path: 'amount', message }]]);
  });

  it('error: a chain with real dollars, one that is not served, one that does not exist', async () => {
    for (const [chainSlug, code] of [
      ['base', 'UNSUPPORTED_CHAIN'],
      ['polygon', 'UNSUPPORTED_CHAIN'],
      ['solana', 'UNSUPPORTED_CHAIN'],
      ['nowhere', 'INVALID_PARAMETERS'],
    ]) {
      const { status, body } = await mint({ chainSlug, userAddress });
      expect([status, body.success, body.code]).toEqual([400, false, code]);
      expect(body.details[0].path).toBe('chainSlug');
    }
  });

  it('L8 error: a local chain that stands for a mainnet has no test dollars either, and says so', async () => {
    const { status, body } = await mint({ chainSlug: 'unichain', userAddress });
    expect([status, body.code, body.details[0].path]).toEqual([400, 'UNSUPPORTED_CHAIN', 'chainSlug']);
    const { body: known } = await api.call('chains', undefined, { bearer });
    const mintable = known.chains.map((one: { slug: string; dollarToken: { mintable: boolean } }) => [
      one.slug,
      one.dollarToken.mintable,
    ]);
    expect(Object.fromEntries(mintable)).toMatchObject({ 'base-sepolia': true, base: false, unichain: false });
  });

  it('L8 behavior: as an action it takes whole dollars, as a route any', async () => {
    const asAction = (amount: number) => {
      const action = { type: 'mintUsd', chainSlug: 'base-sepolia', userAddress, amount };
      return api.call('platformAction', { source: 'Testnet', expiresAfter: 60_000, action }, { bearer });
    };
    const refused = await asAction(1.5);
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      400,
      'INVALID_PARAMETERS',
      [{ path: 'action.amount', message: 'must be a whole number of dollars' }],
    ]);
    expect((await asAction(2)).status).toBe(200);
    expect((await mint({ chainSlug: 'base-sepolia', userAddress, amount: 1.5 })).status).toBe(200);
  });

  it('error: nobody named, and no signer who would make an embedded wallet', async () => {
    const { status, body } = await mint({ chainSlug: 'base-sepolia' });
    expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(body.error).toMatch(/embedded wallet is not made yet/);
  });

  it('error: a key that may only read', async () => {
    const { body: key } = await api.call('createApiKey', { name: 'reader', scopes: ['read'] }, { bearer });
    const { status, body } = await api.call('mintUsd', { chainSlug: 'base-sepolia', userAddress }, { bearer: key.key });
    expect([status, body.code]).toEqual([403, 'SCOPE_MISSING']);
  });

  it('behavior: with execute it counts as a write too, and needs more than preparing does', async () => {
    const limited = await testApi({
      patience: { walletMs: 0 },
      chains: [testChain('base-sepolia', 'http://127.0.0.1:1')],
      env: { RATE_LIMITS: JSON.stringify({ authenticated: 20, writeDivisor: 10, signIn: 100 }) },
    });
    try {
      const { accessToken } = await limited.signIn();
      const ask = async (execute: boolean) => {
        const input = { chainSlug: 'base-sepolia', execute, ...(execute ? {} : { userAddress }) };
        const { status, headers } = await limited.call('mintUsd', input, { bearer: accessToken });
        return [status, headers['ratelimit-policy']];
      };
      const [read, write] = ['"read";q=20;w=60', '"write";q=2;w=60'];
      expect([await ask(false), await ask(true), await ask(true)]).toEqual([
        [200, read],
        [503, write], // there is no signer
        [503, write],
      ]);
      expect([await ask(true), await ask(false)]).toEqual([
        [429, write],
        [200, read],
      ]);
    } finally {
      await limited.stop();
    }
  });
});
