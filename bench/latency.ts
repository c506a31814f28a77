import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '@mintage/devnet/freePort';
import { launchpadAbi, platformIdOf, tokenIdOf } from '@mintage/protocol';
import { encodeEventTopics, type Hex, numberToHex } from 'viem';
import { type BenchDatabase, inOwnDatabase, startBenchDatabase } from './benchDatabase.ts';
import { type CrowdChain, startCrowdChain } from './crowdChain.ts';
import { type OwnIndexerOptions, startOwnIndexer } from './ownIndexer.ts';
import { stopChild } from './pinned.ts';
import { installPonder, startPonder } from './ponderApp.ts';

/** How often the reader asks. */
const askEveryMs = 5;
const longestMs = 30_000;

/** Who says what block the newest trade of a token is of. */
type Reader = (token: Hex) => Promise<number>;

/**
 * From a block being mined, with a hundred events of ours in it, to its trades in an answer of the API, beside Ponder and its
 * API: the same blocks' kind, the same pause between two looks at the chain, one after the other on one machine; ours also
 * with the node announcing its blocks. Blocks come 0.7 to 1.3 seconds apart, so that they do not fall into step with the looking.
 */
export const benchLatency = async (): Promise<void> => {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { blocks: { type: 'string', default: '40' }, polls: { type: 'string', default: '1000,100' } },
  });
  const blocks = Number(values.blocks);
  installPonder();
  const database = await startBenchDatabase();
  try {
    console.log(`${blocks} blocks each; milliseconds from mined to readable`);
    console.log(`${''.padEnd(28)}${['p50', 'p95', 'most'].map((name) => name.padStart(8)).join('')}`);
    const ratios: number[] = [];
    for (const pollMs of values.polls.split(',').map(Number)) {
      const theirs = await onFreshChain((chain) => measurePonder(chain, database, pollMs, blocks));
      console.log(line(`Ponder, poll ${pollMs} ms`, theirs));
      for (const isDeaf of [true, false]) {
        const ours = await onFreshChain((chain) => measureOurs(chain, database, { pollMs, isDeaf }, blocks));
        const ofTheirs = [0.5, 0.95].map((part) => quantile(ours, part) / quantile(theirs, part));
        const [p50, p95] = ofTheirs.map((ratio) => ratio.toFixed(3));
        const how = isDeaf ? `poll ${pollMs} ms` : 'blocks announced';
        console.log(`${line(`ours, ${how}`, ours)}   of Ponder's: p50 ${p50}, p95 ${p95}`);
        ratios.push(...ofTheirs);
      }
    }
    console.log(`ratio ${Math.max(...ratios).toFixed(3)}`);
  } finally {
    await database.stop();
  }
};

const onFreshChain = async <T>(work: (chain: CrowdChain) => Promise<T>): Promise<T> => {
  const chain = await startCrowdChain(2_000, console.log);
  try {
    return await work(chain);
  } finally {
    await chain.stop();
  }
};

const measureOurs = (
  chain: CrowdChain,
  database: BenchDatabase,
  looks: Pick<OwnIndexerOptions, 'pollMs' | 'isDeaf'>,
  blocks: number,
): Promise<number[]> =>
  inOwnDatabase(database, async (databaseUrl) => {
    const indexer = await startOwnIndexer({ chain, rpcUrl: chain.rpcUrl, databaseUrl, ...looks });
    try {
      const api = await startApi(chain, databaseUrl, database.home);
      try {
        return await measure(chain, blocks, async (address) => {
          const tokenId = tokenIdOf(platformIdOf(address, chain.chain.eid));
          const body = JSON.stringify({ token_id: tokenId, limit: 1 });
          const headers = { 'content-type': 'application/json' };
          const response = await fetch(`${api.url}/get-token-trades`, { method: 'POST', headers, body });
          if (!response.ok) throw new Error(`the API answers ${response.status}: ${await response.text()}`);
          const { activities } = (await response.json()) as { activities: { evt_block_number: number }[] };
          return activities[0]?.evt_block_number ?? 0;
        });
      } finally {
        await stopChild(api.child);
      }
    } finally {
      await indexer.stop();
    }
  });

const measurePonder = (chain: CrowdChain, database: BenchDatabase, pollMs: number, blocks: number): Promise<number[]> =>
  inOwnDatabase(database, async (databaseUrl) => {
    const { chainId, launchpad, startBlock } = chain.deployment;
    const rpcUrls = [chain.rpcUrl];
    const ponder = await startPonder({ chainId, launchpad, startBlock, rpcUrls, databaseUrl, pollMs });
    try {
      return await measure(chain, blocks, ponder.newestBlock);
    } finally {
      await ponder.stop();
    }
  });

/** Milliseconds from mined to readable, for each block. */
const measure = async (chain: CrowdChain, blocks: number, newestBlock: Reader): Promise<number[]> => {
  const latenciesMs: number[] = [];
  const warmUp = 3;
  for (let i = 0; i < blocks + warmUp; i += 1) {
    const started = performance.now();
    const number = await chain.mineTrades();
    const mined = performance.now();
    const token = await tradedIn(chain, number);
    while ((await newestBlock(token)) < number) {
      if (performance.now() - mined > longestMs)
        throw new Error(`block ${number} was not readable after ${longestMs} ms`);
      await sleep(askEveryMs);
    }
    if (i >= warmUp) latenciesMs.push(performance.now() - mined);
    await sleep(Math.max(0, 700 + Math.random() * 600 - (performance.now() - started)));
  }
  return latenciesMs;
};

/** A token that was traded in the block. */
const tradedIn = async (chain: CrowdChain, block: number): Promise<Hex> => {
  const place = { fromBlock: numberToHex(block), toBlock: numberToHex(block), address: chain.deployment.launchpad };
  const topics = encodeEventTopics({ abi: launchpadAbi, eventName: 'Trade' });
  const [log] = (await chain.rpc('eth_getLogs', [{ ...place, topics }])) as { topics: Hex[] }[];
  if (log === undefined) throw new Error(`block ${block} has no trade`);
  return `0x${log.topics[1]?.slice(26)}`;
};

/** The API as an operator runs it, for one chain and without limits on its one reader. */
const startApi = async (
  { chain, deployment, rpcUrl }: CrowdChain,
  databaseUrl: string,
  home: string,
): Promise<{ child: ChildProcess; url: string }> => {
  mkdirSync(join(home, 'deployments'), { recursive: true });
  writeFileSync(join(home, 'deployments', `${chain.chainId}.json`), JSON.stringify(deployment));
  const port = await freePort();
  const child = spawn(process.execPath, [fileURLToPath(new URL('../scripts/start.mjs', import.meta.url))], {
    env: {
      ...process.env,
      ROLES: 'api',
      DEVNET: '0',
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      CHAINS: chain.slug,
      [`RPC_URL_${chain.slug.toUpperCase().replaceAll('-', '_')}`]: rpcUrl,
      DATABASE_URL: databaseUrl,
      MINTAGE_HOME: home,
      LOG_LEVEL: 'error',
      RATE_LIMITS: JSON.stringify({ anonymous: 1_000_000 }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}/functions/v1`;
  const isUp = (): Promise<boolean> =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`the API ended with code ${child.exitCode}`);
    await sleep(50);
  }
  return { child, url };
};

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;

const line = (kind: string, values: readonly number[]): string => {
  const figures = [quantile(values, 0.5), quantile(values, 0.95), Math.max(...values)];
  return kind.padEnd(28) + figures.map((ms) => ms.toFixed(0).padStart(8)).join('');
};
