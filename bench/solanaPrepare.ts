import { randomBytes, sign } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '@mintage/devnet';
import type { Address } from '@mintage/protocol';
import type { Database } from '@mintage/server/db';
import { bytesOf } from '../packages/server/src/chain/solana/bytes.ts';
import { ed25519Key } from '../packages/server/src/chain/solana/ed25519Key.ts';
import { signedTransaction } from '../packages/server/src/chain/solana/message/compile.ts';
import { sendTransaction } from '../packages/server/src/chain/solana/rpc/calls.ts';
import { Wire } from '../packages/server/src/chain/wire.ts';
import { otherCore, startLocalApiProcess } from './apiServer.ts';
import { type BenchSystem, withBenchSystem } from './benchSystem.ts';
import type { LoadResult } from './load.ts';
import { startPinned, stopChild } from './pinned.ts';
import { curveTokenOn, meme, newKey, requestText } from './prepare.ts';
import { fireRound, type Measured, measured, median, micros, roundMs, warmUp } from './rounds.ts';

const rounds = 3;
/** With more, answers of the local Solana node, which is one thread, come later than anybody waits for them. */
const connections = 16;
const longestWarmUpMs = 6_000;
const slugs = ['base-sepolia', 'solana-devnet'] as const;
const dollars = 1_000_000_000n;

/**
 * A buy on the curve by a wallet of its own, prepared on an EVM chain and on Solana by one API process: rounds in turn, with and
 * without simulation. Chains, index, database and load are on the other core.
 */
export const benchSolanaPrepare = (): Promise<void> => withBenchSystem(slugs.join(), run);

const run = async ({ system, databaseUrl, home, onEnd }: BenchSystem): Promise<void> => {
  const buyers = { 'base-sepolia': evmBuyer(system), 'solana-devnet': await openSolana(system) };
  const key = await newKey(system);
  const api = await startLocalApiProcess(system, databaseUrl, home);
  onEnd(() => stopChild(api.child));
  const load = startPinned(otherCore, new URL('load.ts', import.meta.url), {});
  onEnd(() => stopChild(load));

  for (const simulate of [false, true]) {
    const fires = new Map<string, (ms: number) => Promise<LoadResult>>();
    for (const chainSlug of slugs) {
      const tokenId = await curveTokenOn(system, chainSlug);
      const { trader: userAddress, builder: code } = buyers[chainSlug];
      const builder = { code, fee: 50 };
      const body = { tokenId, chainSlug, direction: 'buy', buyAmountUSD: 25, userAddress, builder, simulate };
      await requireGood(api.port, key, body);
      const request = requestText(api.port, { key, body });
      const order = { host: '127.0.0.1', port: api.port, request, connections, most: 400_000 };
      fires.set(chainSlug, (ms) => fireRound(load, { ...order, ms }));
    }
    for (const fire of fires.values()) await warmUp(fire, longestWarmUpMs);
    const results = new Map<string, Measured[]>(slugs.map((slug) => [slug, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const [slug, fire] of fires) {
        const result = await measured(api.child, () => fire(roundMs));
        if (result.refused > 0) throw new Error('Requests were refused: the figures mean nothing.');
        results.get(slug)?.push(result);
      }
    const how = simulate ? 'with simulation' : 'without';
    console.log(
      `\nprepared buys ${how}, ${connections} connections, medians of ${rounds} rounds of ${roundMs / 1_000} s`,
    );
    for (const [slug, list] of results) console.log(line(slug, list));
    const [evm, solana] = slugs.map((slug) => rateOf(results.get(slug) as Measured[])) as [number, number];
    console.log(`solana to EVM, prepared ${how}: ratio ${(solana / evm).toFixed(3)}`);
  }
};

const rateOf = (list: readonly Measured[]): number => median(list.map(({ perSecond }) => perSecond));

const line = (slug: string, list: readonly Measured[]): string => {
  const [p50, p99] = [median(list.map(({ p50Ms }) => p50Ms)), median(list.map(({ p99Ms }) => p99Ms))];
  const cpu = list.map(({ cpuMicros }) => cpuMicros).filter((one) => one !== null);
  return [
    slug.padEnd(16),
    `${rateOf(list).toFixed(0)} a second`.padStart(16),
    `p50 / p99 ${p50.toFixed(1)} / ${p99.toFixed(1)} ms`.padStart(28),
    `${micros(cpu.length === 0 ? null : median(cpu))} µs CPU of the API each`.padStart(34),
  ].join('');
};

interface Buyer {
  trader: Address;
  builder: Address;
}

const evmBuyer = ({ chains }: System): Buyer => {
  const [chain] = chains;
  if (chain === undefined) throw new Error('There is no EVM chain.');
  return { trader: chain.accounts.alice.address, builder: chain.accounts.builder.address };
};

/** Creates a token, and gives the buyer dollars and what opens accounts. */
const openSolana = async ({ api, solana: [cluster], db, caughtUp }: System): Promise<Buyer> => {
  const client = api?.context.chains.get('solana-devnet')?.client;
  if (client === undefined || cluster === undefined) throw new Error('There is no Solana chain.');
  const [buyer, builder] = [ed25519Key(randomBytes(32)), ed25519Key(randomBytes(32))];
  for (const { address } of [buyer, builder]) await cluster.fill(address, dollars);
  const salt = client.newSalt(buyer.address);
  const creation = { creator: buyer.address, name: 'Paper Boat', symbol: 'BOAT', uri: 'ipfs://boat', salt };
  const { call } = await client.create({ ...creation, poolType: meme.id, deadline: 2 ** 32 }, null, null);
  const message = bytesOf(call.data).subarray(65);
  const wire = new Wire(cluster.rpcUrl);
  try {
    await wire.request(sendTransaction(signedTransaction(message, sign(null, message, buyer.key))), 5_000);
  } finally {
    await wire.close();
  }
  const token = client.tokenAddress(buyer.address, salt);
  const isThere = async (): Promise<boolean> => {
    await caughtUp();
    const rows = await db
      .withTables<Database>()
      .selectFrom('token')
      .select('token_id')
      .where('address', '=', token)
      .execute();
    return rows.length > 0;
  };
  const until = performance.now() + 30_000;
  while (!(await isThere())) {
    if (performance.now() > until) throw new Error('The index does not see the token.');
    await sleep(100);
  }
  return { trader: buyer.address, builder: builder.address };
};

/** @throws Error unless the request is answered, and would succeed where it was simulated. */
const requireGood = async (port: number, key: string, body: { simulate: boolean }): Promise<void> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const response = await fetch(`http://127.0.0.1:${port}/functions/v1/trade-token`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const answer = JSON.parse(text) as { quote?: { simulation: { ok: boolean | null } | null } };
  if (!response.ok || (body.simulate && answer.quote?.simulation?.ok !== true)) throw new Error(text);
};
