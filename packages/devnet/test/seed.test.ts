import { lensAbi } from '@mintage/protocol';
import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevChain, type DevChains, seedAddress, seedChain, seedTokensOn, startChains } from '../src/devnet.ts';

/** How far along a token's curve is, and whether it left it. */
const stageOf = ({ tokensLeft, graduated, poolType }: { tokensLeft: bigint; graduated: boolean; poolType: number }) => {
  const onCurve = (poolType === 8 ? 800_000_000n : 750_000_000n) * 10n ** 18n;
  if (graduated) return 'graduated';
  return (onCurve - tokensLeft) * 100n >= onCurve * 75n ? 'graduating' : 'new';
};

const viewsOf = async (chain: DevChain) => {
  const addresses = await Promise.all(seedTokensOn(chain).map((token) => seedAddress(chain, token)));
  const data = encodeFunctionData({ abi: lensAbi, functionName: 'tokens', args: [addresses] });
  const answer = (await chain.rpc('eth_call', [{ to: chain.deployment.lens, data }, 'latest'])) as Hex;
  const [, views] = decodeFunctionResult({ abi: lensAbi, functionName: 'tokens', data: answer });
  return views;
};

describe('seedChain', () => {
  let running: DevChains;
  beforeAll(async () => {
    running = await startChains(['base-sepolia', 'bnb'], { heartbeat: false, seed: seedChain });
  });
  afterAll(() => running.stop());

  it('leaves a token in every stage on a test network and on a mainnet, whatever the decimals', async () => {
    for (const chain of running.chains) {
      const tokens = seedTokensOn(chain);
      const stages = (await viewsOf(chain)).map((view) => stageOf(view.state));
      expect(stages).toEqual(tokens.map((token) => token.stage));
      expect(new Set(stages)).toEqual(new Set(['new', 'graduating', 'graduated']));
    }
  });

  it('opens real pools for the graduated ones', async () => {
    for (const chain of running.chains) {
      const graduated = (await viewsOf(chain)).filter((view) => view.state.graduated);
      expect(graduated.length).toBeGreaterThan(0);
      for (const view of graduated) expect(view.liquidity).toBeGreaterThan(0n);
    }
  });

  it('leaves test types to test networks', () => {
    const [testnet, mainnet] = running.chains as [DevChain, DevChain];
    expect(seedTokensOn(testnet).some((token) => token.poolType === 9)).toBe(true);
    expect(seedTokensOn(mainnet).some((token) => token.poolType === 9)).toBe(false);
  });

  it('names no token of one chain as one of another', () => {
    const names = running.chains.flatMap((chain) => seedTokensOn(chain).map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['Paper Boat', 'Paper Boat on BNB Smart Chain']));
  });

  it('gives the same state root from the same start', async () => {
    const genesisTime = 1_760_000_000;
    const rootOf = async (): Promise<string> => {
      let root = '';
      const seed = async (chain: DevChain): Promise<void> => {
        await seedChain(chain);
        root = ((await chain.rpc('eth_getBlockByNumber', ['latest', false])) as { hash: string }).hash;
      };
      const again = await startChains(['base-sepolia'], { heartbeat: false, genesisTime, seed });
      await again.stop();
      return root;
    };
    const first = await rootOf();
    expect(first).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await rootOf()).toBe(first);
  });
});
