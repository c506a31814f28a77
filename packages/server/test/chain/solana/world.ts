import { type KeyObject, randomBytes, sign } from 'node:crypto';
import { devKey } from '@mintage/devnet';
import { deployLaunchpad, type SolanaDeployment, type SolanaNode, startSolanaNode } from '@mintage/devnet/solana';
import { type Base58, type Chain, chainBySlug, solanaDeployment, toBase58 } from '@mintage/protocol';
import { readTransaction } from '@mintage/protocol/solana';
import type { ChainClient, PreparedStep } from '../../../src/chain/chainClient.ts';
import type { ServedChain } from '../../../src/chain/servedChain.ts';
import { bytesOf } from '../../../src/chain/solana/bytes.ts';
import { ed25519Key } from '../../../src/chain/solana/ed25519Key.ts';
import { messageAgain, signedTransaction } from '../../../src/chain/solana/message/compile.ts';
import { sendingRefusal } from '../../../src/chain/solana/refusal.ts';
import { getLatestBlockhash, sendTransaction } from '../../../src/chain/solana/rpc/calls.ts';
import { createSolanaClient } from '../../../src/chain/solana/solanaClient.ts';
import { RpcError, Wire } from '../../../src/chain/wire.ts';

/** Whoever signs with a plain ed25519 key. */
export interface Wallet {
  address: Base58;
  key: KeyObject;
}

export const newWallet = (seed: Uint8Array = randomBytes(32)): Wallet => ed25519Key(seed);

/** A chain of its own, mined by hand, with the launchpad on it. */
export interface World {
  node: SolanaNode;
  deployed: SolanaDeployment;
  served: ServedChain;
  client: ChainClient;
  wire: Wire;
  /** A new wallet with SOL, and with dollars where some are named, base units. */
  person(usd?: bigint): Promise<Wallet>;
  /** Signs the step's bytes, sends them and mines. @throws What the chain refuses it with. */
  land(wallet: Wallet, step: PreparedStep): Promise<Base58>;
  /** Mines so many blocks: a block is confirmed when there is one on top of it. */
  mine(blocks?: number): void;
  stop(): Promise<void>;
}

const silent = { info() {}, warn() {}, error() {} };
export const oneDollar = 1_000_000n;
const chain = chainBySlug('solana-devnet') as Chain;

export const clientOf = (
  { served }: Pick<World, 'served'>,
  rpcUrls: readonly string[],
  options: Partial<ServedChain> = {},
  voucherKey: `0x${string}` | null = devKey('voucherSigner'),
): ChainClient =>
  createSolanaClient({ ...served, ...options, rpcUrls }, { log: silent as never, voucherKey, now: () => Date.now() });

export const startWorld = async (): Promise<World> => {
  const node = await startSolanaNode({ byHand: true });
  // The deployment waits for its own blocks.
  const miner = setInterval(() => node.mine(), 5);
  const deployed = await deployLaunchpad(node.url).finally(() => clearInterval(miner));
  const served: ServedChain = {
    chain,
    deployment: solanaDeployment({
      startBlock: 0,
      launchpad: base58(deployed.program),
      usd: base58(deployed.dollarMint),
      usdDecimals: 6,
      usdSymbol: 'USDC',
      usdMintable: true,
      owner: base58(deployed.accounts.owner.address),
    }),
    rpcUrls: [node.url],
    local: true,
  };
  const client = clientOf({ served }, [node.url]);
  const wire = new Wire(node.url);
  const mine = (blocks = 2): void => void node.mine(blocks);
  const send = async (signed: Uint8Array): Promise<Base58> => {
    try {
      return (await wire.request(sendTransaction(signed), 5_000)) as Base58;
    } catch (error) {
      throw (error instanceof RpcError ? sendingRefusal(error) : null) ?? error;
    }
  };
  const land = async (wallet: Wallet, { call }: PreparedStep): Promise<Base58> => {
    const bytes = bytesOf(call.data);
    const message = bytes.subarray(65);
    const signature = await send(signedTransaction(message, sign(null, message, wallet.key)));
    mine();
    return signature;
  };
  const person = async (usd?: bigint): Promise<Wallet> => {
    const wallet = newWallet();
    await wire.request({ method: 'requestAirdrop', params: [wallet.address, 10_000_000_000] }, 5_000);
    mine();
    if (usd !== undefined) await land(wallet, await client.mintUsd(wallet.address, wallet.address, usd));
    return wallet;
  };
  mine();
  return {
    node,
    deployed,
    served,
    client,
    wire,
    person,
    land,
    mine,
    async stop() {
      await client.stop();
      await wire.close();
      await node.stop();
    },
  };
};

/** The message of a prepared step with the newest blockhash, signed. */
export const signedAgain = async ({ wire }: World, wallet: Wallet, { call }: PreparedStep): Promise<Uint8Array> => {
  const { blockhash } = await wire.request(getLatestBlockhash(), 5_000);
  const message = messageAgain(bytesOf(call.data), blockhash);
  return signedTransaction(message, sign(null, message, wallet.key));
};

export const messageOf = ({ call }: PreparedStep) => readTransaction(bytesOf(call.data)).message;

export const base58 = (text: string): Base58 => text as Base58;
export { toBase58 };
