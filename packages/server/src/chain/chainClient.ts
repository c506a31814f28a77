import type {
  Address,
  Hash,
  MintageError,
  ReadCall,
  ReadEvent,
  RevertUnits,
  Solvency,
  TradeKind,
} from '@mintage/protocol';
import type { DecodedCall } from '@mintage/protocol/operations';
import type { Premise } from '../db/signerTables.ts';
import type { Log } from '../log.ts';
import type { Bridge } from './bridge.ts';
import type { BlockRef, Market, TokenFacts } from './market.ts';
import type { PreparedCall, PreparedStep } from './preparedStep.ts';
import type { ServedChain } from './servedChain.ts';

export type { PreparedCall, PreparedStep, WholeTransaction } from './preparedStep.ts';
export { NoRoomForVoucherError } from './preparedStep.ts';

export interface Providers {
  configured: number;
  answering: number;
}

/**
 * One chain as the API uses it: reads, prepares, simulates and looks up what was sent. Whatever differs between families
 * stands behind this; `evm/evmClient.ts` is the first. What the indexer and the signer need of a family is `index/follower.ts`
 * and `sign/sender.ts`; the families are listed in `families.ts`.
 */
export interface ChainClient {
  /** False while no provider has answered since the last failure of all of them. */
  readonly up: boolean;
  /** How many are configured, and how many of them are asked: those that failed or were outvoted rest. */
  readonly providers: Providers;
  /** Has every provider name its chain. @throws ChainDownError when none is of the right chain. */
  check(): Promise<void>;
  stop(): Promise<void>;

  // ---------------------------------------------------------------- reading

  /**
   * The state of a token and of a trader at the newest block that two providers have and agree on.
   *
   * @param facts - Name, symbol and id, which no chain returns.
   * @param aloneWillDo - Accept a single provider's answer when no other answers; never for what is signed here.
   * @throws ChainDownError when no provider answers, or no two say the same.
   */
  readMarket(facts: NamedToken, trader: Address, aloneWillDo: boolean): Promise<ChainReading>;
  /** Native coin of a wallet at the newest block, base units, by one provider's word. @throws When it does not answer. */
  nativeBalance(wallet: Address): Promise<bigint>;
  /** Dollars of a wallet, base units; otherwise as `nativeBalance`. */
  usdBalance(wallet: Address): Promise<bigint>;
  /**
   * What the chain shows of an address that is to receive, at the newest block, by one provider's word.
   *
   * @param asset - A token or the dollar; null: the native coin.
   * @throws When it does not answer.
   */
  inspectRecipient(address: Address, asset: Address | null): Promise<Inspection>;
  /** Addresses that a call pays, by its bytes; not those that a Solana transaction names by their token accounts alone. */
  paidBy(call: Pick<PreparedCall, 'to' | 'data'>): readonly Address[];
  /** What the contracts hold and owe, at the newest block. One reading at a time; the same one while no block is new. */
  solvency(): Promise<Solvency>;

  // ---------------------------------------------------------------- preparing

  /** A salt for the creator's next token, random, of those that cost least to create with. */
  newSalt(creator: Address): `0x${string}`;
  /** The token that `create` by this creator with this salt gives. */
  tokenAddress(creator: Address, salt: `0x${string}`): Address;
  /** False where a creation with a first buy has no room for a voucher: the creator's next call carries it. */
  readonly vouchesWithFirstBuy: boolean;
  /** Lets the Launchpad take exactly so many dollars, base units; null where a trade needs no such step. */
  approve(usd: bigint): PreparedStep | null;
  /**
   * @param voucher - Sets the trader's referrer in the same call; null: none.
   * @throws ChainDownError where preparing asks the chain and no provider answers; likewise the next four. NoRoomForVoucherError, as
   *   `create` does.
   */
  trade(order: Order, voucher: SignedVoucher | null): Promise<PreparedStep>;
  /** Creates a token, and with an order buys from it in the same call. */
  create(creation: Creation, first: Order | null, voucher: SignedVoucher | null): Promise<PreparedStep>;
  /**
   * @param sender - Whose wallet sends it.
   * @param token - A launched one, or the chain's dollar.
   * @param amount - Base units of the token.
   */
  transfer(sender: Address, token: Address, recipient: Address, amount: bigint): Promise<PreparedStep>;
  /**
   * Pays out all that the vault owes the wallet in these currencies.
   *
   * @param collected - Tokens for which what their pools earned is credited first, where pools have a fee of their own.
   */
  withdraw(wallet: Address, currencies: readonly Address[], collected?: readonly Address[]): Promise<PreparedStep>;
  /** Mints test dollars, base units, where anyone may; otherwise as `transfer`. */
  mintUsd(sender: Address, recipient: Address, amount: bigint): Promise<PreparedStep>;
  /**
   * What a finished call does, by its bytes alone and by a decoder of its own (threat W8).
   *
   * @throws Error for bytes that are none of our trades and creations: they must never leave the service.
   */
  decode(call: PreparedCall): DecodedCall[];
  /** Tokens between this chain and others; null: they do not cross. */
  readonly bridge: Bridge | null;
  /** Signs who referred a user, if the chain takes vouchers of this service now; null: it does not. */
  signVoucher(voucher: Voucher): Promise<SignedVoucher | null>;

