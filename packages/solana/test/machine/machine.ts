import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Base58, toBase58 } from '@mintage/protocol';
import {
  type AccountOf,
  type AddressName,
  type ArgsOf,
  decodeAccount,
  decodeEvent,
  encodeAccount,
  encodeInstruction,
  type InstructionAccount,
  type InstructionName,
  instructions,
  keyBytes,
  localProgramAddress,
  type ProgramEvent,
  seedsOf,
  wellKnown,
} from '@mintage/protocol/solana';
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  getProgramDerivedAddress,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayer,
  signTransaction,
} from '@solana/kit';
import { FailedTransactionMetadata, FeatureSet, LiteSVM } from 'litesvm';

/** Solana's machine in this process, with the program deployed as a cluster has it. One instance a test file; nothing in it runs by itself. */

/** Another one than the committed: for bugs that are planted (`npm run mutants:solana`). */
const so = process.env.TEST_LAUNCHPAD ?? fileURLToPath(new URL('../../program/launchpad.so', import.meta.url));

export const programAddress = address(localProgramAddress);
/** What a transaction did. */
export interface Sent {
  /** The program's own code; -1 for any other error; null: it succeeded. */
  error: number | null;
  /** What the machine said of an error. */
  said: string;
  units: number;
  bytes: number;
  events: (ProgramEvent & { by: Base58 })[];
}

/** Accounts of an instruction by name. Those that are the same everywhere may be left out. */
export type Places = Record<string, string>;

const roleOf = ({ isSigner, isWritable }: InstructionAccount): AccountRole => {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
};

const chain = (allFeatures: boolean): LiteSVM => {
  if (!allFeatures) return new LiteSVM();
  // Features before what depends on them.
  return LiteSVM.default()
    .withFeatureSet(FeatureSet.allEnabled())
    .withBuiltins()
    .withLamports(10n ** 18n)
    .withSysvars()
    .withPrecompiles()
    .withDefaultPrograms()
    .withSigverify(true);
};

export class Machine {
  svm: LiteSVM;
  readonly deployer: KeyPairSigner;
  readonly #always: Places;

  private constructor(svm: LiteSVM, deployer: KeyPairSigner, always: Places) {
    this.svm = svm;
    this.deployer = deployer;
    this.#always = always;
  }

  /** @param allFeatures - Whether the machine is one of the future, with every feature that waits for its activation. */
  static async start({ allFeatures = false, program = readFileSync(so) } = {}): Promise<Machine> {
    const svm = chain(allFeatures).withBlockhashCheck(false).withTransactionHistory(0n);
    svm.addProgram(programAddress, program);
    const deployer = await generateKeyPairSigner();
    const [config] = await derive('config', {});
    const [programData] = await getProgramDerivedAddress({
      programAddress: address(wellKnown.upgradeableLoader),
      seeds: [keyBytes(base58(programAddress))],
    });
    const { system, token, token2022, instructions: sysvar } = wellKnown;
    const always = { config, programData, program: programAddress, system, token, token2022, instructions: sysvar };
    const machine = new Machine(svm, deployer, always);
    machine.setAuthority(deployer.address);
    machine.setTime(1_800_000_000n);
    machine.giveSol(deployer.address);
    return machine;
  }

  // -------------------------------------------------------------- what a test makes so

