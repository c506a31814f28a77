import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '@mintage/devnet/patientServer';
import { chainBySlug, type Slug } from '@mintage/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApi, testApi, testChain } from '../../../test/api/testing/testApi.ts';
import { eids } from '../../../test/eids.ts';
import type { NewRow } from '../../db/chainTables.ts';
import { watchChains } from '../surfaces/metrics/watchChains.ts';

/** Two chains: one whose provider answers, one whose provider does not. */
describe('chains', () => {
  let api: TestApi;
  let provider: Server;

  beforeAll(async () => {
    provider = createServer(patientServer, (request, response) => {
      request.resume();
      response.end('{"jsonrpc":"2.0","id":1,"result":"0x14a34"}');
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    api = await testApi({
      chains: [
        testChain('base-sepolia', url),
        { ...testChain('zksync-testnet', 'http://127.0.0.1:1/secret'), local: false },
      ],
    });
  });
  afterAll(async () => {
    await api.stop();
    provider.closeAllConnections();
    provider.close();
  });

  const set = async (slug: Slug, values: Partial<NewRow<'chain'>>) => {
    const row = {
      ...values,
      eid: chainBySlug(slug).eid,
      slug,
      usd: '0x' as const,
      usd_decimals: 6,
      launchpad: '0x' as const,
      indexed_time: new Date(api.clock.ms - 7_000),
    };
    await api.context.db
      .insertInto('chain')
      .values(row)
      .onConflict((conflict) => conflict.column('eid').doUpdateSet(row))
      .execute();
  };
  const look = async () => {
    const stop = watchChains(api.context);
    while ([...api.context.chains.values()].every(({ client }) => client.up))
      await new Promise((resolve) => setTimeout(resolve, 5));
    await stop();
  };

  it('default: starting, with its addresses', async () => {
    const { body } = await api.call('chains');
    expect(body.chains[0]).toEqual({
      slug: 'base-sepolia',
      name: 'Base Sepolia',
      chainId: 84532,
      eid: 40245,
      type: 'evm',
      testnet: true,
      blockTimeMs: 2000,
      nativeCurrency: { name: 'Sepolia Ether', symbol: 'ETH', decimals: 18 },
      explorerUrl: null,
      rpcUrl: api.context.chains.get('base-sepolia')?.publicRpcUrl,
      local: true,
      note: null,
      dollarToken: { address: `0x${'1'.repeat(40)}`, symbol: 'USDC', decimals: 6, mintable: true },
      venue: 'uniswap_v4',
      canCreate: true,
      contracts: {
        launchpad: `0x${'a'.repeat(40)}`,
        poolHook: `0x${'a'.repeat(40)}`,
        tokenFactory: `0x${'b'.repeat(40)}`,
        poolManager: `0x${'2'.repeat(40)}`,
        poolFactory: null,
        lens: `0x${'c'.repeat(40)}`,
        tokenImplementation: `0x${'d'.repeat(40)}`,
        tokenBridge: `0x${'e'.repeat(40)}`,
      },
      status: 'starting',
      head: null,
      indexed: null,
      lagMs: null,
      blocksPerSecond: null,
      historyFrom: null,
    });
    expect((await api.call('ready')).body).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(body.chains[1]).toMatchObject({ slug: 'zksync-testnet', local: false, note: null });
  });

  it('R6 behavior: the address of a provider that is not public stays here', async () => {
    const { body } = await api.call('chains');
    expect(body.chains[1]).not.toHaveProperty('rpcUrl');
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it('behavior: what a wallet needs to add the chain; an explorer for those that one shows, which are never local', async () => {
    const [local, real] = (await api.call('chains')).body.chains;
    expect([local.local, local.explorerUrl]).toEqual([true, null]);
    expect([real.local, real.name, real.nativeCurrency, real.explorerUrl]).toEqual([
      false,
      'ZKsync Sepolia Testnet',
      { name: 'Ether', symbol: 'ETH', decimals: 18 },
      'https://sepolia.explorer.zksync.io',
    ]);
  });

  it('behavior: a local stand-in says what it stands for', async () => {
    const other = await testApi({ chains: [testChain('zksync-testnet', 'http://127.0.0.1:1')] });
    const { body } = await other.call('chains');
    await other.stop();
    expect(body.chains[0].note).toMatch(/^A plain EVM chain in place of .+, which in reality runs the EraVM/);
  });

  it('behavior: how far it is, how late, and that a silent one is down', async () => {
    await set('base-sepolia', { head: 100, indexed: 90, status: 'syncing', blocks_per_second: 12.345 });
    await set('zksync-testnet', { head: 50, indexed: 50, status: 'live' });
    await look();
    const [first, second] = (await api.call('chains')).body.chains;
    expect([first.status, first.head, first.indexed, first.lagMs]).toEqual(['syncing', 100, 90, 7_000]);
    expect([second.status, second.lagMs]).toEqual(['down', 0]);
    expect([first.blocksPerSecond, second.blocksPerSecond]).toEqual([12.3, null]);
    const metrics = String((await api.call('metrics')).body);
    expect(metrics).toContain('mintage_chain_up{chain="zksync-testnet"} 0');
    expect(metrics).toContain('mintage_chain_lag_seconds{chain="base-sepolia"} 7');
  });

  it('behavior: /metrics counts what waits for the signer and what is on its way, and how long the oldest waits', async () => {
    const intent = (status: 'queued' | 'signed' | 'done', ageSeconds: number) => ({
      eid: eids.baseSepolia,
      intent_id: randomUUID(),
      user_id: randomUUID(),
      wallet: '0xaa' as const,
      status,
      expires_at: new Date('2100-01-01'),
      created_at: sql<Date>`now() - make_interval(secs => ${ageSeconds})`,
    });
    const states = [intent('queued', 5), intent('queued', 500), intent('signed', 9_000), intent('done', 99_000)];
    await api.context.db.insertInto('intent').values(states).execute();
    await look();
    const metrics = String((await api.call('metrics')).body);
    expect(metrics).toContain('mintage_intents{chain="base-sepolia",status="queued"} 2');
    expect(metrics).toContain('mintage_intents{chain="base-sepolia",status="signed"} 1');
    expect(metrics).toContain('mintage_intents{chain="zksync-testnet",status="queued"} 0');
    expect(metrics).toMatch(/mintage_intent_oldest_queued_seconds{chain="base-sepolia"} 5\d\d(\.|\n)/);
    expect(metrics).toContain('mintage_intent_oldest_queued_seconds{chain="zksync-testnet"} 0');
  });

  it('behavior: ready names what is missing, and is 200 at the head', async () => {
    await set('base-sepolia', { head: 100, indexed: 90, status: 'live' });
    const { status, body } = await api.call('ready');
    expect(status).toBe(503);
    expect(body.details).toEqual([
      { path: 'base-sepolia', message: 'is indexed to block 90 of 100' },
      { path: 'zksync-testnet', message: 'is down' },
    ]);
    const { chains } = api.context;
    const only = new Map([...chains].filter(([slug]) => slug === 'base-sepolia'));
    Object.assign(api.context, { chains: only });
    await set('base-sepolia', { head: 100, indexed: 99, status: 'live' });
    expect((await api.call('ready')).body).toEqual({ status: 'ready' });
    Object.assign(api.context, { chains });
  });
});
