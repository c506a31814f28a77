import type { Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { event, launchpad, poolManager } from '../../../test/index/syntheticChain.ts';
import type { RawLog } from '../events/evm/log.ts';
import type { Position } from '../position.ts';
import { follow } from './follow.ts';
import type { EvmHeader } from './header.ts';
import type { ChainSource } from './source.ts';

const token: Hex = `0x${'3'.repeat(40)}`;
const wallet: Hex = `0x${'5'.repeat(40)}`;
const creation = event('TokenCreated', launchpad, {
  token,
  creator: wallet,
  poolType: 7,
  virtualTokens: 1n,
  virtualUsd: 1n,
  salt: `0x${'6'.repeat(64)}`,
  created: 1n,
  name: 'n',
  symbol: 's',
  uri: 'u',
});
const transfer = event('Transfer', token, { from: wallet, to: launchpad, value: 5n });

type Block = { branch: string; events: (typeof transfer)[] };

const hashOf = (number: number, branch = '0'): Hex => `0x${branch}${number.toString(16).padStart(63, '0')}`;

/** A provider of these blocks, which may change between its answers. */
const sourceOf = (blocks: readonly Block[]): ChainSource => {
  const headerOf = (number: number): EvmHeader | undefined =>
    blocks[number] && {
      number,
      hash: hashOf(number, blocks[number].branch),
      parentHash: hashOf(number - 1, blocks[number - 1]?.branch),
      timestamp: number,
    };
  const logsOf = (number: number): RawLog[] =>
    (blocks[number]?.events ?? []).map((draft, logIndex) => ({
      ...draft,
      blockNumber: number,
      blockHash: hashOf(number, blocks[number]?.branch),
      txHash: hashOf(number, 'a'),
      logIndex,
      timestamp: number,
    }));
  return {
    identity: async () => 1,
    head: async () => headerOf(blocks.length - 1) as EvmHeader,
    headers: async (numbers) => numbers.map(headerOf),
    logs: async (filter) =>
      blocks
        .flatMap((_, number) => logsOf(number))
        .filter((log) =>
          'blockHash' in filter
            ? log.blockHash === filter.blockHash
            : log.blockNumber >= filter.from && log.blockNumber <= filter.to,
        ),
  };
};

describe('follow', () => {
  test('I1 behavior: a token counts from its creation on, and no more once its creation has left the chain', async () => {
    const empty = { branch: '0', events: [] };
    const blocks: Block[] = [empty, { branch: '0', events: [creation, transfer] }];
    const position = {
      number: 0,
      hash: hashOf(0),
      finalized: 0,
      hashes: new Map([[0, hashOf(0)]]),
      tokens: new Set(),
      pools: new Map(),
    };
    const contracts = {
      launchpad,
      poolManager,
      tokenBridge: null,
      layerZeroEndpoint: null,
      exchange: null,
      usd: launchpad,
    };
    const seen: string[][] = [];
    for await (const change of follow(sourceOf(blocks), position as unknown as Position, {
      contracts,
      finalityBlocks: 10,
    })) {
      if (change.type === 'idle' && blocks.length === 4) break;
      if (change.type === 'idle' && blocks.length === 3) {
        blocks.splice(
          1,
          2,
          { branch: 'b', events: [transfer] },
          { branch: 'b', events: [] },
          { branch: 'b', events: [] },
        );
      } else if (change.type === 'idle') blocks.push({ branch: '0', events: [transfer] });
      if (change.type === 'block') {
        seen.push(change.events.map(({ name }) => name));
        Object.assign(position, { number: change.to.number, hash: change.to.hash });
        for (const { number, hash } of change.headers) position.hashes.set(number, hash as Hex);
      }
      if (change.type === 'reorg') {
        seen.push(['reorg']);
        Object.assign(position, change.ancestor, { hashes: new Map([[0, hashOf(0)]]) });
      }
    }
    expect(seen).toEqual([['TokenCreated', 'Transfer'], ['Transfer'], ['reorg'], []]);
  });
});
