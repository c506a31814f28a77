import { createHash } from 'node:crypto';
import { chargedFees, creditedFees, type EvmDeployment } from '@mintage/protocol';
import { type AbiEvent, encodeAbiParameters, encodeEventTopics, type Hex } from 'viem';
import type { RawLog } from '../../src/index/events/evm/log.ts';
import type { EvmHeader } from '../../src/index/evm/header.ts';
import type { ChainSource, UntimedLog } from '../../src/index/evm/source.ts';
import { events } from '../../src/index/handlers/events.ts';
import { Random } from './random.ts';

/**
 * A chain in memory whose blocks hold events as the contracts would send them: credits are paid before they are
 * withdrawn, balances before they are sent. It reorganises on command, like a real one: the state goes back and another
 * branch grows. As a provider it is unpleasant: logs come shuffled and repeated, with forged ones of foreign contracts.
 */
export const launchpad: Hex = `0x${'1'.repeat(40)}`;
export const poolManager: Hex = `0x${'2'.repeat(40)}`;
export const usd: Hex = `0x${'4'.repeat(40)}`;
const zero: Hex = `0x${'0'.repeat(40)}`;
const addressOf = (name: string): Hex => `0x${hashOf(name).slice(2, 42)}`;
export const hashOf = (text: string): Hex => `0x${createHash('sha256').update(text).digest('hex')}`;

export const people = Array.from({ length: 6 }, (_, i) => addressOf(`person ${i}`));
const treasuries = [addressOf('treasury 0'), addressOf('treasury 1')];

export const syntheticDeployment = {
  chainId: 84532,
  startBlock: 1,
  launchpad,
  poolHook: launchpad,
  tokenFactory: addressOf('factory'),
  lens: addressOf('lens'),
  tokenImplementation: addressOf('implementation'),
  tokenBridge: addressOf('bridge'),
  layerZeroEndpoint: addressOf('endpoint'),
  usd,
  usdDecimals: 6,
  usdSymbol: 'TUSD',
  usdMintable: true,
  poolManager,
  venue: 'uniswap_v4',
  exchange: null,
  create3Factory: addressOf('factory'),
  owner: addressOf('owner'),
  codeHashes: {},
} as const satisfies EvmDeployment;

interface TokenModel {
  address: Hex;
  creator: Hex;
  stage: 'curve' | 'completed' | 'pool';
  poolId: Hex;
  treasuryShare: bigint;
  balances: Map<Hex, bigint>;
}

/** A token whose home is another chain. */
type RemoteModel = Pick<TokenModel, 'address' | 'balances'>;

interface Model {
  tokens: TokenModel[];
  remote: RemoteModel[];
  /** Messages so far. */
  nonce: bigint;
  credits: Map<Hex, bigint>;
  referrers: Map<Hex, Hex>;
  treasury: Hex;
}

interface Block {
  header: EvmHeader;
  logs: RawLog[];
  /** The state after it. */
  model: Model;
}

type Draft = Pick<RawLog, 'address' | 'topics' | 'data'>;

