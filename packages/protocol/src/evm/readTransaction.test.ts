import { encodeAbiParameters, encodeEventTopics, erc20Abi, type Hex, zeroAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { encodeCreate, encodeMulticall, encodeOrder, encodeTransfer, encodeWithdrawBatch } from './calldata.ts';
import { launchpadAbi, tokenBridgeAbi } from './generated/abi.ts';
import { mostReadCalls, mostReadEvents, readCalls, readEvents, type SentLog } from './readTransaction.ts';

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const [launchpad, tokenBridge, usd, token, wallet] = ['a', 'b', 'c', 'd', 'e'].map(address) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
];
const contracts = { launchpad, tokenBridge, usd };

const order = {
  token,
  amount: 5n,
  limit: 2n ** 200n,
  recipient: wallet,
  builder: zeroAddress,
  builderBps: 7n,
  referral: zeroAddress,
  deadline: 9n,
};
const buy = encodeOrder('buyExactIn', order);
const creation = {
  name: 'Fox',
  symbol: 'FOX',
  uri: 'ipfs://x',
  salt: `0x${'1'.repeat(64)}`,
  poolType: 7,
  deadline: 1n,
} as const;

describe('readCalls', () => {
  it('default: names, amounts as digits, addresses in lower case, fields of a struct by its name', () => {
    expect(readCalls(contracts, launchpad, buy)).toEqual([
      {
        to: launchpad,
        function: 'buyExactIn',
        args: {
          'order.token': token,
          'order.amount': '5',
          'order.limit': String(2n ** 200n),
          'order.recipient': wallet,
          'order.builder': zeroAddress,
          'order.builderBps': '7',
          'order.referral': zeroAddress,
          'order.deadline': '9',
        },
      },
    ]);
  });

  it('behavior: the calls in a multicall take its place, lists stay lists', () => {
    const withdraw = encodeWithdrawBatch([usd, token], wallet, [1n, 2n]);
    const calls = readCalls(
      contracts,
      launchpad,
      encodeMulticall([encodeCreate(creation), encodeMulticall([withdraw, buy])]),
    );
    expect(calls.map((call) => call.function)).toEqual(['create', 'withdrawBatch', 'buyExactIn']);
    expect(calls[1]?.args).toMatchObject({ currencies: [usd, token], to: wallet, amounts: ['1', '2'] });
  });

  it('behavior: other contracts are read as tokens, unknown functions have no name', () => {
    const transfer = encodeTransfer(wallet, 3n);
    for (const to of [token, usd, address('9')])
      expect(readCalls(contracts, to, transfer)).toMatchObject([{ to, function: 'transfer', args: { amount: '3' } }]);
    expect(readCalls(contracts, launchpad, transfer)).toEqual([{ to: launchpad, function: null, args: {} }]);
    expect(readCalls(contracts, token, '0x12345678')).toEqual([{ to: token, function: null, args: {} }]);
  });

  it('behavior: bytes beside the readable part leave nothing readable', () => {
    expect(readCalls(contracts, launchpad, `${buy}00`)).toEqual([{ to: launchpad, function: null, args: {} }]);
  });

  it('behavior: texts of strangers are cut, and nothing grows with what they sent', () => {
    const name = `\0${'🦊'.repeat(5_000)}`;
    const [call] = readCalls(contracts, launchpad, encodeCreate({ ...creation, name }));
    expect(String(call?.args['params.name'])).toBe(`\ufffd${'🦊'.repeat(249)}…`);
    const many = encodeMulticall(
      Array.from({ length: 3 }, () => encodeMulticall(Array.from({ length: 200 }, () => buy) as [Hex])) as [Hex],
    );
    expect(readCalls(contracts, launchpad, many)).toHaveLength(mostReadCalls);
    const currencies = Array.from({ length: 500 }, () => usd);
    const long = encodeWithdrawBatch(
      currencies,
      wallet,
      currencies.map(() => 1n),
    );
    expect(readCalls(contracts, launchpad, long)[0]?.args.currencies).toHaveLength(50);
    const deep = Array.from({ length: 20 }).reduce<Hex>((inner) => encodeMulticall([inner]), buy);
    expect(readCalls(contracts, launchpad, deep)).toMatchObject([{ function: 'multicall' }]);
  });
});

const sixAmounts = Array.from({ length: 6 }, () => 'uint256');

const transferLog = (from: Hex, logIndex: number, value = 1n): SentLog => ({
  address: from,
  topics: encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from: wallet, to: zeroAddress } }) as Hex[],
  data: encodeAbiParameters([{ type: 'uint256' }], [value]),
  logIndex,
});

describe('readEvents', () => {
  it('default: those of our kinds, whoever sent them; the others are counted', () => {
    const unknown: SentLog = { address: token, topics: [`0x${'7'.repeat(64)}`], data: '0x', logIndex: 1 };
    const { events, others } = readEvents(contracts, [
      transferLog(token, 0, 5n),
      unknown,
      { ...transferLog(address('9'), 2), data: '0x' },
      // The launchpad is no token.
      transferLog(launchpad, 3),
      { ...unknown, topics: [] },
    ]);
    expect(events).toEqual([
      { address: token, logIndex: 0, event: 'Transfer', args: { from: wallet, to: zeroAddress, amount: '5' } },
    ]);
    expect(others).toBe(4);
  });

  it('behavior: flags, small numbers and structs within structs', () => {
    const sent: SentLog = {
      address: tokenBridge,
      topics: encodeEventTopics({
        abi: tokenBridgeAbi,
        eventName: 'TokenSent',
        args: { token, from: wallet, dstEid: 40_245 },
      }) as Hex[],
      data: encodeAbiParameters(
        ['bytes32', 'uint256', 'bytes32', 'uint64', 'uint256', 'bool'].map((type) => ({ type })),
        [`0x${'2'.repeat(64)}`, 8n, `0x${'3'.repeat(64)}`, 3n, 4n, true],
      ),
      logIndex: 6,
    };
    const graduated: SentLog = {
      address: launchpad,
      topics: encodeEventTopics({
        abi: launchpadAbi,
        eventName: 'Graduated',
        args: { token, poolId: `0x${'4'.repeat(64)}` },
      }) as Hex[],
      data: encodeAbiParameters(
        ['uint160', 'int24', 'int24', 'int24', 'uint128', 'int24', 'int24', 'uint128', ...sixAmounts].map((type) => ({
          type,
        })),
        [1n, -2, -3, 3, 4n, -5, 5, 6n, 7n, 8n, 9n, 10n, 11n, 12n],
      ),
      logIndex: 7,
    };
    const { events, others } = readEvents(contracts, [sent, graduated]);
    expect(others).toBe(0);
    expect(events[0]).toMatchObject({
      event: 'TokenSent',
      args: { amount: '8', dstEid: '40245', withRegistration: true },
    });
    expect(events[1]).toMatchObject({
      event: 'Graduated',
      args: {
        poolId: `0x${'4'.repeat(64)}`,
        'graduation.tick': '-2',
        'graduation.fullRange.tickLower': '-3',
        'graduation.floor.liquidity': '6',
      },
    });
  });

  it('behavior: at most so many', () => {
    const logs = Array.from({ length: mostReadEvents + 5 }, (_, index) => transferLog(token, index));
    const { events, others } = readEvents(contracts, logs);
    expect([events.length, others]).toEqual([mostReadEvents, 5]);
  });
});