  // ---------------------------------------------------------------- trying

  /**
   * Simulates calls of one wallet on top of a block and returns the outcome of the last. When an earlier one fails, its failure
   * is the outcome.
   *
   * @throws NETWORK_ERROR when no provider answers, or no two tell the same outcome.
   */
  simulate(from: Address, calls: readonly PreparedCall[], options: SimulateOptions): Promise<Outcome>;
  /**
   * Tries any call of a wallet on the newest block, after the calls of it that are open there.
   *
   * @param openAt - The wallet's calls that a block does not hold yet.
   * @returns The gas limit that it needs, and the block.
   * @throws MintageError the decoded reason when it fails, INSUFFICIENT_BALANCE, NETWORK_ERROR.
   */
  tryCall(
    wallet: Address,
    call: PreparedCall,
    openAt: (blockNumber: number) => Promise<readonly PreparedCall[]>,
  ): Promise<Tried>;
  /** Of a wallet's steps that were queued or sent, those that this block does not hold yet, in their order. */
  notIn(blockNumber: number, wallet: Address, steps: readonly OpenCall[]): Promise<readonly OpenCall[]>;

  // ---------------------------------------------------------------- looking up

  /**
   * A transaction that one of these wallets sent, as two providers say; 'unsure' while they do not, or only one that shows it
   * answers; null when they agree that there is none.
   *
   * @throws NETWORK_ERROR when too few answer and none shows it.
   */
  findTransaction(hash: Hash, wallets: readonly Address[]): Promise<SentTransaction | 'unsure' | null>;
  /**
   * Any transaction, read as far as our contracts reach, as two providers say; null when they agree that there is none.
   *
   * @throws NETWORK_ERROR when too few answer, or no two say the same.
   */
  readTransaction(hash: Hash): Promise<ReadTransaction | null>;
  /**
   * What the chain itself says of a token, at the newest block that two providers have.
   *
   * @throws NETWORK_ERROR when too few answer, or no two say the same.
   */
  readToken(token: Address): Promise<TokenContract>;
}

/** Made once for each served chain. */
export type CreateChainClient = (served: ServedChain, options: ChainClientOptions) => ChainClient;

export interface ChainClientOptions {
  log: Log;
  /** Private key of the deployment's voucher signer; null: no vouchers are signed. */
  voucherKey: `0x${string}` | null;
  /** Milliseconds since 1970. */
  now: () => number;
}

export interface Inspection {
  /** Why nothing gets out of the address again, as a phrase of `fixedWall`; null: no such reason is seen. */
  wall: string | null;
  /** Why it may be so, as such a phrase; null: it looks like a wallet. */
  doubt: string | null;
}

export type NamedToken = Pick<TokenFacts, 'tokenId' | 'address' | 'name' | 'symbol'>;

/** The trader's state on the Launchpad and the tokens, base units. */
export interface TraderState {
  /** Protocol referrer; null for none. */
  referrer: Address | null;
  /** Base units, as the next two. */
  usdBalance: bigint;
  /** Dollars that the Launchpad may take without another approval. */
  usdAllowance: bigint;
  tokenBalance: bigint;
}

