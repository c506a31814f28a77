import { devAccounts, type System, startSystem } from '@mintage/devnet';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { until } from '@mintage/devnet/until';
import { operations } from '@mintage/protocol/operations';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningApi } from '../../src/api/main.ts';
import { basePath } from '../../src/api/wire/limits.ts';
import { eids } from '../eids.ts';
import { onePixel } from './trade/tradeWorld.ts';

const chainSlug = 'base-sepolia';
const staleAfterMs = 4_000;
const someone = `0x${'a1'.repeat(20)}`;

/** A chain that mines every second, and is killed. */
let system: System;
let api: RunningApi;
let database: Awaited<ReturnType<typeof testDatabase>>;

beforeAll(async () => {
  database = await testDatabase();
  const rateLimits = JSON.stringify({ anonymous: 1e9, authenticated: 1e9, signIn: 1e9 });
  const env = { CHAINS: chainSlug, DATABASE_URL: database.url, LOG_LEVEL: 'silent', RATE_LIMITS: rateLimits };
  system = await startSystem({ env: { ...env, ROLES: 'api,indexer' }, staleAfterMs });
  api = system.api as RunningApi;
});
afterAll(async () => {
  await system?.stop();
  await database?.stop();
});

const call = async (path: string, input?: object, bearer?: string) => {
  const answer = await api.app.inject({
    method: input === undefined ? 'GET' : 'POST',
    url: basePath + path,
    headers: {
      'content-type': 'application/json',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    ...(input === undefined ? {} : { payload: JSON.stringify(input) }),
  });
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  return { status: answer.statusCode, body: isJson ? answer.json() : answer.body };
};
const lagSeconds = async (): Promise<number> =>
  Number(/mintage_chain_lag_seconds\{chain="base-sepolia"\} ([\d.]+)/.exec((await call('/metrics')).body)?.[1]);

it('H9 error: on a chain that died nothing is quoted or prepared, and /chains, /ready and the lag tell so', async () => {
  const { db } = api.context;
  const token = await db.selectFrom('token').select(['token_id', 'creator']).limit(1).executeTakeFirstOrThrow();
  const account = devAccounts().alice;
  const { message } = (await call('/auth/challenge', { address: account.address })).body;
  const { accessToken: bearer } = (
    await call('/auth/login', { message, signature: await account.signMessage({ message }) })
  ).body;
  await db
    .insertInto('fee_balance')
    .values({
      eid: eids.baseSepolia,
      recipient: account.address.toLowerCase() as `0x${string}`,
      currency: someone as `0x${string}`,
      earned: 9n,
      claimable: 9n,
      last_distribution_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

  const trade = {
    tokenId: token.token_id,
    chainSlug,
    direction: 'buy',
    buyAmountUSD: 10,
    userAddress: account.address,
  };
  const creation = { name: 'Late', symbol: 'LATE', description: 'Late.', image: onePixel, chainSlug };
  const inputs = {
    quoteToken: { tokenId: token.token_id, chainSlug, direction: 'buy', inputToken: 'usdc', amount: 10 },
    tradeToken: { ...trade, simulate: false },
    createTokenTransaction: { ...creation, userAddress: account.address, amountIn: 10, simulate: false },
    claimRewards: { chains: [chainSlug], userAddress: account.address },
    transferToken: {
      token_id: token.token_id,
      from_chain_slug: chainSlug,
      to_chain_slug: chainSlug,
      amount: '1',
      recipient_address: someone,
      wallet_address: account.address,
    },
  };
  const answers = async () => {
    const told: [string, number, string | undefined][] = [];
    for (const [name, input] of Object.entries(inputs)) {
      const { path } = operations.find((one) => one.name === name) as { path: string };
      const { status, body } = await call(path, input, bearer);
      told.push([name, status, body.code]);
    }
    return told;
  };
  expect(await answers()).toEqual(Object.keys(inputs).map((name) => [name, 200, undefined]));
  await until(async () => (await lagSeconds()) === 0);

  process.kill(system.chains[0]?.pid as number, 'SIGKILL');
  await system.chains[0]?.ended;
  await until(async () => (await call('/quote-token', inputs.quoteToken)).status !== 200);
  expect(await answers()).toEqual(Object.keys(inputs).map((name) => [name, 503, 'NETWORK_ERROR']));
  expect(await call('/trade-token', trade, bearer)).toMatchObject({ status: 503, body: { code: 'NETWORK_ERROR' } });
  const [served] = (await call('/chains')).body.chains;
  expect(served.status).toBe('down');
  expect((await call('/ready')).status).toBe(503);
  const first = await until(async () => (await lagSeconds()) || null);
  await until(async () => (await lagSeconds()) > first);
  expect((await call('/chains')).body.chains[0].lagMs).toBeGreaterThanOrEqual(1000 * Math.floor(first));
});
