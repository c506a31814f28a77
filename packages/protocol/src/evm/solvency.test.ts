import { encodeAbiParameters, encodeEventTopics, type Hex, type Log, stringToHex, zeroAddress, zeroHash } from 'viem';
import { describe, expect, it } from 'vitest';
import { launchpadAbi } from './generated/abi.ts';
import { addLogs, newLedger } from './solvency.ts';

type EventName = 'TokenCreated' | 'Trade' | 'TreasuryCollected' | 'SettingChanged';

const logOf = (eventName: EventName, indexed: object, values: readonly unknown[]): Log => {
  const event = launchpadAbi.find((item) => item.type === 'event' && item.name === eventName);
  const inputs = event?.type === 'event' ? event.inputs.filter((input) => !input.indexed) : [];
  const topics = encodeEventTopics({ abi: launchpadAbi, eventName, args: indexed as never });
  const data = encodeAbiParameters(inputs as never, values as never);
  return { address: zeroAddress, topics, data, logIndex: 0, blockHash: zeroHash } as unknown as Log;
};

const who = (digit: string): Hex => `0x${digit.repeat(40)}`;

const trade = (builder: Hex, referral: Hex, referrer: Hex): Log => {
  const amounts = { grossUsd: 1n, tokens: 1n, feeBps: 100n, builderBps: 1n };
  const state = { stateA: 1n, stateB: 1n };
  const record = { recipient: who('9'), venue: 0, builder, referral, referrer, ...amounts, ...state };
  return logOf('Trade', { token: who('a'), trader: who('b') }, [record]);
};

describe('addLogs', () => {
  it('default: everyone whom a trade can credit, each of them', () => {
    const ledger = newLedger(0);
    addLogs(ledger, [trade(who('c'), who('d'), who('e'))]);
    expect([...ledger.accounts].toSorted()).toEqual(['b', 'c', 'd', 'e'].map(who));
  });

  it('behavior: nobody is no account', () => {
    const ledger = newLedger(0);
    addLogs(ledger, [trade(zeroAddress, zeroAddress, zeroAddress)]);
    expect([...ledger.accounts]).toEqual([who('b')]);
  });

  it('behavior: creators with their tokens, and every treasury there was', () => {
    const ledger = newLedger(0);
    const created = [7, 1n, 1n, zeroHash, 1n, 'Name', 'SYM', 'uri'];
    addLogs(ledger, [
      logOf('SettingChanged', { setting: stringToHex('treasury', { size: 32 }) }, [who('1')]),
      logOf('TokenCreated', { token: who('a'), creator: who('2') }, created),
      logOf('TreasuryCollected', { token: who('a'), treasury: who('3') }, [5n]),
    ]);
    expect([...ledger.tokens]).toEqual([who('a')]);
    expect([...ledger.accounts]).toEqual(['1', '2', '3'].map(who));
  });
});