export class SyntheticChain implements ChainSource {
  readonly random: Random;
  #blocks: Block[];
  #branch = 0;
  #haltSeconds = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    const header = { number: 0, hash: hashOf(`${seed} genesis`), parentHash: hashOf('none'), timestamp: 1_800_000_000 };
    const model: Model = {
      tokens: [],
      remote: [],
      nonce: 0n,
      credits: new Map(),
      referrers: new Map(),
      treasury: treasuries[0] as Hex,
    };
    this.#blocks = [{ header, logs: [], model }];
    const setting: Hex = `0x${Buffer.from('treasury').toString('hex').padEnd(64, '0')}`;
    this.#append(model, [event('SettingChanged', launchpad, { setting, value: model.treasury })]);
  }

  get height(): number {
    return this.#blocks.length - 1;
  }

  mine(count: number): void {
    for (let i = 0; i < count; i += 1) {
      const model = structuredClone((this.#blocks.at(-1) as Block).model);
      const drafts = Array.from({ length: this.random.whole(0, 5) }, () => this.#act(model)).flat();
      this.#append(model, drafts);
    }
  }

  /** The next block comes so much later. */
  halt(seconds: number): void {
    this.#haltSeconds = seconds;
  }

  /** Drops the newest blocks and grows another branch in their place; one that is as long, shorter or longer. */
  reorg(depth: number, grow: number): void {
    this.#branch += 1;
    this.#blocks.length = Math.max(2, this.#blocks.length - depth);
    this.mine(grow);
  }

  // ---------------------------------------------------------------- as a provider

  async identity(): Promise<number> {
    return syntheticDeployment.chainId;
  }

  async head(): Promise<EvmHeader> {
    return (this.#blocks.at(-1) as Block).header;
  }

  async headers(numbers: readonly number[]): Promise<(EvmHeader | undefined)[]> {
    return numbers.map((number) => this.#blocks[number]?.header);
  }

  async logs(filter: { blockHash: Hex } | { from: number; to: number }): Promise<UntimedLog[]> {
    const wanted = this.#blocks.filter(({ header }) =>
      'blockHash' in filter
        ? header.hash === filter.blockHash
        : header.number >= filter.from && header.number <= filter.to,
    );
    const logs = wanted.flatMap((block) => block.logs);
    return this.random.shuffled([...logs, ...logs.filter(() => this.random.chance(0.1))]);
  }

  // ---------------------------------------------------------------- the world

  #append(model: Model, drafts: readonly Draft[]): void {
    const previous = this.#blocks.at(-1) as Block;
    const number = previous.header.number + 1;
    const halt = this.#haltSeconds;
    this.#haltSeconds = 0;
    const header = {
      number,
      hash: hashOf(`${this.#branch} ${this.random.next()} ${previous.header.hash}`),
      parentHash: previous.header.hash,
      timestamp: previous.header.timestamp + halt + this.#pause(),
    };
    const logs = drafts.map((draft, logIndex) => ({
      ...draft,
      blockNumber: number,
      blockHash: header.hash,
      txHash: hashOf(`${header.hash} ${Math.floor(logIndex / 3)}`),
      logIndex,
      timestamp: header.timestamp,
    }));
    this.#blocks.push({ header, logs, model });
  }

  /** Seconds to the next block: a few, none as on fast rollups, and now and then a halt that empties windows. */
  #pause(): number {
    return this.random.chance(0.12)
      ? this.random.pick([50, 250, 3_000, 20_000, 80_000, 400_000])
      : this.random.whole(0, 3);
  }

  #act(model: Model): Draft[] {
    if (model.tokens.length === 0 || this.random.chance(0.08)) return this.#create(model);
    const token = this.random.pick(model.tokens);
    const acts = [
      () => this.#trade(model, token),
      () => this.#trade(model, token),
      () => this.#trade(model, token),
      () => this.#send(token),
      () => this.#cross(model, token),
      () => this.#withdraw(model),
      () => this.#collect(model, token),
      () => this.#grow(model, token),
      () => this.#refer(model),
      () => this.#rare(model, token),
      () => this.#forge(token),
    ];
    return this.random.pick(acts)();
  }

  #create(model: Model): Draft[] {
    const address = addressOf(`token ${this.#branch} ${this.random.next()}`);
    const token: TokenModel = {
      address,
      creator: this.random.pick(people),
      stage: 'curve',
      poolId: hashOf(`pool ${address}`),
      treasuryShare: 0n,
      balances: new Map([[launchpad, 10n ** 27n]]),
    };
    model.tokens.push(token);
    const name = this.random.pick(['Coin', 'Münze', '\0', 'Coin', 'a'.repeat(300)]);
    return [
      event('Transfer', address, { from: zero, to: launchpad, value: 10n ** 27n }),
      event('TokenCreated', launchpad, {
        token: address,
        creator: token.creator,
        poolType: 7,
        virtualTokens: 1_125_000_000n * 10n ** 18n,
        virtualUsd: 12_500_000_000n,
        salt: hashOf(address),
        created: 1n,
        name,
        symbol: 'C',
        uri: 'ipfs://x',
      }),
    ];
  }

  #trade(model: Model, token: TokenModel): Draft[] {
    const trader = this.random.pick(people);
    const isBuy = this.random.chance(0.6);
    if (isBuy && token.stage === 'completed') return [];
    const recipient = this.random.chance(0.2) ? this.random.pick(people) : trader;
    const foreignRouter = token.stage === 'pool' && recipient !== trader && this.random.chance(0.5);
    const [from, to] = isBuy ? [launchpad, recipient] : [trader, launchpad];
    const held = token.balances.get(from) ?? 0n;
    if (held === 0n) return [];
    const tokens = this.random.chance(0.2) && !isBuy ? held : this.random.amount(held);
    const grossUsd = this.random.amount(10n ** 10n);
    const feeBps = isBuy && token.stage === 'curve' && this.random.chance(0.2) ? 5100n : 100n;
    const referral = this.random.chance(0.3) ? this.random.pick(people) : zero;
    const referrer = model.referrers.get(trader) ?? zero;
    const builder = this.random.chance(0.3) ? this.random.pick(people) : zero;
    const builderBps = builder === zero ? 0n : 50n;
    const fees = chargedFees({ grossUsd, feeBps, builderBps, referral, referrer });
    const named = { creator: token.creator, builder, referral, referrer, trader };
    for (const { part, recipient } of creditedFees) pay(model, named[recipient], fees[part]);
    token.treasuryShare += fees.treasury;
    if (!isBuy && token.stage === 'completed') token.stage = 'curve';
    const record = {
      recipient,
      venue: token.stage === 'pool' ? (foreignRouter ? 2 : 1) : 0,
      grossUsd,
      tokens: isBuy ? tokens : -tokens,
      feeBps,
      builder,
      builderBps,
      referral,
      referrer,
      stateA:
        token.stage === 'pool'
          ? this.random.amount(2n ** 96n)
          : 375_000_000n * 10n ** 18n + this.random.amount(750_000_000n * 10n ** 18n),
      stateB: token.stage === 'pool' ? BigInt(this.random.whole(-800_000, 800_000)) : this.random.amount(10n ** 11n),
    };
    return [
      ...transferDrafts(token, from, to, tokens),
      event('Trade', launchpad, { token: token.address, trader, record }),
    ];
  }

  #send(token: TokenModel): Draft[] {
    const from = this.random.pick(people);
    const held = token.balances.get(from) ?? 0n;
    const amount = held === 0n ? 0n : this.random.chance(0.4) ? held : this.random.amount(held);
    return transferDrafts(token, from, this.random.pick([...people, zero, syntheticDeployment.tokenBridge]), amount);
  }

  /** Tokens leave and arrive, those of this chain and others; a new one is registered, or announced elsewhere. */
  #cross(model: Model, token: TokenModel): Draft[] {
    const { tokenBridge, layerZeroEndpoint } = syntheticDeployment;
    model.nonce += 1n;
    const { nonce } = model;
    const guid = hashOf(`message ${nonce}`);
    const person = this.random.pick(people);
    const [eid, value] = [this.random.pick([30101, 30184]), this.random.amount(10n ** 24n)];
    if (this.random.chance(0.2)) {
      const origin = { srcEid: eid, sender: hashOf('bridge'), nonce };
      const alert = { origin, guid, gas: 1n, value: 0n, message: '0x00', extraData: '0x', reason: '0x1234' };
      return [this.random.pick([tokenBridge, person])].map((receiver) =>
        event('LzReceiveAlert', layerZeroEndpoint, { receiver, executor: person, ...alert }),
      );
    }
    if (this.random.chance(0.2))
      return [event('Announced', tokenBridge, { token: token.address, dstEid: eid, guid, nonce, nativeFee: 7n })];
    if (model.remote.length === 0 || this.random.chance(0.2)) {
      const address = addressOf(`remote ${this.#branch} ${this.random.next()}`);
      model.remote.push({ address, balances: new Map() });
      const names = { name: this.random.pick(['Boat', '\0']), symbol: 'B' };
      const home = { homeEid: eid, homeChainId: 1n, creator: person, salt: hashOf(address) };
      return [event('TokenRegistered', tokenBridge, { token: address, ...home, ...names })];
    }
    const moved = this.random.pick<RemoteModel>([token, ...model.remote]);
    const held = moved.balances.get(person) ?? 0n;
    if (held > 0n && this.random.chance(0.5)) {
      const amount = this.random.chance(0.5) ? held : this.random.amount(held);
      const sent = {
        token: moved.address,
        from: person,
        dstEid: eid,
        to: `0x${'0'.repeat(24)}${person.slice(2)}`,
        amount,
      };
      return [
        ...transferDrafts(moved, person, zero, amount),
        event('TokenSent', tokenBridge, { ...sent, guid, nonce, nativeFee: 5n, withRegistration: false }),
      ];
    }
    return [
      ...transferDrafts(moved, zero, person, value),
      event('TokenReceived', tokenBridge, {
        token: moved.address,
        to: person,
        srcEid: eid,
        amount: value,
        guid,
        nonce,
      }),
    ];
  }

  #withdraw(model: Model): Draft[] {
    const account = this.random.pick([...people, ...treasuries]);
    const credit = model.credits.get(account) ?? 0n;
    if (credit === 0n) return [];
    const amount = this.random.chance(0.5) ? credit : this.random.amount(credit);
    model.credits.set(account, credit - amount);
    return [event('Withdrawn', launchpad, { account, currency: usd, to: this.random.pick(people), amount })];
  }

  #collect(model: Model, token: TokenModel): Draft[] {
    const amount = token.treasuryShare;
    if (amount === 0n) return [];
    token.treasuryShare = 0n;
    pay(model, model.treasury, amount);
    return [event('TreasuryCollected', launchpad, { token: token.address, treasury: model.treasury, amount })];
  }

  #grow(model: Model, token: TokenModel): Draft[] {
    if (token.stage === 'pool') return [];
    if (token.stage === 'curve') {
      token.stage = 'completed';
      return [event('Completed', launchpad, { token: token.address })];
    }
    token.stage = 'pool';
    const [creatorReward, dustUsd] = [this.random.pick([0n, 5n]), this.random.pick([0n, 7n])];
    pay(model, token.creator, creatorReward);
    pay(model, model.treasury, dustUsd);
    const range = { tickLower: -600, tickUpper: 600, liquidity: 9n };
    const amounts = { usdLocked: 1n, tokensLocked: 2n, floorUsd: 3n, creatorReward, dustUsd, dustTokens: 4n };
    const graduation = { sqrtPriceX96: 2n ** 96n, tick: -5, fullRange: range, floor: range, ...amounts };
    return [event('Graduated', launchpad, { token: token.address, poolId: token.poolId, graduation })];
  }

  #refer(model: Model): Draft[] {
    const user = this.random.pick(people);
    if (model.referrers.has(user)) {
      if (!this.random.chance(0.3)) return [];
      model.referrers.delete(user);
      return [event('ReferrerSet', launchpad, { user, referrer: zero })];
    }
    const referrer = this.random.pick(people.filter((person) => person !== user));
    model.referrers.set(user, referrer);
    return [event('ReferrerSet', launchpad, { user, referrer })];
  }

  #rare(model: Model, token: TokenModel): Draft[] {
    if (this.random.chance(0.5)) {
      const id = token.stage === 'pool' ? token.poolId : hashOf('a foreign pool');
      return [event('ProtocolFeeUpdated', poolManager, { id, protocolFee: this.random.whole(0, 1000) })];
    }
    model.treasury = this.random.pick(treasuries);
    const setting: Hex = `0x${Buffer.from('treasury').toString('hex').padEnd(64, '0')}`;
    return [event('SettingChanged', launchpad, { setting, value: model.treasury })];
  }

  /** Events of ours from contracts that are not. */
  #forge(token: TokenModel): Draft[] {
    const foreign = addressOf(`foreign ${this.random.next()}`);
    const someone = this.random.pick(people);
    return [
      event('Transfer', foreign, { from: someone, to: token.creator, value: 10n ** 30n }),
      event('Withdrawn', foreign, { account: someone, currency: usd, to: someone, amount: 10n ** 30n }),
      event('Completed', foreign, { token: token.address }),
      event('ProtocolFeeUpdated', foreign, { id: token.poolId, protocolFee: 999 }),
      event('TreasuryCollected', token.address, { token: token.address, treasury: someone, amount: 10n ** 30n }),
    ];
  }
}

const pay = (model: Model, account: Hex, amount: bigint): void => {
  if (amount > 0n) model.credits.set(account, (model.credits.get(account) ?? 0n) + amount);
};

const transferDrafts = (token: RemoteModel, from: Hex, to: Hex, value: bigint): Draft[] => {
  token.balances.set(from, (token.balances.get(from) ?? 0n) - value);
  token.balances.set(to, (token.balances.get(to) ?? 0n) + value);
  return [event('Transfer', token.address, { from, to, value })];
};

export const event = (name: string, address: Hex, args: Record<string, unknown>): Draft => {
  const definition = events.find((kind) => kind.name === name)?.evm?.abi as AbiEvent;
  const inData = definition.inputs.filter((input) => !input.indexed);
  return {
    address,
    topics: encodeEventTopics({ abi: [definition], eventName: name, args } as never) as Hex[],
    data: encodeAbiParameters(
      inData,
      inData.map((input) => args[input.name as string]),
    ),
  };
};
