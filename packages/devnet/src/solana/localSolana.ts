import { existsSync } from 'node:fs';
import {
  type Address,
  type Chain,
  chainBySlug,
  requireBase58,
  type Slug,
  type SolanaDeployment,
  solanaDeployment,
} from '@mintage/protocol';
import { address } from '@solana/kit';
import { Client } from './launchpad/client.ts';
import { deployLaunchpad, giveDollars } from './launchpad/deploy.ts';
import { base58 } from './launchpad/instruction.ts';
import { startSolanaNode } from './node.ts';

/** A local chain in the place of a Solana cluster, with the launchpad and a test dollar on it. */
export interface LocalSolana {
  chain: Chain;
  deployment: SolanaDeployment;
  rpcUrl: string;
  /** Of the block in a slot; null where there is none. */
  hashOf(slot: number): Promise<string | null>;
  /** Gives a wallet that has none a coin for fees, and test dollars. @param usd - Base units. */
  fill(wallet: Address, usd: bigint): Promise<void>;
  stop(): Promise<void>;
}

export interface LocalSolanaOptions {
  /** Keeps the chain between runs. */
  folder: string;
  /** Of requests and subscriptions, and the variable that sets it; absent: any free one. */
  port?: { number: number; variable: string };
  /** One line about what happens. */
  log?: (line: string) => void;
}

const oneSol = 1_000_000_000n;
const newest = { commitment: 'confirmed' } as const;
/** Slots while the launchpad is deployed: waiting for blocks of the usual length would take nine seconds. */
const deployingSlotMs = 20;

/** Starts a chain, and deploys to it where it is new. */
export const startLocalSolana = async (slug: Slug, { folder, port, log }: LocalSolanaOptions): Promise<LocalSolana> => {
  const chain = chainBySlug(slug);
  if (!existsSync(folder)) await build(slug, folder);
  const node = await startSolanaNode({ folder, name: slug, ...(port && { port }), ...(log && { log }) });
  try {
    // On a chain that has it already this only says where it is.
    const deployed = await deployLaunchpad(node.url);
    const { program, dollarMint, accounts } = deployed;
    const client = new Client(node.url);
    const deployment = solanaDeployment({
      startBlock: 1,
      launchpad: base58(program),
      usd: base58(dollarMint),
      usdDecimals: 6,
      usdSymbol: 'USDC',
      usdMintable: true,
      owner: base58(accounts.owner.address),
    });
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
      stop: node.stop,
    };
  } catch (error) {
    await node.stop();
    throw error;
  }
};

/** Writes a new chain with the launchpad into the folder, all of it or nothing. */
const build = async (slug: Slug, folder: string): Promise<void> => {
  const node = await startSolanaNode({ name: slug, slotMs: deployingSlotMs });
  try {
    await deployLaunchpad(node.url);
    node.save(folder);
  } finally {
    await node.stop();
  }
};
