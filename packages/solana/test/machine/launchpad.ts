import type { TradeKind } from '@mintage/protocol';
import { keyBytes, wellKnown } from '@mintage/protocol/solana';
import type { Address, Instruction, KeyPairSigner } from '@solana/kit';
import type { StoredLaunch } from './cases.ts';
import { base58, derive, Machine, type Places, programAddress, type Sent } from './machine.ts';

/** A deployment on the machine, its people and its tokens. */

export const forever = 1n << 40n;
export const most = (1n << 64n) - 1n;
const oneDollar = 1_000_000n;

/** Somebody with a User of the program, SOL and dollars. */
export interface Person {
  signer: KeyPairSigner;
  wallet: Address;
  user: Address;
  usd: Address;
}

/** A token with all that its trades name. */
export interface Token {
  places: Places & { mint: string; launch: string; tokenVault: string; usdVault: string; feeVault: string };
  creator: Person;
  sent: Sent;
  instruction: Instruction;
}

export interface Order {
  kind: TradeKind;
  amount: bigint;
  /** None when left out. */
  limit?: bigint;
  deadline?: bigint;
  builder?: Person;
  builderBps?: number;
  referral?: Person;
  referrer?: Person;
}

export class Launchpad {
  readonly machine: Machine;
  readonly dollarMint: Address;
  readonly config: Address;
  readonly owner: Person;
  readonly treasury: Person;
  readonly voucherSigner: KeyPairSigner;
  feeVaults: Address[] = [];
  #salts = 0;

  private constructor(
    machine: Machine,
    { config, dollarMint }: { config: Address; dollarMint: Address },
    people: { owner: Person; treasury: Person; voucherSigner: KeyPairSigner },
  ) {
    this.machine = machine;
    this.config = config;
    this.dollarMint = dollarMint;
    this.owner = people.owner;
    this.treasury = people.treasury;
    this.voucherSigner = people.voucherSigner;
  }

  static async start({
    timelockSeconds = 0n,
    allowsTest = true,
    ...options
  }: { timelockSeconds?: bigint; allowsTest?: boolean } & Parameters<
    typeof Machine.start
  >[0] = {}): Promise<Launchpad> {
    const machine = await Machine.start(options);
    const dollarMint = await machine.fresh();
    const [config] = await derive('config', {});
    putDollarMint(machine, dollarMint, config);
    const open = async (): Promise<Person> => personOf(machine, dollarMint, await machine.person());
    const people = { owner: await open(), treasury: await open(), voucherSigner: await machine.person() };
    const launchpad = new Launchpad(machine, { config, dollarMint }, people);
    const args = {
      treasury: base58(people.treasury.wallet),
      voucherSigner: base58(people.voucherSigner.address),
      owner: base58(people.owner.wallet),
      allowsTest: allowsTest ? 1 : 0,
      timelockSeconds,
    };
    const payer = machine.deployer.address;
    await launchpad.must(machine.deployer, machine.instruction('init', { payer, dollarMint }, args));
    for (let index = 0; index < 16; index += 1) {
      const [feeVault] = await derive('feeVault', { index: Uint8Array.of(index) });
      await launchpad.must(
        machine.deployer,
        machine.instruction('openFeeVault', { payer, feeVault, dollarMint }, { index }),
      );
      launchpad.feeVaults.push(feeVault);
    }
    for (const person of [people.owner, people.treasury]) await launchpad.openUser(person);
    return launchpad;
  }

  /** Sends what has to succeed. */
  async must(signers: KeyPairSigner | KeyPairSigner[], ...list: Instruction[]): Promise<Sent> {
    const sent = await this.machine.send(signers, ...list);
    if (sent.error !== null) throw new Error(`Refused with ${sent.error}: ${sent.said}`);
    return sent;
  }

  /** @param hasUser - Whether their User is open. */
  async person({ hasUser = true, dollars = 10n ** 12n } = {}): Promise<Person> {
    const person = await personOf(this.machine, this.dollarMint, await this.machine.person(), dollars * oneDollar);
    if (hasUser) await this.openUser(person);
    return person;
  }
  async openUser({ wallet, user }: Person): Promise<void> {
    const { deployer } = this.machine;
    await this.must(deployer, this.machine.instruction('openUser', { payer: deployer.address, wallet, user }, {}));
  }

