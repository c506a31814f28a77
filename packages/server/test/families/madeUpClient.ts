import { randomBytes } from 'node:crypto';
import {
  type Address,
  base58Addresses,
  curveOf,
  type Hash,
  MintageError,
  type Solvency,
  type TokenBooks as SolvencyBooks,
  solvencyOf,
} from '@mintage/protocol';
import type { DecodedCall } from '@mintage/protocol/operations';
import type {
  ChainClient,
  ChainReading,
  Creation,
  NamedToken,
  OpenCall,
  Order,
  Outcome,
  PreparedCall,
  PreparedStep,
  ReadTransaction,
  SentTransaction,
  SimulateOptions,
  TokenContract,
  TokenTransfer,
  Tried,
} from '../../src/chain/chainClient.ts';
import { type Attempt, attempt, type Block, type MadeUpChain } from './madeUpChain.ts';
import { type Books, decimals, deployment, fee, supply, tokenAddress } from './program.ts';
import { type Deed, decode, decodeOrNull, encode, type Transaction } from './transaction.ts';

/** Blocks that a prepared transaction is good for. */
const goodForBlocks = 100;
/** Each thing that a transaction does takes the same. */
const gasOfDeed = 1_000n;

const { launchpad, usd, usdSymbol } = deployment;
const { nobody } = base58Addresses;

/** The made-up chain as the API uses it. */
export class MadeUpClient implements ChainClient {
  readonly up = true;
  readonly providers = { configured: 1, answering: 1 };
  readonly bridge = null;
  readonly vouchesWithFirstBuy = true;
  readonly #chain: MadeUpChain;

  constructor(chain: MadeUpChain) {
    this.#chain = chain;
  }

  async check(): Promise<void> {}
  async stop(): Promise<void> {}

  async readMarket({ tokenId, address, name, symbol }: NamedToken, trader: Address): Promise<ChainReading> {
    const { height, hash, time, books } = this.#chain.head;
    const block = { number: height, hash, time };
    const token = books.tokens.get(address);
    const market = token && {
      source: 'chain' as const,
      token: { tokenId, address, name, symbol, ...token },
      poolType: token.poolType,
      block,
      usd: { address: usd, symbol: usdSymbol, decimals: decimals.usd },
      tokenDecimals: decimals.token,
      curve: curveOf(token.poolType, decimals, token),
      venue: null,
      pool: null,
      floorUsd: token.floorUsd,
      treasuryShareUsd: token.treasuryShareUsd,
    };
    const usdBalance = books.dollars.get(trader) ?? 0n;
    const held = { referrer: null, usdBalance, usdAllowance: 0n, tokenBalance: token?.holdings.get(trader) ?? 0n };
    return { block, market: market ?? null, trader: held, isAlone: false, premise: null };
  }

  async nativeBalance(wallet: Address): Promise<bigint> {
    return this.#chain.head.books.coins.get(wallet) ?? 0n;
  }

  async usdBalance(wallet: Address): Promise<bigint> {
    return this.#chain.head.books.dollars.get(wallet) ?? 0n;
  }

  async inspectRecipient() {
    return { wall: null, doubt: null };
  }

  paidBy({ to, data }: Pick<PreparedCall, 'to' | 'data'>): readonly Address[] {
    const transaction = decodeOrNull(data);
    return data === '0x' || transaction === null ? [to] : [];
  }

  async solvency(): Promise<Solvency> {
    const { height: number, hash, time, books } = this.#chain.head;
    return solvencyOf({
      block: { number, hash, time },
      usd,
      heldUsd: books.dollars.get(launchpad) ?? 0n,
      tokens: [...books.tokens].map(
        ([token, { reserveUsd, floorUsd, treasuryShareUsd }]): SolvencyBooks => ({
          token,
          graduated: false,
          reserveUsd,
          floorUsd,
          treasuryShareUsd,
          inTokens: null,
        }),
      ),
      credits: [...books.credits.values()],
    });
  }

  newSalt(): `0x${string}` {
    return `0x${randomBytes(32).toString('hex')}`;
  }

  tokenAddress(creator: Address, salt: `0x${string}`): Address {
    return tokenAddress(creator, salt);
  }

  /** The sender's signature is all that the launchpad needs. */
  approve(): null {
    return null;
  }

  async trade(order: Order): Promise<PreparedStep> {
    return this.#step(order.recipient, tradeDeed(order));
  }

  async create({ creator, ...facts }: Creation, first: Order | null): Promise<PreparedStep> {
    const create: Deed = { do: 'create', ...facts };
    return this.#step(creator, create, ...(first === null ? [] : [tradeDeed(first)]));
  }

  async transfer(sender: Address, token: Address, recipient: Address, amount: bigint): Promise<PreparedStep> {
    return this.#step(sender, { do: 'transfer', token, to: recipient, amount });
  }

  async withdraw(wallet: Address, currencies: readonly Address[]): Promise<PreparedStep> {
    return this.#step(wallet, { do: 'withdraw', currencies: [...currencies] });
  }

  async mintUsd(sender: Address, recipient: Address, amount: bigint): Promise<PreparedStep> {
    return this.#step(sender, { do: 'mintUsd', to: recipient, amount });
  }

