import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasHookFlags } from '@mintage/contracts/deploy';
import { chains as allChains, chainTypeOf } from '@mintage/protocol';
import { numberToHex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type DevChain, type DevChains, startChains } from '../src/devnet.ts';
import { processesOf } from './processes.ts';

const scratch = mkdtempSync(join(tmpdir(), 'mintage-chains-test-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const headOf = async (chain: DevChain): Promise<number> => Number(await chain.rpc('eth_blockNumber'));

describe('two chains', () => {
  let running: DevChains;
  beforeAll(async () => {
    running = await startChains(['base-sepolia', 'bnb-testnet'], { heartbeat: false });
  });
  afterAll(() => running.stop());

  const pair = (): [DevChain, DevChain] => running.chains as [DevChain, DevChain];

  it('answer with the real chain ids of their slugs', async () => {
    const ids = await Promise.all(running.chains.map((chain) => chain.rpc('eth_chainId')));
    expect(ids.map(Number)).toEqual([84532, 97]);
  });

  it('have every contract at the same address, whatever its constructor was told and whichever venue it is for', async () => {
    const [one, two] = pair();
    const addressesOf = ({ deployment }: DevChain) => {
      const { launchpad, poolHook, tokenFactory, tokenImplementation, tokenBridge, lens, usd } = deployment;
      return { launchpad, poolHook, tokenFactory, tokenImplementation, tokenBridge, lens, usd };
    };
    expect(addressesOf(two)).toEqual(addressesOf(one));
    expect([one, two].map(({ deployment }) => deployment.usdDecimals)).toEqual([6, 18]);
    expect([one, two].map(({ deployment }) => deployment.venue)).toEqual(['uniswap_v4', 'pancake_v3']);
    expect(two.deployment.codeHashes.Launchpad).not.toBe(one.deployment.codeHashes.Launchpad);
    for (const address of [one.deployment.launchpad, one.deployment.lens, one.deployment.poolHook, one.deployment.usd])
      expect(await two.rpc('eth_getCode', [address, 'latest'])).not.toBe('0x');
  });

  it('have a hook whose address carries its rights', () => {
    const [one] = pair();
    expect(hasHookFlags(one.deployment.poolHook)).toBe(true);
    expect(Number.parseInt(one.deployment.poolHook.slice(-4), 16) & 0x3fff).toBe(0x28cc);
  });

  it('mine at once on a transaction, and move only then without a heartbeat', async () => {
    const [one] = pair();
    const before = await headOf(one);
    const { alice, bob } = one.accounts;
    const receipt = await one.wallet.send(alice, { to: bob.address, data: '0x' });
    expect(receipt.blockNumber).toBe(before + 1);
    expect(await headOf(one)).toBe(before + 1);
  });

  it('move their clock on demand', async () => {
    const [one] = pair();
    const timeOf = async (): Promise<number> => {
      const block = (await one.rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: string };
      return Number(block.timestamp);
    };
    const before = await timeOf();
    await one.advance(3600);
    expect((await timeOf()) - before).toBeGreaterThanOrEqual(3600);
  });
});

describe('kept chains', () => {
  const folder = join(scratch, 'kept');
  let running: DevChains | null = null;
  const start = async (log: (line: string) => void = () => {}): Promise<DevChain> => {
    running = await startChains(['base-sepolia'], { dataDir: folder, heartbeat: false, log });
    return running.chains[0] as DevChain;
  };
  const stop = async (): Promise<void> => {
    await running?.stop();
    running = null;
  };
  afterEach(stop);

  it('continue where they stopped, with receipts, and deploy nothing a second time', async () => {
    const first = await start();
    const { alice, bob } = first.accounts;
    const receipt = await first.wallet.send(alice, { to: bob.address, data: '0x' });
    const head = await headOf(first);
    await stop();
    const second = await start();
    expect(await headOf(second)).toBe(head);
    expect(second.deployment).toEqual(first.deployment);
    expect(await second.rpc('eth_getTransactionReceipt', [receipt.transactionHash])).not.toBeNull();
  });

  it('start anew, the old one set aside, when the file is damaged', async () => {
    await start();
    await stop();
    writeFileSync(join(folder, 'base-sepolia', 'state.json'), '{"half');
    const again = await start();
    expect(await headOf(again)).toBeGreaterThan(0);
    expect(existsSync(join(folder, 'base-sepolia.previous'))).toBe(true);
  });

  it('start anew, and say so, when they have the contracts of an earlier version', async () => {
    const { deployment, accounts, wallet } = await start();
    const { blockNumber } = await wallet.send(accounts.alice, { to: accounts.bob.address, data: '0x' });
    await stop();
    const file = join(folder, 'base-sepolia', 'deployment.json');
    writeFileSync(file, JSON.stringify({ ...deployment, create3Factory: accounts.alice.address }));
    const lines: string[] = [];
    const again = await start((line) => lines.push(line));
    expect(again.deployment).toEqual(deployment);
    expect(await headOf(again)).toBe(blockNumber - 1);
    expect(lines).toEqual([
      `base-sepolia starts anew: its contracts are of an earlier version. The old one is kept as ${folder}/base-sepolia.previous.`,
    ]);
  });
});

describe('chains of a test run', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('are copies of one that the first of them made, with seeds in the past', async () => {
    vi.stubEnv('TEST_CHAIN_TEMPLATES', mkdtempSync(join(scratch, 'templates-')));
    const timesOf = async (): Promise<number[]> => {
      const { chains, stop } = await startChains(['base-sepolia'], {
        heartbeat: false,
        seed: async ({ wallet, accounts: { alice, bob } }) => {
          for (let sent = 0; sent < 2; sent += 1) await wallet.send(alice, { to: bob.address, data: '0x' });
        },
      });
      const [chain] = chains as [DevChain];
      const numbers = Array.from({ length: await headOf(chain) }, (_, i) => i + 1);
      const blocks = await Promise.all(numbers.map((i) => chain.rpc('eth_getBlockByNumber', [numberToHex(i), false])));
      await stop();
      return (blocks as { timestamp: string }[]).map(({ timestamp }) => Number(timestamp));
    };
    const [first, ...rest] = await timesOf();
    expect(rest).toEqual(rest.map((_, i) => (first as number) + 60 * (i + 1)));
    expect(rest.at(-1)).toBeLessThan(Date.now() / 1000);
    expect(await timesOf()).toEqual([first, ...rest]);
  });
});

describe('processes', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('none is left after a stop, nor a file without a data folder', async () => {
    vi.stubEnv('TMPDIR', mkdtempSync(join(scratch, 'tmp-'))); // other test files start chains too
    const running = await startChains(['base-sepolia', 'unichain-testnet']);
    const pids = running.chains.map((chain) => chain.pid);
    expect(pids.every(isRunning)).toBe(true);
    await running.stop();
    expect(pids.some(isRunning)).toBe(false);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('mintage-chains-'))).toEqual([]);
  });

  it('none is left after a start that failed', async () => {
    const dataDir = join(scratch, 'failing');
    let waiting = 0;
    const start = startChains(['base-sepolia', 'unichain-testnet'], {
      dataDir,
      seed: async (chain) => {
        waiting = Math.max(waiting, processesOf(dataDir).length);
        if (chain.chain.slug === 'unichain-testnet') throw new Error('no seeds today');
      },
    });
    await expect(start).rejects.toThrow('no seeds today');
    expect(waiting).toBeGreaterThan(0);
    expect(processesOf(dataDir)).toEqual([]);
  });

  it('a slug without an EVM is refused before anything starts', async () => {
    await expect(startChains(['solana'])).rejects.toThrow('solana has no EVM');
  });
});

describe('heartbeat', () => {
  it('mines although nothing happens', async () => {
    const running = await startChains(['base-sepolia']);
    try {
      const [chain] = running.chains as [DevChain];
      const before = await headOf(chain);
      await expect.poll(() => headOf(chain)).toBeGreaterThan(before + 1);
    } finally {
      await running.stop();
    }
  });
});

describe('all chains', () => {
  it('every EVM slug starts on one machine', async () => {
    const evm = allChains.filter((chain) => chainTypeOf(chain) === 'evm').map((chain) => chain.slug);
    expect(evm).toHaveLength(15);
    const running = await startChains(evm, { heartbeat: false });
    try {
      const launchpads = new Set(running.chains.map((chain) => chain.deployment.launchpad));
      expect(launchpads.size).toBe(1);
      for (const chain of running.chains) expect(Number(await chain.rpc('eth_chainId'))).toBe(chain.chain.chainId);
    } finally {
      await running.stop();
    }
  });
});
