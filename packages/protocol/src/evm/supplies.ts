import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, type Log, parseEventLogs } from 'viem';
import type { Eid } from '../chains/chains.ts';
import { families } from '../chains/families.ts';
import type { ReadSupply, SupplyReading } from '../maths/crossedSupply.ts';
import { type EthRequest, followLogs, type LogCursor, readHead, requireBlock, topicsOf } from './followLogs.ts';
import { tokenBridgeAbi } from './generated/abi.ts';

/** Every token that ever crossed to or from a chain, with the chains at the other ends. It only grows, as `Ledger` does. */
export interface CrossedTokens extends LogCursor {
  /** By token, lower case. */
  paths: Map<Hex, Set<Eid>>;
}

export const newCrossedTokens = (fromBlock: number): CrossedTokens => ({ nextBlock: fromBlock, paths: new Map() });

export interface SuppliesOptions {
  request: EthRequest;
  eid: Eid;
  tokenBridge: Hex;
  crossed: CrossedTokens;
}

/**
 * Reads the supply of each token that crossed, and what its home counts as out, from nothing but the chain, at its latest
 * block.
 *
 * @throws What `request` throws; Error when the block leaves the chain meanwhile.
 */
export const readSupplies = async ({ request, eid, tokenBridge, crossed }: SuppliesOptions): Promise<SupplyReading> => {
  const block = await readHead(request);
  await followLogs({ request, address: tokenBridge, topics, cursor: crossed }, block.number, (logs) =>
    addCrossings(crossed, logs),
  );
  const view = async (to: Hex, data: Hex): Promise<Hex> =>
    (await request('eth_call', [{ to, data }, { blockHash: block.hash }])) as Hex;

  const readToken = async ([token, chains]: [Hex, Set<Eid>]): Promise<ReadSupply[]> => {
    const supply = await view(token, totalSupplyCall);
    // A token whose registration left the chain has no code.
    if (supply === '0x') return [];
    const homeEid = Number(await view(tokenBridge, bridgeCall('homeOf', [token])));
    const out = new Map<Eid, bigint>();
    if (homeEid === 0)
      for (const other of chains) {
        const data = await view(tokenBridge, bridgeCall('pathOf', [token, other]));
        const [atOther] = decodeFunctionResult({ abi: tokenBridgeAbi, functionName: 'pathOf', data });
        out.set(other, atOther);
      }
    return [{ token, home: homeEid === 0 ? eid : (homeEid as Eid), supply: BigInt(supply), out }];
  };
  const tokens: ReadSupply[] = [];
  const list = [...crossed.paths];
  for (let start = 0; start < list.length; start += atOnce)
    tokens.push(...(await Promise.all(list.slice(start, start + atOnce).map(readToken))).flat());
  await requireBlock(request, block);
  return { eid, tokenDecimals: families.evm.tokenDecimals, tokens };
};

/** Tokens that are read side by side. */
const atOnce = 50;

const topics = topicsOf(tokenBridgeAbi, ['TokenSent', 'TokenReceived', 'TokenRegistered']);

const addCrossings = ({ paths }: CrossedTokens, logs: readonly Log[]): void => {
  const add = (token: Hex, eid: number): void => {
    const key = token.toLowerCase() as Hex;
    paths.set(key, (paths.get(key) ?? new Set()).add(eid as Eid));
  };
  for (const { eventName, args } of parseEventLogs({ abi: tokenBridgeAbi, logs: [...logs] })) {
    if (eventName === 'TokenSent') add(args.token, args.dstEid);
    if (eventName === 'TokenReceived') add(args.token, args.srcEid);
    if (eventName === 'TokenRegistered') add(args.token, args.homeEid);
  }
};

const totalSupplyCall = encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' });
const bridgeCall = (functionName: 'homeOf' | 'pathOf', args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: tokenBridgeAbi, functionName, args } as never);
