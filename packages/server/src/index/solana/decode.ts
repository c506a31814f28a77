import { type Address, type Base58, type Decimals, type Hash, type PoolType, poolTypeById } from '@mintage/protocol';
import {
  type AddressName,
  decodeEvent,
  decodeInstruction,
  instructions,
  launchpadAddress,
  type ProgramEvent,
  type ProgramEventName,
} from '@mintage/protocol/solana';
import type { Origin } from '../events/origin.ts';
import type { SolanaEvent } from '../events/solana/solanaEvent.ts';
import { type ChainEvent, events as kinds } from '../handlers/events.ts';
import type { Block } from './calls.ts';
import { movementsOf } from './movements.ts';
import type { Deeds, Step } from './transaction.ts';

/** What a deployment on a cluster consists of, as far as events need it. */
export interface Programs {
  program: Base58;
  usd: Base58;
  decimals: Decimals;
}

/** A transaction in its block. */
export interface Placed {
  signature: Hash;
  block: Block;
  /** In the block. */
  index: number;
  deeds: Deeds;
}

/**
 * Numbers of a transaction's events among those of its block: first what its token accounts held, then what the program said, in the
 * order in which it ran, then what moved.
 */
const places = { transaction: 4_096, said: 1_024, moved: 2_048 } as const;

/** Reads transactions that name the program, in the order of the chain. */
export class Decoder {
  readonly #programs: Programs;
  readonly #poolTypes: ReadonlyMap<Address, number>;
  /** Of the tokens that these transactions create. */
  readonly #created = new Map<Address, number>();
  readonly #signers: Signers;

  /** @param poolTypes - Ids by token, of those that the tables know. */
  constructor(programs: Programs, poolTypes: ReadonlyMap<Address, number>, signers: Signers) {
    this.#programs = programs;
    this.#poolTypes = poolTypes;
    this.#signers = signers;
  }

  /** @throws Error when the program told of something in a form that it does not have. */
  eventsOf(transaction: Placed): ChainEvent[] {
    const { steps } = transaction.deeds;
    const said = steps.flatMap((step, at) => this.#saidBy(transaction, step, at));
    return [...this.#heldIn(transaction), ...said, ...this.#movedIn(transaction)];
  }

  #saidBy(transaction: Placed, step: Step, place: number): ChainEvent[] {
    const { program } = this.#programs;
    if (step.program !== program) return [];
    const at = originOf(transaction, placeIn(places.said, place, places.moved));
    if (step.data[0] === instructions.init.tag) return firstTreasury(step, at);
    const said = toldIn(step, program, this.#signers);
    if (said === null) return [];
    const { told, signer } = said;
    const numbered = numbersOf(said, program).map((one): ChainEvent => ({ ...one, name: 'Numbered', at }));
    if (told.event === 'TokenCreated') this.#created.set(told.mint, told.poolType);
    const kind = kindsByEvent.get(told.event);
    if (kind === undefined) return numbered;
    const { usd, decimals } = this.#programs;
    const fields = kind.solana.decode(told, {
      usd,
      decimals,
      poolTypeOf: (mint) => this.#poolTypeOf(mint),
      launchOf: () => signer,
      ownerOf: (account) => transaction.deeds.holdings.find((one) => one.account === account)?.owner ?? account,
    });
    return [...numbered, { ...fields, name: kind.name, at } as ChainEvent];
  }

  #heldIn(transaction: Placed): ChainEvent[] {
    return this.#ours(transaction).map((holding, i) => ({
      ...holding,
      name: 'Held',
      // Each may need two places for what nobody showed.
      at: originOf(transaction, placeIn(0, 2 * i, places.said)),
    }));
  }

  #movedIn(transaction: Placed): ChainEvent[] {
    const ours = this.#ours(transaction);
    const tokens = [...new Set(ours.map(({ token }) => token))];
    const moved = tokens.flatMap((token) =>
      movementsOf(ours.filter((one) => one.token === token)).map((movement) => ({ token, ...movement })),
    );
    return moved.map((movement, i) => ({
      ...movement,
      name: 'Transfer',
      at: originOf(transaction, placeIn(places.moved, i, places.transaction)),
    }));
  }

  /** Accounts of launched tokens, also of the one that the transaction itself launches. */
  #ours({ deeds }: Placed): Deeds['holdings'] {
    return deeds.holdings.filter(({ token }) => this.#poolTypes.has(token) || this.#created.has(token));
  }

  #poolTypeOf(mint: Address): PoolType {
    const id = this.#created.get(mint) ?? this.#poolTypes.get(mint);
    const poolType = id === undefined ? undefined : poolTypeById(id);
    if (poolType === undefined) throw new Error(`the token ${mint} has the unknown pool type ${id}`);
    return poolType;
  }
}

