import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyBytes, wellKnown } from '@mintage/protocol/solana';
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  devnet,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import {
  base58,
  deployLaunchpad,
  launchpadAddress,
  launchpadInstruction,
  openTokenAccount,
  type SolanaDeployment,
  type SolanaNode,
  type SolanaNodeOptions,
  startSolanaNode,
  tokenAccountOf,
} from '../../src/solana/solana.ts';

/** A chain with the launchpad on it, from which every test's node starts. Made once by whoever comes first. */
export interface Deployed {
  folder: string;
  deployment: SolanaDeployment;
  remove(): void;
}

export const deployedChain = async (): Promise<Deployed> => {
  const { TEST_CHAIN_TEMPLATES: templates } = process.env;
  const own = templates ? null : mkdtempSync(join(tmpdir(), 'mintage-solana-'));
  const folder = join(own ?? (templates as string), 'solana');
  const remove = (): void => {
    if (own !== null) rmSync(own, { recursive: true, force: true });
  };
  try {
    const node = await startSolanaNode({ slotMs: 20, ...(existsSync(folder) ? { folder, frozen: true } : {}) });
    try {
      const deployment = await deployLaunchpad(node.url);
      if (!existsSync(folder)) moveInto(folder, (workshop) => node.save(workshop));
      return { folder, deployment, remove };
    } finally {
      await node.stop();
    }
  } catch (error) {
    remove();
    throw error;
  }
};

const moveInto = (folder: string, write: (workshop: string) => void): void => {
  const workshop = `${folder}.${randomUUID()}`;
  write(workshop);
  try {
    renameSync(workshop, folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    rmSync(workshop, { recursive: true }); // another process has made it meanwhile
  }
};

/** One node that starts from the deployed chain, and unmodified clients of it. */
export class World {
  readonly node: SolanaNode;
  readonly deployment: SolanaDeployment;
  readonly rpc;
  readonly subscriptions;

  constructor(node: SolanaNode, deployment: SolanaDeployment) {
    this.node = node;
    this.deployment = deployment;
    this.rpc = createSolanaRpc(devnet(node.url));
    this.subscriptions = createSolanaRpcSubscriptions(devnet(node.socketUrl));
  }

  static async start({ folder, deployment }: Deployed, options: SolanaNodeOptions = {}): Promise<World> {
    const node = await startSolanaNode({ folder, frozen: true, finalAfter: 4, ...options });
    return new World(node, deployment);
  }

  get accounts(): SolanaDeployment['accounts'] {
    return this.deployment.accounts;
  }

  /** Signed, with the newest confirmed blockhash unless another is given. */
  async transaction(payer: KeyPairSigner, instructions: readonly Instruction[], lifetime?: Lifetime) {
    const { value } = await this.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    const signed = await pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(payer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime ?? value, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
      signTransactionMessageWithSigners,
    );
    assertIsTransactionWithBlockhashLifetime(signed);
    return signed;
  }
  /** Waits for the next block, in which it lands whatever it does. */
  async post(signed: Awaited<ReturnType<World['transaction']>>, skipPreflight = true) {
    const wire = getBase64EncodedWireTransaction(signed);
    await this.rpc
      .sendTransaction(wire, { encoding: 'base64', skipPreflight, preflightCommitment: 'processed' })
      .send();
    return getSignatureFromTransaction(signed);
  }
  async send(payer: KeyPairSigner, ...instructions: readonly Instruction[]) {
    return this.post(await this.transaction(payer, instructions));
  }

  /** One request as it goes over the wire. */
  async raw(method: string, ...params: readonly unknown[]): Promise<{ result?: unknown; error?: RawError }> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(this.node.url, { method: 'POST', body });
    return (await response.json()) as { result?: unknown; error?: RawError };
  }

  /** A token's accounts and what creates it. */
  async creation(
    creator: KeyPairSigner,
    number: number,
  ): Promise<{ places: TokenPlaces; instructions: Instruction[] }> {
    const { program, config, dollarMint, feeVaults } = this.deployment;
    const salt = new Uint8Array(32).fill(number);
    const wallet = base58(creator.address);
    const [mint, mintBump] = launchpadAddress(program, 'mint', { creator: wallet, salt });
    const key = base58(mint);
    const [launch, launchBump] = launchpadAddress(program, 'launch', { mint: key });
    const [tokenVault, tokenVaultBump] = launchpadAddress(program, 'tokenVault', { mint: key });
    const [usdVault, usdVaultBump] = launchpadAddress(program, 'usdVault', { mint: key });
    const [creatorUser] = launchpadAddress(program, 'user', { wallet });
    const feeVault = feeVaults[(keyBytes(key)[31] as number) % feeVaults.length] as Address;
    const places = { config, dollarMint, mint, launch, tokenVault, usdVault, creatorUser, feeVault };
    const args = {
      poolType: 7,
      mintBump,
      launchBump,
      tokenVaultBump,
      usdVaultBump,
      deadline: forever,
      salt: `0x${Buffer.from(salt).toString('hex')}` as const,
      name: 'Paper Boat',
      symbol: 'BOAT',
      uri: 'ipfs://boat',
    };
    const user = { payer: creator, wallet: creator.address, user: creatorUser };
    return {
      places,
      instructions: [
        launchpadInstruction(program, 'openUser', user, {}),
        launchpadInstruction(program, 'create', { ...places, creator }, args),
      ],
    };
  }

  async buy(trader: KeyPairSigner, places: TokenPlaces, amount: bigint, limit = 0n): Promise<Instruction[]> {
    const { program, dollarMint } = this.deployment;
    const token2022 = address(wellKnown.token2022);
    const [traderUser] = launchpadAddress(program, 'user', { wallet: base58(trader.address) });
    const named = {
      ...places,
      trader,
      traderTokens: tokenAccountOf(trader.address, places.mint, token2022),
      traderUsd: tokenAccountOf(trader.address, dollarMint),
      traderUser,
    };
    return [
      openTokenAccount(trader, trader.address, places.mint, token2022),
      launchpadInstruction(program, 'buyExactIn', named, { amount, limit, deadline: forever, builderBps: 0 }),
    ];
  }
}

export const forever = 1n << 40n;
export type Lifetime = Parameters<typeof setTransactionMessageLifetimeUsingBlockhash>[0];
export type RawError = { code: number; message: string; data?: unknown };
export type TokenPlaces = Record<
  'config' | 'dollarMint' | 'mint' | 'launch' | 'tokenVault' | 'usdVault' | 'creatorUser' | 'feeVault',
  Address
>;

/** A transfer of lamports: the plainest thing that happens. */
export const transfer = (from: KeyPairSigner, to: Address, amount: bigint): Instruction => {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2);
  data.writeBigUInt64LE(amount, 4);
  const accounts = [
    { address: from.address, role: 3, signer: from },
    { address: to, role: 1 },
  ];
  return { programAddress: address(wellKnown.system), accounts, data };
};