  decode({ data }: PreparedCall): DecodedCall[] {
    return decode(data).does.map((deed) => {
      if (deed.do !== 'trade' && deed.do !== 'create') throw new Error(`${deed.do} is no trade and no creation.`);
      return {
        contract: 'launchpad',
        to: launchpad,
        ...(deed.do === 'trade' ? shownTrade(deed) : shownCreation(deed)),
      };
    });
  }

  async signVoucher(): Promise<null> {
    return null;
  }

  async simulate(
    from: Address,
    calls: readonly PreparedCall[],
    { blockNumber, before = [] }: SimulateOptions,
  ): Promise<Outcome> {
    const block = this.#blockAt(blockNumber);
    let { books } = block;
    for (const call of before) books = tryOn(books, block, from, call).books;
    let gasUsed = 0n;
    let transfers: readonly TokenTransfer[] = [];
    for (const call of calls) {
      const tried = tryOn(books, block, from, call);
      if (tried.error !== null) return { ok: false, gasUsed, error: tried.error };
      gasUsed = gasOf(decode(call.data));
      books = tried.books;
      transfers = tried.effects.transfers;
    }
    return { ok: true, gasUsed, transfers };
  }

  async tryCall(
    wallet: Address,
    call: PreparedCall,
    openAt: (blockNumber: number) => Promise<readonly PreparedCall[]>,
  ): Promise<Tried> {
    const blockNumber = this.#chain.head.height;
    const outcome = await this.simulate(wallet, [call], { blockNumber, before: await openAt(blockNumber) });
    if (outcome.ok === false) throw outcome.error;
    return { gasLimit: gasOf(decode(call.data)), blockNumber };
  }

  async notIn(blockNumber: number, _wallet: Address, steps: readonly OpenCall[]): Promise<readonly OpenCall[]> {
    return steps.filter(({ hash }) => {
      const block = hash === null ? null : this.#chain.find(hash)?.block;
      return !block || block.height > blockNumber;
    });
  }

  async findTransaction(hash: Hash, wallets: readonly Address[]): Promise<SentTransaction | null> {
    const found = this.#chain.find(hash);
    if (found === undefined || !wallets.includes(found.from)) return null;
    const { block, error } = found;
    return { blockNumber: block?.height ?? null, whyReverted: error && (async () => error.message) };
  }

  async readTransaction(hash: Hash): Promise<ReadTransaction | null> {
    const found = this.#chain.find(hash);
    if (found === undefined) return null;
    const { from, block, error } = found;
    const ref = block && { number: block.height, hash: block.hash, time: block.time };
    const whyReverted = error && (async () => error.message);
    const paid = block === null ? null : fee;
    return { block: ref, from, to: launchpad, value: 0n, feePaid: paid, whyReverted, ...untold, isAlone: false };
  }

  /** Tokens are entries in the program's books. */
  async readToken(): Promise<TokenContract> {
    return { block: this.#chain.head.height, code: null, supply };
  }

  #step(from: Address, ...does: Deed[]): PreparedStep {
    const data = encode({ from, validUntil: this.#chain.head.height + goodForBlocks, does });
    return { call: { to: launchpad, data }, gasBound: gasOf({ does }) };
  }

  /** @throws MintageError NETWORK_ERROR for a block that a reorganisation took. */
  #blockAt(height: number): Block {
    const block = this.#chain.block(height);
    if (block === undefined) throw new MintageError('NETWORK_ERROR', `The chain has no block ${height} now.`);
    return block;
  }
}

/** Nothing decodes a transaction of this chain for people. */
const untold = { calls: [], events: [], otherEvents: 0 };

const gasOf = ({ does }: Pick<Transaction, 'does'>): bigint => gasOfDeed * BigInt(does.length);

const tradeDeed = (order: Order): Deed => {
  const { kind, token, amount, limit, recipient, builder, referral, deadline } = order;
  return { do: 'trade', kind, token, amount, limit, recipient, builder, referral, deadline };
};

/** Runs the bytes of a call on these books. Whoever is not named in them cannot send them. */
const tryOn = (books: Books, { time }: Block, from: Address, { to, data }: PreparedCall): Attempt => {
  const failed = (error: MintageError): Attempt => ({ books, effects: { events: [], transfers: [] }, error });
  const transaction = to === launchpad ? decodeOrNull(data) : null;
  if (transaction === null)
    return failed(new MintageError('INVALID_PARAMETERS', `data: is no transaction that ${to} takes on this chain`));
  if (transaction.from !== from)
    return failed(new MintageError('TRANSACTION_FAILED', `${transaction.from} would have to sign this, not ${from}.`));
  return attempt(books, transaction, time);
};

type Shown = Pick<DecodedCall, 'function' | 'args'>;

const shownTrade = ({ builder, ...order }: Extract<Deed, { do: 'trade' }>): Shown => ({
  function: order.kind,
  args: {
    token: order.token,
    amount: order.amount.toString(),
    limit: order.limit.toString(),
    recipient: order.recipient,
    builder: builder?.code ?? nobody,
    builderBps: builder?.feeBps ?? 0,
    referral: order.referral ?? nobody,
    deadline: order.deadline,
  },
});

const shownCreation = (creation: Extract<Deed, { do: 'create' }>): Shown => {
  const { name, symbol, uri, salt, poolType, deadline } = creation;
  return { function: 'create', args: { name, symbol, uri, salt, poolType, deadline } };
};
