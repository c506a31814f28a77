import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '@mintage/devnet/patientServer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, type TestApi, testApi, testChain } from '../../../test/api/testing/testApi.ts';
import { eids } from '../../../test/eids.ts';

const servers: Server[] = [];

/** A provider of a chain where every wallet has two coins and 1.5 dollars; null: one that never answers. */
const provider = async (chainId: number | null): Promise<string> => {
  const server = createServer(patientServer, (request, response) => {
    if (chainId === null) return;
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method } = JSON.parse(Buffer.concat(parts).toString()) as { method: string };
      const results: Record<string, string> = {
        eth_chainId: `0x${chainId.toString(16)}`,
        eth_getBalance: '0x1bc16d674ec80000',
        eth_call: `0x${(1_500_000).toString(16).padStart(64, '0')}`,
      };
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: results[method] }));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe('me', () => {
  let api: TestApi;
  let caller: SignedIn;
  beforeAll(async () => {
    const silent = await provider(null);
    api = await testApi({
      chains: [
        testChain('base', await provider(8453)),
        // Asking one after the other would take a minute.
        { ...testChain('bnb', silent, { usdDecimals: 18, usdSymbol: 'USDT' }), rpcUrls: Array(30).fill(silent) },
        testChain('polygon', 'http://127.0.0.1:1'),
        testChain('base-sepolia', await provider(84532)),
      ],
    });
    caller = await api.signIn();
    const traded = {
      wallet: caller.address,
      trades: 1,
      first_trade_at: new Date(),
      last_trade_at: new Date(),
    };
    await api.context.db
      .insertInto('trader')
      .values([
        { ...traded, eid: eids.base, volume_usd: 2_500_000n },
        { ...traded, eid: eids.bnb, volume_usd: 10n ** 18n },
        { ...traded, eid: eids.baseSepolia, volume_usd: 7_000_000n },
      ])
      .execute();
    const referred = { trader: caller.address, block_number: 1 };
    await api.context.db
      .insertInto('referrer')
      .values([
        {
          ...referred,
          eid: eids.base,
          referrer: `0x${'2'.repeat(40)}`,
          time: new Date('2026-01-02T00:00:00Z'),
        },
        {
          ...referred,
          eid: eids.baseSepolia,
          referrer: `0x${'1'.repeat(40)}`,
          time: new Date('2026-01-01T00:00:00Z'),
        },
      ])
      .execute();
  });
  afterAll(async () => {
    await api?.stop();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('default: balances of the mainnet chains; one that is down or silent is unknown and fails nothing', async () => {
    const { status, body } = await api.call('me', {}, { bearer: caller.accessToken });
    expect(status).toBe(200);
    const known = {
      native: { balance: '2', balanceRaw: '2000000000000000000' },
      usd: { balance: '1.5', balanceRaw: '1500000' },
    };
    const unknown = { balance: null, balanceRaw: null };
    const address = `0x${'1'.repeat(40)}`;
    const off = (chainSlug: string, chainId: number, coin: string, dollar: string) => ({
      chainSlug,
      chainId,
      native: { symbol: coin, ...unknown },
      usd: { symbol: dollar, address, ...unknown },
      wallets: [{ address: caller.address, native: unknown, usd: unknown }],
    });
    expect(body).toEqual({
      success: true,
      data: {
        userId: caller.userId,
        unreadNotifications: 0,
        authMethod: 'jwt',
        signIn: { passkeys: 0, wallets: 1, identities: 0 },
        wallets: [{ address: caller.address, chainType: 'evm', embedded: false }],
        balances: [
          {
            chainSlug: 'base',
            chainId: 8453,
            native: { symbol: 'ETH', ...known.native },
            usd: { symbol: 'USDC', address, ...known.usd },
            wallets: [{ address: caller.address, ...known }],
          },
          off('bnb', 56, 'BNB', 'USDT'),
          off('polygon', 137, 'POL', 'USDC'),
        ],
        execution: { paused: false },
        referral: { referredBy: `0x${'2'.repeat(40)}`, tradedVolumeUsd: '3.5' },
      },
    });
  });

  it('behavior: with test chains on request, by GET as by POST', async () => {
    const headers = { authorization: `Bearer ${caller.accessToken}` };
    const url = '/functions/v1/me?include_testnets=true';
    const [answer, posted] = await Promise.all([
      api.inject({ method: 'GET', url, headers }),
      api.call('me', { include_testnets: true }, { bearer: caller.accessToken }),
    ]);
    const got = answer.json();
    expect(got).toEqual(posted.body);
    expect(got.data.balances.map((one: { chainSlug: string }) => one.chainSlug)).toEqual([
      'base',
      'bnb',
      'polygon',
      'base-sepolia',
    ]);
    expect(got.data.referral).toEqual({ referredBy: `0x${'1'.repeat(40)}`, tradedVolumeUsd: '10.5' });
  });

  it('L12 behavior: where only test chains are served, they are shown unasked', async () => {
    const testnet = await testApi({ chains: [testChain('base-sepolia', await provider(84532))] });
    try {
      const { accessToken, address } = await testnet.signIn();
      const traded = { eid: eids.baseSepolia, wallet: address, volume_usd: 7_000_000n, trades: 1 };
      await testnet.context.db
        .insertInto('trader')
        .values({ ...traded, first_trade_at: new Date(), last_trade_at: new Date() })
        .execute();
      const shown = async (body: object) => {
        const { data } = (await testnet.call('me', body, { bearer: accessToken })).body;
        return [data.balances.map((one: { chainSlug: string }) => one.chainSlug), data.referral.tradedVolumeUsd];
      };
      expect(await shown({})).toEqual([['base-sepolia'], '7']);
      expect(await shown({ include_testnets: false })).toEqual([[], '0']);
    } finally {
      await testnet.stop();
    }
  });

  it('behavior: shows that execution is paused, by the user or for everybody', async () => {
    const { accessToken } = await api.signIn();
    /** Of this user and of another one. */
    const paused = async () => {
      const bearers = [accessToken, caller.accessToken];
      const answers = await Promise.all(bearers.map((bearer) => api.call('me', {}, { bearer })));
      return answers.map(({ body }) => body.data.execution.paused);
    };
    await api.call('pauseExecution', {}, { bearer: accessToken });
    expect(await paused()).toEqual([true, false]);
    await api.call('resumeExecution', {}, { bearer: accessToken });
    expect(await paused()).toEqual([false, false]);
    await api.context.db.insertInto('signing_pause').values({ reason: 'an incident' }).execute();
    expect(await paused()).toEqual([true, true]);
    await api.context.db.deleteFrom('signing_pause').execute();
  });

  it('behavior: the same as an info read', async () => {
    const { body } = await api.call('info', { type: 'me', include_testnets: null }, { bearer: caller.accessToken });
    expect(body).toMatchObject({ type: 'me', success: true, data: { userId: caller.userId } });
  });

  it('error: include_testnets must be yes or no', async () => {
    const { status, body } = await api.call('me', { include_testnets: 'maybe' }, { bearer: caller.accessToken });
    expect([status, body.details]).toEqual([400, [{ path: 'include_testnets', message: 'must be true or false' }]]);
  });

  it('error: W5 without a credential there is no account', async () => {
    expect((await api.call('me')).status).toBe(401);
  });
});