export interface ChainReading {
  block: BlockRef;
  /** Null when the chain does not have the token. */
  market: Market | null;
  trader: TraderState;
  /** Only one provider answered, so nothing is signed on the strength of it. */
  isAlone: boolean;
  /** The read that the signer repeats before it signs; null where the call itself bounds what it depends on. */
  premise: Premise | null;
}

/** A trade as the Launchpad takes it. Amounts are base units. */
export interface Order {
  kind: TradeKind;
  token: Address;
  /** The exact side, base units. */
  amount: bigint;
  /** The other side, base units: the least received or the most paid. */
  limit: bigint;
  /** Who trades and receives. */
  recipient: Address;
  builder: { code: Address; feeBps: number } | null;
  referral: Address | null;
  /** Unix seconds. */
  deadline: number;
  /** What the trade meets, which decides how much gas it takes at most. */
  venue: 'curve' | 'lastOfCurve' | 'openingPool' | 'pool';
}

export interface Creation {
  creator: Address;
  name: string;
  symbol: string;
  /** Of the metadata. */
  uri: string;
  salt: `0x${string}`;
  /** Id of the pool type. */
  poolType: number;
  /** Unix seconds. */
  deadline: number;
}

/** Who referred a user: the user's next transaction tells the chain. */
export interface Voucher {
  /** The wallet whose referrer is set. */
  user: Address;
  /** Who becomes its protocol referrer. */
  referrer: Address;
  /** Unix seconds. */
  deadline: bigint;
}

export interface SignedVoucher extends Voucher {
  /** By the voucher signer of the deployment. */
  signature: `0x${string}`;
}

export interface SimulateOptions {
  /** On top of which the calls run. */
  blockNumber: number;
  /** What amounts in a refusal are told in. */
  units?: RevertUnits | undefined;
  /** Open calls of the wallet that the block does not hold: they run first, and may fail. */
  before?: readonly PreparedCall[];
  /** Accept a single provider's answer when no other answers; never for what is signed here. */
  aloneWillDo?: boolean;
}

/** Outcome of the last of several calls, sent one after the other by the same wallet on top of one block. */
export type Outcome =
  | { ok: true; gasUsed: bigint; transfers: readonly TokenTransfer[] }
  | { ok: false; gasUsed: bigint; error: MintageError }
  /** The provider does not support simulation. */
  | { ok: null };

export interface TokenTransfer {
  asset: Address;
  from: Address;
  to: Address;
  /** Base units. */
  amount: bigint;
}

export interface Tried {
  /** Units of gas, with some room. */
  gasLimit: bigint;
  /** Newest block, on which it was tried. */
  blockNumber: number;
}

/** A step of an embedded wallet that was queued or sent. */
export interface OpenCall extends PreparedCall {
  /** Its place among the wallet's transactions; null before it is signed, and on chains without such places. */
  nonce: number | null;
  /** Of its newest signed transaction; null before it is signed. */
  hash: Hash | null;
  status: 'queued' | 'sent' | 'mined';
}

export interface SentTransaction {
  /** Null while no block holds it. */
  blockNumber: number | null;
  /** Why it failed, one sentence, asked for when needed; null when it did not. */
  whyReverted: (() => Promise<string>) | null;
}

/** A transaction of anybody. */
export interface ReadTransaction {
  /** Null while no block holds it. */
  block: BlockRef | null;
  from: Address;
  /** Null for the creation of a contract. */
  to: Address | null;
  /** Native base units, as the next. */
  value: bigint;
  /** Null while no block holds it. */
  feePaid: bigint | null;
  /** As in `SentTransaction`. */
  whyReverted: (() => Promise<string>) | null;
  calls: readonly ReadCall[];
  events: readonly ReadEvent[];
  /** Logs that are not among `events`. */
  otherEvents: number;
  /** Several providers are configured, and only one answers. */
  isAlone: boolean;
}

/** A token as the chain has it. */
export interface TokenContract {
  block: number;
  /** Null on chains whose tokens have no code of their own. */
  code: TokenCode | null;
  /** Base units that exist on this chain. */
  supply: bigint;
}

/** Hashes of the code that a token runs: what is there, and what was published. */
export interface TokenCode {
  hash: `0x${string}`;
  publishedHash: `0x${string}`;
  /** What every token hands its calls to; `publishedHash` is null where the deployment does not say it. */
  implementation: { address: Address; hash: `0x${string}`; publishedHash: `0x${string}` | null };
}
