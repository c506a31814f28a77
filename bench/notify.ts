import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type DevChain, seedAddress, seedTokensOn, startSystem } from '@mintage/devnet';
import { launchpadAbi } from '@mintage/protocol';
import { type Client, createClient, session, signIn } from '@mintage/sdk';
import { startDatabase } from '@mintage/server/db';
import { type Address, encodeFunctionData, type LocalAccount, zeroAddress } from 'viem';

/** What a creator is told of a purchase has to come within, after its block: social wire contract, 12. */
const limitMs = 1_000;

/**
 * From a block being mined in which somebody buys a token to its creator being told over a stream, and from a reorg that drops the block to
 * this being taken back; beside the same block's event in the stream of activity.
 */
export const benchNotify = async (): Promise<void> => {
  const { values } = parseArgs({ args: process.argv.slice(3), options: { blocks: { type: 'string', default: '40' } } });
  const home = mkdtempSync(join(tmpdir(), 'mintage-bench-'));
  const database = await startDatabase({ home });
  try {
    const env = { CHAINS: 'base-sepolia', DATABASE_URL: database.url, LOG_LEVEL: 'error', MINTAGE_HOME: home };
    const system = await startSystem({ env, heartbeat: false });
    try {
      await measure(system.chains[0] as DevChain, system.url as string, Number(values.blocks));
    } finally {
      await system.stop();
    }
  } finally {
    await database.stop();
    rmSync(home, { recursive: true, force: true });
  }
};

const measure = async (chain: DevChain, url: string, blocks: number): Promise<void> => {
  const { alice, bob } = chain.accounts;
  const baseUrl = `${url}/functions/v1`;
  const client = createClient({
    baseUrl,
    auth: session(await signIn(createClient({ baseUrl }), alice as LocalAccount)),
  });
  const end = new AbortController();
  const [told, active] = await Promise.all([
    listen(client, 'notifications', end.signal),
    listen(client, 'tokenActivity', end.signal),
  ]);
  await chain.rpc('anvil_autoImpersonateAccount', [true]);
  await chain.rpc('evm_setAutomine', [false]);
  const [token] = (await Promise.all(seedTokensOn(chain).map((one) => seedAddress(chain, one)))) as [Address];
  const of = { activity: [] as number[], purchase: [] as number[], reorg: [] as number[] };
  for (let nth = 0; nth < blocks; nth += 1) {
    await chain.rpc('eth_sendTransaction', [
      { from: bob.address, to: chain.deployment.launchpad, gas: '0x4c4b40', data: buyOf(token, bob.address) },
    ]);
    const [notified, shown] = [told('event'), active('event')];
    const minedMs = performance.now();
    await chain.rpc('evm_mine');
    of.activity.push((await shown) - minedMs);
    of.purchase.push((await notified) - minedMs);
    if (nth % 4 < 3) continue;
    // Of several purchases within a minute it takes back one, which is told as an event.
    const takenBack = Promise.race([told('event'), told('retract')]);
    const droppedMs = performance.now();
    await chain.rpc('anvil_reorg', [1, []]);
    await chain.rpc('evm_mine');
    of.reorg.push((await takenBack) - droppedMs);
  }
  end.abort();
  console.log(`${blocks} purchases; milliseconds from the block: p50, p99, most`);
  for (const [what, ms] of Object.entries(of)) {
    const [p50, p99, most] = [at(ms, 0.5), at(ms, 0.99), Math.max(...ms)].map((figure) =>
      figure.toFixed(0).padStart(7),
    );
    console.log(`${what.padEnd(10)}${p50}${p99}${most}`);
  }
  console.log(`ratio ${(Math.max(...of.purchase, ...of.reorg) / limitMs).toFixed(3)} of the second that it may take`);
};

type Wait = (type: 'event' | 'retract') => Promise<number>;

/** Resolves when the stream has begun; what it answers resolves at the next message of a type, with its time. */
const listen = async (client: Client, topic: 'notifications' | 'tokenActivity', signal: AbortSignal): Promise<Wait> => {
  const waiting: { type: string; resolve: (ms: number) => void }[] = [];
  let hasBegun: () => void;
  const begun = new Promise<void>((resolve) => {
    hasBegun = resolve;
  });
  const follow = async (): Promise<void> => {
    for await (const { type } of client.stream({ topic }, { signal })) {
      if (type === 'begin') hasBegun();
      const now = performance.now();
      const heard = waiting.filter((one) => one.type === type);
      waiting.splice(0, waiting.length, ...waiting.filter((one) => one.type !== type));
      for (const { resolve } of heard) resolve(now);
    }
  };
  follow().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  await begun;
  return (type) => new Promise((resolve) => waiting.push({ type, resolve }));
};

const buyOf = (token: Address, recipient: Address) => {
  const nobody = { builder: zeroAddress, builderBps: 0n, referral: zeroAddress };
  const order = { token, amount: 20_000_000n, limit: 0n, recipient, ...nobody, deadline: 2n ** 64n };
  return encodeFunctionData({ abi: launchpadAbi, functionName: 'buyExactIn', args: [order] });
};

const at = (figures: readonly number[], share: number): number =>
  figures.toSorted((a, b) => a - b)[Math.min(figures.length - 1, Math.floor(share * figures.length))] as number;