/** An event of the program with the account that signed it. */
export interface Told {
  told: ProgramEvent;
  signer: Address;
}

/**
 * The event that an instruction is; null of any other.
 *
 * @throws Error when the program told of something in a form that it does not have.
 */
export const toldIn = (step: Step, program: Address, signers: Signers): Told | null => {
  const [signer] = step.accounts;
  if (step.program !== program || !step.isInner || signer === undefined) return null;
  if (step.data[0] !== instructions.event.tag) return null;
  const told = decodeEvent(step.data);
  if (told === null) throw new Error('the program told an event that this version does not know');
  return signers.has(told, signer) ? { told, signer } : null;
};

/** Who numbered an event, and how: creations are numbered twice, the second time among all of the program. */
export const numbersOf = ({ told, signer }: Told, program: Address): { account: Address; number: number }[] => [
  { account: signer, number: Number(told.seq) },
  ...(told.event === 'TokenCreated' ? [{ account: program, number: Number(told.launchNumber) }] : []),
];

const placeIn = (first: number, offset: number, end: number): number => {
  if (first + offset >= end) throw new Error('a transaction has more events than have a place in its block');
  return first + offset;
};

const originOf = ({ block, signature, index }: Placed, place: number): Origin => ({
  block: block.number,
  blockHash: block.hash,
  txHash: signature,
  logIndex: index * places.transaction + place,
  time: new Date(block.timestamp * 1000),
});

/** Who may begin the program names its first treasury, which no event tells. It succeeds once. */
const firstTreasury = ({ data }: Step, at: Origin): ChainEvent[] => {
  const { treasury } = decodeInstruction(data)?.args ?? {};
  return treasury === undefined
    ? []
    : [{ name: 'SettingChanged', at, setting: 'treasury', value: treasury as Address }];
};

const kindsByEvent: ReadonlyMap<ProgramEventName, { name: ChainEvent['name']; solana: SolanaEvent<object> }> = new Map(
  kinds.flatMap(({ name, solana }) => (solana === undefined ? [] : [[solana.event, { name, solana }] as const])),
);

/**
 * Whose signature makes an event true: the Launch of the token, the User of the wallet or the Config. The runtime lets the program
 * alone sign for them.
 */
export class Signers {
  readonly #program: Base58;
  /** Derived addresses; each takes a few hashes and a look at the curve. */
  readonly #known = new Map<string, Address>();

  constructor(program: Base58) {
    this.#program = program;
  }

  has(told: ProgramEvent, signer: Address): boolean {
    switch (told.event) {
      case 'ReferrerSet':
      case 'ReferrerClearProposed':
        return this.#of('user', { wallet: told.user }) === signer;
      case 'Withdrawn':
        return this.#of('user', { wallet: told.wallet }) === signer;
      case 'SettingChanged':
      case 'SettingProposed':
        return this.#of('config', {}) === signer;
      default:
        return this.#of('launch', { mint: told.mint }) === signer;
    }
  }

  #of<Name extends AddressName & ('user' | 'config' | 'launch')>(
    name: Name,
    seeds: Parameters<typeof launchpadAddress<Name>>[2],
  ): Address {
    const key = [name, ...Object.values(seeds)].join(' ');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { address } = launchpadAddress(this.#program, name, seeds);
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(key, address);
    return address;
  }
}

const mostKnown = 100_000;
