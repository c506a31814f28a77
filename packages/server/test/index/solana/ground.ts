import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  base58,
  deployLaunchpad,
  deploymentOf,
  launchpadAddress,
  launchpadInstruction,
  openTokenAccount,
  type Places,
  SolanaClient,
  type SolanaDeployment,
  type SolanaNode,
  type SolanaNodeOptions,
  startSolanaNode,
  tokenAccountOf,
} from '@mintage/devnet/solana';
import { type Base58, chainBySlug, type Hash, type TradeKind } from '@mintage/protocol';
import {
  type AccountOf,
  decodeAccount,
  joinBytes,
  keyBytes,
  type programAccounts,
  wellKnown,
} from '@mintage/protocol/solana';
import type { ServedChain } from '../../../src/chain/servedChain.ts';

export type Person = SolanaDeployment['accounts']['alice'];
export type Step = ReturnType<typeof launchpadInstruction>;
type Place = SolanaDeployment['program'];

/** A chain with the launchpad on it, from which every test's node starts. */
export interface Deployed {
  folder: string;
  deployment: SolanaDeployment;
  remove(): void;
}

export const deployedChain = async (): Promise<Deployed> => {
  const own = mkdtempSync(join(tmpdir(), 'mintage-solana-index-'));
  const remove = (): void => rmSync(own, { recursive: true, force: true });
  const folder = join(own, 'chain');
  const node = await startSolanaNode({ slotMs: 20 });
  try {
    const deployment = await deployLaunchpad(node.url);
    node.save(folder);
    return { folder, deployment, remove };
  } catch (error) {
    remove();
    throw error;
  } finally {
    await node.stop();
  }
};

/** A token with all that its trades name. */
export interface Token {
  places: Record<
    'config' | 'dollarMint' | 'mint' | 'launch' | 'tokenVault' | 'usdVault' | 'creatorUser' | 'feeVault',
    Place
  >;
  mint: Base58;
  creator: Person;
}

export interface Named {
  builder?: Person;
  builderBps?: number;
  referral?: Person;
  referrer?: Person;
}

export const forever = 1n << 40n;
const most = (1n << 64n) - 1n;
export const dollars = (count: number): bigint => BigInt(Math.round(count * 1e6));
const token2022 = wellKnown.token2022 as Place;

/** One node that starts from the deployed chain; its blocks come when a test says so. */
export class Ground {
  readonly node: SolanaNode;
  readonly deployment: SolanaDeployment;
  readonly client: SolanaClient;

  constructor(node: SolanaNode, deployment: SolanaDeployment) {
    this.node = node;
    this.deployment = deployment;
    this.client = new SolanaClient(node.url);
  }

  static async start({ folder, deployment }: Deployed, options: SolanaNodeOptions = {}): Promise<Ground> {
    const node = await startSolanaNode({ folder, frozen: true, finalAfter: 4, byHand: true, ...options });
    node.mine(6);
    return new Ground(node, deployment);
  }

  get people(): SolanaDeployment['accounts'] {
    return this.deployment.accounts;
  }

  /** As the service is configured with it. @param urls - Of other providers of the same chain. */
  served(urls: readonly string[] = [this.node.url]): ServedChain {
    return {
      chain: chainBySlug('solana-devnet'),
      deployment: deploymentOf(this.deployment),
      rpcUrls: urls,
      local: true,
    };
  }

  /** Sends, without a block yet. */
  async post(payer: Person, ...steps: readonly Step[]): Promise<Hash> {
    return (await this.client.post(payer, ...steps)) as string as Hash;
  }

  /** In a block of its own. @throws Error when it fails. */
  async must(payer: Person, ...steps: readonly Step[]): Promise<Hash> {
    const signature = await this.post(payer, ...steps);
    this.node.mine();
    const landed = (await this.ask('getSignatureStatuses', [signature])) as { value: ({ err: unknown } | null)[] };
    const [status] = landed.value;
    if (status?.err !== null) throw new Error(`it failed: ${JSON.stringify(status)}`);
    return signature;
  }

