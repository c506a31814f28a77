import { chargedFees, type TradeRecord } from '@mintage/protocol';
import fc from 'fast-check';
import { type AbiEvent, type AbiParameter, encodeAbiParameters, encodeEventTopics, type Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { inOrder, type RawLog } from '../events/evm/log.ts';
import { type ChainEvent, events } from '../handlers/events.ts';
import type { AddressBook } from './addressBook.ts';
import { decodeLogs, foundIn } from './decode.ts';
import { topics } from './topics.ts';

const runs = { numRuns: Number(process.env.FUZZ_RUNS ?? 300) };

const hex = (bytes: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((bits): Hex => `0x${Buffer.from(bits).toString('hex')}`);
const text = fc.string({ unit: 'binary', maxLength: 300 }).filter((value) => value.isWellFormed());

/** Any value of an ABI type, as viem takes it. */
const valueOf = (parameter: AbiParameter): fc.Arbitrary<unknown> => {
  const { type } = parameter;
  if (type === 'tuple') {
    const { components } = parameter as unknown as { components: AbiParameter[] };
    return fc.record(Object.fromEntries(components.map((part) => [part.name as string, valueOf(part)])));
  }
  if (type === 'address') return hex(20);
  if (type === 'bytes32') return hex(32);
  if (type === 'string') return text;
  if (type === 'bytes')
    return fc.uint8Array({ maxLength: 700 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
  if (type === 'bool') return fc.boolean();
  const bits = Number(type.replace(/\D/g, ''));
  // Seconds and basis points are uint256 in the ABI; the decoder reads them as small numbers and refuses larger ones.
  const small = ['created', 'feeBps', 'builderBps'].includes(parameter.name ?? '');
  if (type.startsWith('uint')) {
    const most = parameter.name === 'venue' ? 1n : 2n ** BigInt(small ? 40 : bits) - 1n;
    const any = fc.oneof(fc.bigInt(0n, most), fc.constantFrom(0n, most));
    return bits <= 48 ? any.map(Number) : any;
  }
  const most = 2n ** BigInt(bits - 1);
  const any = fc.oneof(fc.bigInt(-most, most - 1n), fc.constantFrom(-most, -1n, most - 1n));
  return bits <= 48 ? any.map(Number) : any;
};

const launchpad: Hex = `0x${'1'.repeat(40)}`;
const poolManager: Hex = `0x${'2'.repeat(40)}`;
const token: Hex = `0x${'3'.repeat(40)}`;
const pool: Hex = `0x${'7'.repeat(40)}`;
const tokenBridge: Hex = `0x${'5'.repeat(40)}`;
const layerZeroEndpoint: Hex = `0x${'6'.repeat(40)}`;
const book = (): AddressBook => ({
  launchpad,
  poolManager,
  tokenBridge,
  layerZeroEndpoint,
  exchange: { factory: launchpad, deployer: launchpad, poolCodeHash: `0x${'0'.repeat(64)}`, isEra: false },
  tokens: new Set([token]),
  pools: new Map([[pool, token]]),
});

const eventOf = (name: string) => events.find((kind) => kind.name === name)?.evm?.abi as AbiEvent;

const encode = (event: AbiEvent, args: Record<string, unknown>): { topics: Hex[]; data: Hex } => ({
  topics: encodeEventTopics({ abi: [event], eventName: event.name, args } as never) as Hex[],
  data: encodeAbiParameters(
    event.inputs.filter((input) => !input.indexed),
    event.inputs.filter((input) => !input.indexed).map((input) => args[input.name as string]),
  ),
});

const log = (address: Hex, encoded: { topics: Hex[]; data: Hex }, logIndex = 0): RawLog => ({
  address,
  ...encoded,
  blockNumber: 5,
  blockHash: `0x${'a'.repeat(64)}`,
  txHash: `0x${'b'.repeat(64)}`,
  logIndex,
  timestamp: 1_800_000_000,
});

const senders = { launchpad, token, pool, poolManager, tokenBridge, layerZeroEndpoint };
const emitterOf = (name: string): Hex =>
  senders[events.find((kind) => kind.name === name)?.evm?.emitter as keyof typeof senders];

const decodeOne = (raw: RawLog): ChainEvent => decodeLogs([raw], book())[0] as ChainEvent;

/**
 * What viem's arguments look like in our words, where they differ: field names of our own, numbers for small values, no NUL
 * in text.
 */
const expected: { [Name in ChainEvent['name']]?: (args: never) => Record<string, unknown> } = {
  TokenCreated: (a: Record<string, string>) => ({
    token: a.token,
    creator: a.creator,
    poolType: a.poolType,
    virtualTokens: a.virtualTokens,
    virtualUsd: a.virtualUsd,
    salt: a.salt,
    tokenName: clean(a.name, 256),
    symbol: clean(a.symbol, 256),
    uri: clean(a.uri, 2048),
  }),
  Trade: (a: { token: Hex; trader: Hex; record: TradeRecord }) => ({
    token: a.token,
    trader: a.trader,
    ...a.record,
    ...feesOf(a.record),
    side: a.record.tokens < 0n ? 'sell' : 'buy',
    tokens: a.record.tokens < 0n ? -a.record.tokens : a.record.tokens,
    stateB: a.record.venue === 0 ? a.record.stateB : 0n,
    tick: a.record.venue === 0 ? 0 : Number(a.record.stateB),
    venue: a.record.venue === 0 ? 'curve' : 'pool',
    foreignRouter: a.record.venue === 2,
    feeBps: Number(a.record.feeBps),
    builderBps: Number(a.record.builderBps),
  }),
  Graduated: (a: { token: Hex; poolId: Hex; graduation: object }) => ({
    token: a.token,
    poolId: a.poolId,
    graduation: asText(a.graduation),
  }),
  SettingChanged: (a: { value: Hex }) => ({ value: a.value, setting: expect.any(String) }),
  Transfer: (a: { from: Hex; to: Hex; value: bigint }) => ({ token, from: a.from, to: a.to, amount: a.value }),
  TokenSent: (a: { token: Hex; from: Hex; to: Hex; withRegistration: boolean }) => ({
    ...omit(a, 'from', 'to', 'withRegistration'),
    sender: a.from,
    recipient: a.to.startsWith(`0x${'0'.repeat(24)}`) ? `0x${a.to.slice(26)}` : a.to,
    registers: a.withRegistration,
  }),
  TokenReceived: (a: { to: Hex }) => ({ ...omit(a, 'to'), recipient: a.to }),
  TokenRegistered: (a: { name: string; symbol: string; homeChainId: bigint }) => ({
    ...omit(a, 'name', 'symbol', 'homeChainId'),
    tokenName: clean(a.name, 256),
    symbol: clean(a.symbol, 256),
  }),
  LzReceiveAlert: (a: { origin: { srcEid: number; nonce: bigint }; guid: Hex; reason: Hex }) => ({
    srcEid: a.origin.srcEid,
    nonce: a.origin.nonce,
    guid: a.guid,
    reason: a.reason.slice(0, 2 + 2 * 512),
  }),
  Swap: (a: { sender: Hex }) => ({ token, ...omit(a, 'liquidity') }),
  PoolLeveled: (a: { token: Hex; usdGained: bigint }) => ({ token: a.token, usdGained: a.usdGained }),
  ProtocolFeeUpdated: (a: { id: Hex; protocolFee: number }) => ({ poolId: a.id, protocolFee: a.protocolFee }),
};

const omit = (values: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

/** The fees that the event does not tell. */
const feesOf = (record: TradeRecord) => {
  const { base, excess, builder: builderFee, cashback } = chargedFees(record);
  return { base, excess, builderFee, cashback };
};

const clean = (value: string | undefined, most: number) =>
  (value ?? '').replaceAll('\0', '').slice(0, most).toWellFormed();

const asText = (value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asText(inner)]));
};

describe('decodeLogs', () => {
  test.each(Object.keys(topics) as ChainEvent['name'][])('%s: the same values as viem encodes', (name) => {
    const event = eventOf(name);
    const args = fc.record(Object.fromEntries(event.inputs.map((input) => [input.name as string, valueOf(input)])));
    fc.assert(
      fc.property(args, (values) => {
        const {
          at,
          name: decodedName,
          ...fields
        } = decodeOne(log(emitterOf(name), encode(event, { ...values, receiver: tokenBridge })));
        expect(decodedName).toBe(name);
        expect(at.time).toEqual(new Date(1_800_000_000_000));
        expect(fields).toEqual(expected[name]?.(values as never) ?? values);
      }),
      runs,
    );
  });

  test('SettingChanged: the name of the setting', () => {
    const setting: Hex = `0x${Buffer.from('treasury').toString('hex').padEnd(64, '0')}`;
    const raw = log(launchpad, encode(eventOf('SettingChanged'), { setting, value: token }));
    expect(decodeOne(raw)).toMatchObject({ setting: 'treasury', value: token });
  });

  test('I2 a foreign contract sends every event of ours: no event counts', () => {
    const names = Object.keys(topics) as ChainEvent['name'][];
    const forged = fc.constantFrom(...names).chain((name) => {
      const event = eventOf(name);
      const args = fc.record(Object.fromEntries(event.inputs.map((input) => [input.name as string, valueOf(input)])));
      return fc.tuple(hex(20), args).map(([address, values]) => log(address, encode(event, values)));
    });
    fc.assert(
      fc.property(fc.array(forged, { maxLength: 20 }), (logs) => {
        expect(decodeLogs(logs, book())).toEqual([]);
        expect(foundIn(logs, book())).toEqual({ tokens: [], pools: [] });
      }),
      runs,
    );
  });

  test('I2 what the endpoint says of another application does not count', () => {
    const alert = {
      receiver: token,
      executor: token,
      origin: { srcEid: 1, sender: `0x${'0'.repeat(64)}`, nonce: 1n },
      guid: `0x${'0'.repeat(64)}`,
      gas: 1n,
      value: 0n,
      message: '0x',
      extraData: '0x',
      reason: '0x',
    };
    const said = (receiver: Hex) => log(layerZeroEndpoint, encode(eventOf('LzReceiveAlert'), { ...alert, receiver }));
    expect(decodeLogs([said(token)], book())).toEqual([]);
    expect(decodeLogs([said(tokenBridge)], book())).toHaveLength(1);
  });

  test('I2 an event of ours from the wrong one of our contracts does not count', () => {
    const transfer = encode(eventOf('Transfer'), { from: token, to: token, value: 1n });
    const completed = encode(eventOf('Completed'), { token });
    expect(decodeLogs([log(launchpad, transfer), log(token, completed), log(poolManager, completed)], book())).toEqual(
      [],
    );
  });

  test('a token counts from its creation on, in the same page too', () => {
    const created: Hex = `0x${'4'.repeat(40)}`;
    const args = { token: created, creator: token, poolType: 7, virtualTokens: 1n, virtualUsd: 1n, salt: topics.Trade };
    const creation = encode(eventOf('TokenCreated'), { ...args, created: 1n, name: 'n', symbol: 's', uri: 'u' });
    const transfer = encode(eventOf('Transfer'), { from: token, to: launchpad, value: 5n });
    const logs = [log(created, transfer, 0), log(launchpad, creation, 1), log(created, transfer, 2)];
    expect(decodeLogs(logs, book()).map((event) => [event.name, event.at.logIndex])).toEqual([
      ['TokenCreated', 1],
      ['Transfer', 2],
    ]);
    expect(foundIn(logs, book()).tokens).toEqual([created]);
  });

  test('error: data that ends early', () => {
    const whole = encode(eventOf('Withdrawn'), { account: token, currency: token, to: token, amount: 5n });
    const short = { ...whole, data: whole.data.slice(0, -2) as Hex };
    expect(() => decodeLogs([log(launchpad, short)], book())).toThrow(RangeError);
  });
});

describe('inOrder', () => {
  test('I6 shuffled and repeated logs come out once each, in the order of the chain', () => {
    const key = fc.record({ blockNumber: fc.nat(20), logIndex: fc.nat(20) });
    fc.assert(
      fc.property(fc.array(key), fc.array(fc.nat()), (keys, picks) => {
        const base = log(token, { topics: [topics.Transfer], data: '0x' });
        const logs = keys.map((place) => ({ ...base, ...place }));
        const sent = [...logs, ...picks.flatMap((pick) => logs[pick % Math.max(1, logs.length)] ?? [])];
        const places = inOrder(sent).map(({ blockNumber, logIndex }) => blockNumber * 100 + logIndex);
        const distinct = [...new Set(keys.map(({ blockNumber, logIndex }) => blockNumber * 100 + logIndex))];
        expect(places).toEqual(distinct.toSorted((a, b) => a - b));
      }),
      runs,
    );
  });
});