  /** What creates a token. */
  async creation(
    creator: Person,
    { poolType = 7, name = 'Paper Boat', symbol = 'BOAT', uri = 'ipfs://boat', deadline = forever } = {},
    salt: Uint8Array = new Uint8Array(32).fill(++this.#salts),
  ): Promise<Omit<Token, 'sent'>> {
    const creatorKey = base58(creator.wallet);
    const [mint, mintBump] = await derive('mint', { creator: creatorKey, salt });
    const mintKey = base58(mint);
    const [launch, launchBump] = await derive('launch', { mint: mintKey });
    const [tokenVault, tokenVaultBump] = await derive('tokenVault', { mint: mintKey });
    const [usdVault, usdVaultBump] = await derive('usdVault', { mint: mintKey });
    const feeVault = this.feeVaults[(keyBytes(mintKey)[31] as number) % 16] as string;
    const places = {
      mint,
      launch,
      tokenVault,
      usdVault,
      feeVault,
      dollarMint: this.dollarMint,
      creatorUser: creator.user,
    };
    const args = {
      poolType,
      mintBump,
      launchBump,
      tokenVaultBump,
      usdVaultBump,
      deadline,
      salt: `0x${Buffer.from(salt).toString('hex')}` as const,
      name,
      symbol,
      uri,
    };
    const instruction = this.machine.instruction('create', { ...places, creator: creator.wallet }, args);
    return { places, creator, instruction };
  }
  async create(creator: Person, options: Parameters<Launchpad['creation']>[1] = {}): Promise<Token> {
    const creation = await this.creation(creator, options);
    return { ...creation, sent: await this.must(creator.signer, creation.instruction) };
  }

  /** The trader's account for this token; there is one from now on. */
  async tokensOf({ places }: Pick<Token, 'places'>, { wallet }: Person): Promise<Address> {
    const [at] = await derive('user', { wallet: base58(wallet) });
    const key = `${places.mint} ${at}`;
    const known = this.#tokenAccounts.get(key);
    if (known !== undefined) return known;
    const made = await this.machine.fresh();
    this.machine.putTokens(made, places.mint, wallet, 0n, wellKnown.token2022);
    this.#tokenAccounts.set(key, made);
    return made;
  }
  readonly #tokenAccounts = new Map<string, Address>();

  async order(token: Pick<Token, 'places'>, trader: Person, order: Order, places: Places = {}): Promise<Instruction> {
    const { kind, amount, limit, deadline = forever, builder, builderBps = 0, referral, referrer } = order;
    const isExactIn = kind === 'buyExactIn' || kind === 'sellExactIn';
    const named: Places = {
      ...token.places,
      trader: trader.wallet,
      traderTokens: await this.tokensOf(token, trader),
      traderUsd: trader.usd,
      traderUser: trader.user,
      builderUser: builder?.user ?? programAddress,
      referralUser: referral?.user ?? programAddress,
      referrerUser: referrer?.user ?? programAddress,
      ...places,
    };
    return this.machine.instruction(kind, named, {
      amount,
      limit: limit ?? (isExactIn ? 0n : most),
      deadline,
      builderBps,
    });
  }
  async trade(token: Pick<Token, 'places'>, trader: Person, order: Order, places: Places = {}): Promise<Sent> {
    return this.machine.send(trader.signer, await this.order(token, trader, order, places));
  }

  /** As if the token had traded until this is so: what its vaults hold is what it has to. */
  putLaunch({ places }: Token, { poolType, isGraduated, tokensLeft, reserveUsd, floorUsd }: StoredLaunch): void {
    const { machine } = this;
    const launch = machine.state('Launch', places.launch);
    const now = { ...launch, graduated: isGraduated ? 1n : 0n, tokensLeft, reserveUsd, floorUsd, treasuryUsd: 0n };
    machine.putState('Launch', places.launch, now);
    const forPool = isGraduated ? 0n : poolType.poolTokens * 10n ** 6n;
    machine.putTokens(places.tokenVault, places.mint, places.launch, tokensLeft + forPool, wellKnown.token2022);
    machine.putTokens(places.usdVault, this.dollarMint, places.launch, reserveUsd + floorUsd);
  }
  /** As if a voucher had said so. */
  putReferrer({ user }: Person, { wallet }: Person): void {
    this.machine.putState('User', user, { ...this.machine.state('User', user), referrer: base58(wallet) });
  }
  /** As if everybody had withdrawn what they were credited. */
  clearCredits(everybody: readonly Person[]): void {
    for (const { user } of everybody)
      if (this.machine.account(user).data.length > 0)
        this.machine.putState('User', user, { ...this.machine.state('User', user), creditUsd: 0n });
    for (const vault of this.feeVaults) this.machine.putTokens(vault, this.dollarMint, this.config, 0n);
  }

  graduation({ places }: Pick<Token, 'places'>): Instruction {
    return this.machine.instruction('graduate', places, {});
  }
  collection({ places }: Pick<Token, 'places'>): Instruction {
    return this.machine.instruction('collectTreasury', { ...places, treasuryUser: this.treasury.user }, {});
  }
  withdrawal({ wallet, user, usd }: Person, amount = most, from: readonly string[] = this.feeVaults): Instruction {
    return this.machine.instruction('withdraw', { wallet, user, to: usd, dollarMint: this.dollarMint }, { amount }, [
      ...from,
    ]);
  }
}

const putDollarMint = (machine: Machine, at: Address, authority: Address): void => {
  const mint = new Uint8Array(82);
  mint[0] = 1;
  mint.set(keyBytes(base58(authority)), 4);
  new DataView(mint.buffer).setBigUint64(36, 10n ** 18n, true);
  mint[44] = 6;
  mint[45] = 1;
  machine.put(at, wellKnown.token, mint);
};

const personOf = async (
  machine: Machine,
  dollarMint: Address,
  signer: KeyPairSigner,
  dollars = 0n,
): Promise<Person> => {
  const usd = await machine.fresh();
  machine.putTokens(usd, dollarMint, signer.address, dollars);
  const [user] = await derive('user', { wallet: base58(signer.address) });
  return { signer, wallet: signer.address, user, usd };
};
