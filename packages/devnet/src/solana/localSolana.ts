import { existsSync } from 'node:fs';
import {
  type Address,
  type Chain,
  chainBySlug,
  requireBase58,
  type Slug,
  type SolanaDeployment,
} from '@mintage/protocol';
import { address } from '@solana/kit';
import type { Logger } from 'pino';
import type { SeedOptions, SeedPlace } from '../seedTokens.ts';
import { Client } from './launchpad/client.ts';
import { deployLaunchpad, deploymentOf, giveDollars } from './launchpad/deploy.ts';
import { startSolanaNode } from './node.ts';
import { seedPlaceOn, seedSolana } from './seedSolana.ts';

/** A local chain in the place of a Solana cluster, with the launchpad and a test dollar on it. */
export interface LocalSolana {
  chain: Chain;
  deployment: SolanaDeployment;
  rpcUrl: string;
  /** Of the block in a slot; null where there is none. */
  hashOf(slot: number): Promise<string | null>;
  /** Gives a wallet that has none a coin for fees, and test dollars. @param usd - Base units. */
  fill(wallet: Address, usd: bigint): Promise<void>;
  /** Where seeded tokens are. */
  seeds: SeedPlace;
  stop(): Promise<void>;
}

export interface LocalSolanaOptions {
  /** Keeps the chain between runs. */
  folder: string;
  /** Of requests and subscriptions, and the variable that sets it; absent: any free one. */
  port?: { number: number; variable: string };
  /** Fills a new chain with tokens; absent: it is left empty. */
  seed?: SeedOptions;
  log: Logger;
}

const oneSol = 1_000_000_000n;
const newest = { commitment: 'confirmed' } as const;
/** Between blocks while the launchpad is deployed: waiting for those of the usual length would take nine seconds. */
const deployingBlockMs = 20;
/** A new chain begins so long ago: what fills it is as old as it looks. */
const pastSeconds = 7_200;

/** Starts a chain, and deploys to it where it is new. */
export const startLocalSolana = async (
  slug: Slug,
  { folder, port, seed, log }: LocalSolanaOptions,
): Promise<LocalSolana> => {
  const chain = chainBySlug(slug);
  if (!existsSync(folder)) await build(chain, folder, seed, log);
  const node = await startSolanaNode({ folder, name: slug, log: (line) => log.warn(line), ...(port && { port }) });
  try {
    // On a chain that has it already this only says where it is.
    const deployed = await deployLaunchpad(node.url);
    const { accounts } = deployed;
    const client = new Client(node.url);
    const deployment = deploymentOf(deployed);
    return {
      chain,
      deployment,
      rpcUrl: node.url,
      async hashOf(slot) {
        const wanted = BigInt(slot);
        // Asked for a block that is not there, a node answers with an error; a list just lacks it.
        if ((await client.rpc.getBlocks(wanted, wanted, newest).send()).length === 0) return null;
        const block = await client.rpc
          .getBlock(wanted, { ...newest, transactionDetails: 'none', rewards: false })
          .send();
        return block?.blockhash ?? null;
      },
      async fill(wallet, usd) {
        const to = address(requireBase58(wallet));
        const { value } = await client.rpc.getBalance(to, newest).send();
        if (value > 0n) return;
        // Dollars come first, so a wallet with coins has received both.
        await client.send(accounts.faucet, ...(await giveDollars(deployed, accounts.faucet, to, usd)));
        await client.airdrop(to, oneSol);
      },
      seeds: seedPlaceOn({ chain, deployment, accounts }),
      stop: node.stop,
    };
  } catch (error) {
    await node.stop();
    throw error;
  }
};

/** Writes a new chain with the launchpad into the folder, all of it or nothing. */
const build = async (chain: Chain, folder: string, seed: SeedOptions | undefined, log: Logger): Promise<void> => {
  const genesisTime = Math.floor(Date.now() / 1000) - pastSeconds;
  const node = await startSolanaNode({ name: chain.slug, byHand: true, genesisTime });
  try {
    const blocks = setInterval(() => node.mine(), deployingBlockMs);
    const deployed = await deployLaunchpad(node.url).finally(() => clearInterval(blocks));
    const ground = { chain, deployment: deploymentOf(deployed), accounts: deployed.accounts, node, log };
    if (seed !== undefined) await seedSolana(ground, seed);
    node.save(folder);
  } finally {
    await node.stop();
  }
};