  /** As the loader notes who may upgrade the program. */
  setAuthority(authority: Address | null): void {
    const account = this.account(this.#always.programData as string);
    const data = Uint8Array.from(account.data);
    data[12] = authority === null ? 0 : 1;
    data.set(authority === null ? new Uint8Array(32) : keyBytes(base58(authority)), 13);
    this.put(this.#always.programData as string, account.owner, data);
  }
  setTime(seconds: bigint): void {
    const clock = this.svm.getClock();
    clock.unixTimestamp = seconds;
    this.svm.setClock(clock);
  }
  get time(): bigint {
    return this.svm.getClock().unixTimestamp;
  }
  wait(seconds: bigint): void {
    this.setTime(this.time + seconds);
  }
  giveSol(to: Address): void {
    this.svm.airdrop(to, lamports(10n ** 12n));
  }
  async person(): Promise<KeyPairSigner> {
    const signer = await generateKeyPairSigner();
    this.giveSol(signer.address);
    return signer;
  }
  async fresh(): Promise<Address> {
    return (await generateKeyPairSigner()).address;
  }
  put(at: string, owner: string, data: Uint8Array, balance = 10n ** 10n): void {
    this.svm.setAccount({
      address: address(at),
      data,
      executable: false,
      lamports: lamports(balance),
      programAddress: address(owner),
      space: BigInt(data.length),
    });
  }
  /** A token account of the classic program or of Token-2022. */
  putTokens(at: string, mint: string, owner: string, amount: bigint, program: string = wellKnown.token): void {
    const data = new Uint8Array(165);
    data.set(keyBytes(mint as Base58));
    data.set(keyBytes(owner as Base58), 32);
    new DataView(data.buffer).setBigUint64(64, amount, true);
    data[108] = 1;
    this.put(at, program, data);
  }

  /** The whole world, to come back to. */
  save(): Uint8Array {
    return this.svm.toBytes();
  }
  restore(world: Uint8Array): void {
    this.svm = LiteSVM.fromBytes(world).withBlockhashCheck(false).withTransactionHistory(0n);
  }

  // -------------------------------------------------------------- what is there

  account(at: string): { data: Uint8Array; owner: string } {
    const found = this.svm.getAccount(address(at));
    return found.exists
      ? { data: found.data, owner: found.programAddress }
      : { data: new Uint8Array(), owner: wellKnown.system };
  }
  /** Tokens or dollars in a token account. */
  balance(at: string): bigint {
    const { data } = this.account(at);
    return data.length < 72 ? 0n : new DataView(data.buffer, data.byteOffset).getBigUint64(64, true);
  }
  state<Name extends 'Config' | 'Launch' | 'User'>(name: Name, at: string): AccountOf<Name> {
    const { data } = this.account(at);
    const state = decodeAccount(name, data);
    if (state === null) throw new Error(`${at} is no ${name}.`);
    return state;
  }

  putState<Name extends 'Config' | 'Launch' | 'User'>(name: Name, at: string, values: AccountOf<Name>): void {
    this.put(at, programAddress, encodeAccount(name, values));
  }

  // -------------------------------------------------------------- transactions

  /** @throws Error when a place is not named. */
  instruction<Name extends InstructionName>(
    name: Name,
    places: Places,
    args: ArgsOf<Name>,
    more: string[] = [],
  ): Instruction {
    const known = { ...this.#always, ...places };
    const accounts = instructions[name].accounts.map((account: InstructionAccount) => {
      const at = known[account.name] ?? (account.isOptional ? programAddress : undefined);
      if (at === undefined) throw new Error(`${name} needs ${account.name}.`);
      // The program as none is no account that could be written.
      return { address: address(at), role: at === programAddress ? AccountRole.READONLY : roleOf(account) };
    });
    const rest = more.map((at) => ({ address: address(at), role: AccountRole.WRITABLE }));
    return { programAddress, accounts: [...accounts, ...rest], data: encodeInstruction(name, args) };
  }

  /** @param signers - Who pays, then who else signs. */
  async send(signers: KeyPairSigner | KeyPairSigner[], ...list: Instruction[]): Promise<Sent> {
    const [payer, ...others] = [signers].flat();
    if (payer === undefined) throw new Error('Somebody has to pay.');
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (one) => setTransactionMessageFeePayer(payer.address, one),
      (one) => this.svm.setTransactionMessageLifetimeUsingLatestBlockhash(one),
      (one) => appendTransactionMessageInstructions(list, one),
    );
    const signed = await signTransaction(
      [payer, ...others].map(({ keyPair }) => keyPair),
      compileTransaction(message),
    );
    const bytes = getTransactionEncoder().encode(signed).length;
    const result = this.svm.sendTransaction(signed);
    const failed = result instanceof FailedTransactionMetadata;
    const meta = failed ? result.meta() : result;
    const logs = meta.logs().join('\n');
    const code = /custom program error: 0x([0-9a-f]+)/.exec(logs)?.[1];
    const ownCode = new RegExp(`Program ${programAddress} failed: custom program error: 0x([0-9a-f]+)`).exec(logs)?.[1];
    return {
      error: failed ? Number.parseInt(ownCode ?? code ?? '-1', 16) : null,
      said: failed ? `${result.err().toString()}\n${logs}` : '',
      units: Number(meta.computeUnitsConsumed()),
      bytes,
      events: failed ? [] : this.#eventsOf(meta.innerInstructions(), keysOf(signed.messageBytes)),
    };
  }

  #eventsOf(inner: InnerInstructions, keys: Base58[]): Sent['events'] {
    return inner.flat().flatMap((one) => {
      const called = one.instruction();
      if (keys[called.programIdIndex()] !== (programAddress as string)) return [];
      const event = decodeEvent(Uint8Array.from(called.data()));
      const by = keys[called.accounts()[0] ?? -1];
      return event === null || by === undefined ? [] : [{ ...event, by }];
    });
  }
}

type InnerInstructions =
  ReturnType<InstanceType<typeof FailedTransactionMetadata>['meta']> extends {
    innerInstructions(): infer Inner;
  }
    ? Inner
    : never;

/** Keys of a v0 message without lookups: a byte of version, three of counts, then a short length and the keys. */
const keysOf = (message: ArrayLike<number>): Base58[] => {
  const bytes = Uint8Array.from(message);
  const count = bytes[4] as number;
  return Array.from({ length: count }, (_, at) => toBase58(bytes.subarray(5 + 32 * at, 37 + 32 * at)));
};

/** One of the program's addresses with its bump. */
export const derive = async <Name extends AddressName>(
  name: Name,
  values: Parameters<typeof seedsOf<Name>>[1],
): Promise<readonly [address: Address, bump: number]> =>
  getProgramDerivedAddress({ programAddress, seeds: seedsOf(name, values) });

/** The same text, with our brand instead of the client library's. */
export const base58 = (one: Address): Base58 => one as string as Base58;
