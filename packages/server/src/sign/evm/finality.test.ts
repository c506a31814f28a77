import { type Script, type ScriptedProvider, startScriptedProvider } from '@mintage/devnet/scriptedProvider';
import { pino } from 'pino';
import type { Hex } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { testChain } from '../../../test/api/testing/testApi.ts';
import { accessTo, type EvmLane } from './chainAccess.ts';
import { finalReceipt } from './finality.ts';
import type { Receipt } from './lookUp.ts';

const word = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`;
const wallet: Hex = `0x${'70'.repeat(20)}`;
const finalityBlocks = 3;
const [minedAt, hash, blockHash] = [40, word(0xaa), word(4)];

const receipt = {
  transactionHash: hash,
  blockNumber: '0x28',
  blockHash,
  status: '0x1',
  gasUsed: '0xa',
  effectiveGasPrice: '0x3',
  logs: [],
};
const block = { number: '0x28', hash: blockHash, parentHash: word(3), timestamp: '0x64', transactions: [] };

/** A provider whose newest block is so many above the transaction's. */
const above = (blocks: number, script: Script = {}): Script => ({
  eth_chainId: '0x14a34',
  eth_getTransactionReceipt: receipt,
  eth_getBlockByNumber: block,
  eth_blockNumber: `0x${(minedAt + blocks).toString(16)}`,
  ...script,
});

describe('finalReceipt', () => {
  const providers: ScriptedProvider[] = [];
  const lanes: EvmLane[] = [];
  afterEach(async () => {
    for (const { chain } of lanes.splice(0)) await chain.rpc.stop();
    for (const provider of providers.splice(0)) provider.stop();
  });

  const attempt = { hash } as Receipt['attempt'];
  const seen: Receipt = { attempt, blockNumber: minedAt, blockHash, reverted: false, gasPaid: 30n };
  const finalOn = async (...scripts: Script[]) => {
    const started = await Promise.all(scripts.map(startScriptedProvider));
    providers.push(...started);
    const served = { ...testChain('base-sepolia', ''), rpcUrls: started.map(({ url }) => url) };
    const sign = { ...served, finalityBlocks: { index: 1, sign: finalityBlocks } };
    const lane: EvmLane = { chain: accessTo(sign, pino({ level: 'silent' })), wallet };
    lanes.push(lane);
    return finalReceipt(lane, seen);
  };

  it('default: from as many blocks above it on as the chain needs, and not one earlier', async () => {
    expect(await finalOn(above(finalityBlocks), above(finalityBlocks))).toEqual(seen);
    expect(await finalOn(above(finalityBlocks - 1), above(finalityBlocks - 1))).toBeUndefined();
  });

  it('behavior: one provider that is ahead decides nothing', async () => {
    expect(await finalOn(above(finalityBlocks), above(finalityBlocks - 1))).toBeUndefined();
  });

  it('behavior: whether it reverted is what two say, whatever was seen before', async () => {
    const reverted = { eth_getTransactionReceipt: { ...receipt, status: '0x0' } };
    const deep = () => above(finalityBlocks, reverted);
    expect(await finalOn(deep(), deep())).toEqual({ ...seen, reverted: true });
    expect(await finalOn(above(finalityBlocks), deep())).toBeUndefined();
  });

  it('behavior: not while another block, or none, holds it', async () => {
    for (const gone of [
      { eth_getTransactionReceipt: null },
      { eth_getTransactionReceipt: { ...receipt, blockHash: word(5) } },
      { eth_getBlockByNumber: { ...block, hash: word(5) } },
    ])
      expect(await finalOn(above(9, gone), above(9, gone))).toBeUndefined();
  });
});