  async ask(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(this.node.url, { method: 'POST', body });
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (error !== undefined) throw new Error(error.message);
    return result;
  }

  /** Every account of the program of this kind, at this commitment. */
  async states<Name extends keyof typeof programAccounts>(
    name: Name,
    commitment = 'confirmed',
  ): Promise<{ at: string; state: AccountOf<Name> }[]> {
    const found = (await this.ask('getProgramAccounts', this.deployment.program, {
      commitment,
      encoding: 'base64',
    })) as { pubkey: string; account: { data: [string] } }[];
    return found.flatMap(({ pubkey, account }) => {
      const state = decodeAccount(name, Uint8Array.from(Buffer.from(account.data[0], 'base64')));
      return state === null ? [] : [{ at: pubkey, state }];
    });
  }

  userOf({ address }: Pick<Person, 'address'>): Place {
    return launchpadAddress(this.deployment.program, 'user', { wallet: base58(address) })[0];
  }

  openUser(payer: Person, { address: wallet }: Pick<Person, 'address'> = payer): Step {
    return launchpadInstruction(
      this.deployment.program,
      'openUser',
      { payer, wallet, user: this.userOf({ address: wallet }) },
      {},
    );
  }

  creation(creator: Person, number: number, { poolType = 9, name = 'Paper Boat' } = {}): Token & { steps: Step[] } {
    const { program, config, dollarMint, feeVaults } = this.deployment;
    const salt = new Uint8Array(32);
    new DataView(salt.buffer).setUint32(0, number);
    const [mint, mintBump] = launchpadAddress(program, 'mint', { creator: base58(creator.address), salt });
    const key = base58(mint);
    const [launch, launchBump] = launchpadAddress(program, 'launch', { mint: key });
    const [tokenVault, tokenVaultBump] = launchpadAddress(program, 'tokenVault', { mint: key });
    const [usdVault, usdVaultBump] = launchpadAddress(program, 'usdVault', { mint: key });
    const feeVault = feeVaults[(keyBytes(key)[31] as number) % feeVaults.length] as Place;
    const creatorUser = this.userOf(creator);
    const places = { config, dollarMint, mint, launch, tokenVault, usdVault, creatorUser, feeVault };
    const args = {
      poolType,
      mintBump,
      launchBump,
      tokenVaultBump,
      usdVaultBump,
      deadline: forever,
      salt: `0x${Buffer.from(salt).toString('hex')}` as const,
      name,
      symbol: 'BOAT',
      uri: 'ipfs://boat',
    };
    const create = launchpadInstruction(program, 'create', { ...places, creator }, args);
    return { places, mint: key, creator, steps: [this.openUser(creator), create] };
  }

  async create(creator: Person, number: number, options: Parameters<Ground['creation']>[2] = {}): Promise<Token> {
    const token = this.creation(creator, number, options);
    await this.must(creator, ...token.steps);
    return token;
  }

  tokensOf({ mint }: Token, { address }: Pick<Person, 'address'>): Place {
    return tokenAccountOf(address, mint as string as Place, token2022);
  }

  openTokens(payer: Person, { mint }: Token, { address }: Pick<Person, 'address'> = payer): Step {
    return openTokenAccount(payer, address, mint as string as Place, token2022);
  }

  trade(token: Token, trader: Person, kind: TradeKind, amount: bigint, named: Named = {}): Step[] {
    const { program, dollarMint } = this.deployment;
    const isExactIn = kind === 'buyExactIn' || kind === 'sellExactIn';
    const user = (one: Person | undefined): Place => (one === undefined ? program : this.userOf(one));
    const places: Places = {
      ...token.places,
      trader,
      traderTokens: this.tokensOf(token, trader),
      traderUsd: tokenAccountOf(trader.address, dollarMint),
      traderUser: this.userOf(trader),
      builderUser: user(named.builder),
      referralUser: user(named.referral),
      referrerUser: user(named.referrer),
    };
    const limit = isExactIn ? 0n : most;
    const args = { amount, limit, deadline: forever, builderBps: named.builderBps ?? 0 };
    return [this.openTokens(trader, token), launchpadInstruction(program, kind, places, args)];
  }

  withdrawal(person: Person, amount = most): Step {
    const { program, config, dollarMint, feeVaults } = this.deployment;
    const to = tokenAccountOf(person.address, dollarMint);
    const places = { wallet: person, config, user: this.userOf(person), to, dollarMint };
    const step = launchpadInstruction(program, 'withdraw', places, { amount });
    const more = feeVaults.map((address) => ({ address, role: writable }));
    return { ...step, accounts: [...(step.accounts ?? []), ...more] } as Step;
  }

  collection(token: Token): Step {
    const treasuryUser = this.userOf(this.people.treasury);
    return launchpadInstruction(this.deployment.program, 'collectTreasury', { ...token.places, treasuryUser }, {});
  }

  graduation(token: Token): Step {
    return launchpadInstruction(this.deployment.program, 'graduate', token.places, {});
  }

  setting(setting: number, value: Person): Step {
    const { program, config, accounts } = this.deployment;
    const args = { setting, value: base58(value.address) };
    return launchpadInstruction(program, 'set', { owner: accounts.owner, config }, args);
  }

  clearing(user: Person): Step {
    const { program, config, accounts } = this.deployment;
    return launchpadInstruction(
      program,
      'clearReferrer',
      { owner: accounts.owner, config, user: this.userOf(user) },
      {},
    );
  }

  /** A voucher and what takes it. */
  async referring(user: Person, by: Person, deadline: bigint): Promise<Step[]> {
    const { program, dollarMint, config, accounts } = this.deployment;
    const time = new Uint8Array(8);
    new DataView(time.buffer).setBigInt64(0, deadline, true);
    const keys = [program, dollarMint, user.address, by.address].map((one) => keyBytes(base58(one)));
    const message = joinBytes(new TextEncoder().encode('mintage voucher1'), ...keys, time);
    const header = Buffer.alloc(16);
    header[0] = 1;
    const words = [48, 0xffff, 16, 0xffff, 112, message.length, 0xffff];
    for (const [at, word] of words.entries()) header.writeUInt16LE(word, 2 + 2 * at);
    const signer = accounts.voucherSigner;
    const signed = new Uint8Array(
      await crypto.subtle.sign('Ed25519', signer.keyPair.privateKey, Uint8Array.from(message)),
    );
    const data = joinBytes(header, keyBytes(base58(signer.address)), signed, message);
    const voucher = { programAddress: wellKnown.ed25519 as Place, accounts: [], data } as unknown as Step;
    const places = { config, user: this.userOf(user), referrer: this.userOf(by) };
    return [voucher, launchpadInstruction(program, 'setReferrer', places, { deadline })];
  }

  /** Tokens from wallet to wallet, as every wallet sends them. @param named - Whether the mint is named. */
  transfer(token: Token, from: Person, to: Pick<Person, 'address'>, amount: bigint, named = true): Step {
    const [source, target] = [this.tokensOf(token, from), this.tokensOf(token, to)];
    const digits = Buffer.alloc(8);
    digits.writeBigUInt64LE(amount);
    const data = named
      ? Buffer.concat([Uint8Array.of(12), digits, Uint8Array.of(6)])
      : Buffer.concat([Uint8Array.of(3), digits]);
    const mint = named ? [{ address: token.mint as string as Place, role: 0 }] : [];
    const accounts = [
      { address: source, role: writable },
      ...mint,
      { address: target, role: writable },
      { address: from.address, role: 2, signer: from },
    ];
    return { programAddress: token2022, accounts, data } as unknown as Step;
  }
}

const writable = 1;
