import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, type Log, parseEventLogs } from 'viem';
import { type Solvency, solvencyOf, type TokenBooks } from '../maths/solvency.ts';
import { creditedFees } from '../schemas/feeTable.ts';
import { type EthRequest, followLogs, type LogCursor, readHead, requireBlock, topicsOf } from './followLogs.ts';
import { launchpadAbi } from './generated/abi.ts';

/**
 * What the Launchpad holds and what it owes, from nothing but the chain: anyone with an RPC address can recompute it. The
 * caller brings the connection.
 */

/**
 * Everyone whom the Launchpad can owe something, as its logs tell. It only grows, and one too many changes no sum; so it
 * can be kept from reading to reading, and blocks that left the chain do no harm.
 */
export interface Ledger extends LogCursor {
  /** In order of creation, lower case. */
  tokens: Set<Hex>;
  /** Lower case. */
  accounts: Set<Hex>;
  /** Of every token, by address. */
  creators: Map<Hex, Hex>;
  /** Everyone who is or was the treasury. */
  treasuries: Set<Hex>;
  /** Tokens whose pool earned fees, part of them in the token. */
  earning: Set<Hex>;
}

export const newLedger = (fromBlock: number): Ledger => ({
  nextBlock: fromBlock,
  tokens: new Set(),
  accounts: new Set(),
  creators: new Map(),
  treasuries: new Set(),
  earning: new Set(),
});

/** Adds what these logs of the Launchpad tell: who creates, trades, is named in a trade, or is or was the treasury. */
export const addLogs = (ledger: Ledger, logs: readonly Log[]): void => {
  const credit = (...accounts: Hex[]): void => {
    for (const account of accounts) if (BigInt(account) !== 0n) ledger.accounts.add(lower(account));
  };
  for (const event of parseEventLogs({ abi: launchpadAbi, logs: [...logs] })) {
    if (event.eventName === 'TokenCreated') {
      ledger.tokens.add(lower(event.args.token));
      ledger.creators.set(lower(event.args.token), lower(event.args.creator));
      credit(event.args.creator);
    }
    if (event.eventName === 'Trade') {
      const named = { ...event.args.record, trader: event.args.trader };
      for (const { recipient } of creditedFees) if (recipient !== 'creator') credit(named[recipient]);
    }
    if (event.eventName === 'TreasuryCollected') credit(event.args.treasury);
    if (event.eventName === 'SettingChanged') {
      credit(event.args.value);
      ledger.treasuries.add(lower(event.args.value));
    }
    if (event.eventName === 'PoolFeesCollected') ledger.earning.add(lower(event.args.token));
  }
};

export interface SolvencyOptions {
  request: EthRequest;
  launchpad: Hex;
  /** Goes on from what it knows, and is brought up to the block. */
  ledger: Ledger;
  /** Longest range of blocks in one request for logs; halved when the provider refuses. */
  pageBlocks?: number;
}

/**
 * Reads everything at the latest block. All reads name that block by its hash, so the sums belong together.
 *
 * @throws What `request` throws; Error when the block leaves the chain meanwhile.
 */
export const readSolvency = async (options: SolvencyOptions): Promise<Solvency> => {
  const block = await readHead(options.request);
  const { launchpad, ledger, request, pageBlocks } = options;
  const follow = { request, address: launchpad, topics, cursor: ledger, pageBlocks };
  await followLogs(follow, block.number, (logs) => addLogs(ledger, logs));
  const at = <Result>(to: Hex, data: Hex, decode: (data: Hex) => Result) =>
    request('eth_call', [{ to, data }, { blockHash: block.hash }]).then((result) => decode(result as Hex));

  const usd = await at(launchpad, usdCall, (data) =>
    lower(decodeFunctionResult({ abi: launchpadAbi, functionName: 'usd', data })),
  );
  const balance = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [launchpad] });
  const heldUsd = await at(usd, balance, BigInt);
  const list = [...ledger.tokens];
  const states = await readAll(at, launchpad, list.map(stateCall));
  const credits = await readAll(
    at,
    launchpad,
    [...ledger.accounts].map((account) => creditCall(usd, account)),
  );
  const inTokens = await tokensOwed(at, launchpad, ledger);
  await requireBlock(request, block);
  return solvencyOf({
    block,
    usd,
    heldUsd,
    tokens: states.map((data, index) => ({
      ...tokenBooksOf(list[index] as Hex, data),
      inTokens: inTokens.get(list[index] as Hex) ?? null,
    })),
    credits: credits.map((data) => BigInt(data)),
  });
};

const topics = topicsOf(launchpadAbi, [
  'TokenCreated',
  'Trade',
  'TreasuryCollected',
  'SettingChanged',
  'PoolFeesCollected',
]);

/** Of every token whose pool earned: half of what it earns in the token is the creator's, half the treasury's. */
const tokensOwed = async (at: At, launchpad: Hex, ledger: Ledger): Promise<Map<Hex, TokenBooks['inTokens']>> => {
  const creditors = [...ledger.earning].map((token) => {
    const creator = ledger.creators.get(token);
    return { token, accounts: new Set([...(creator === undefined ? [] : [creator]), ...ledger.treasuries]) };
  });
  const views = creditors.flatMap(({ token, accounts }) => [...accounts].map((account) => creditCall(token, account)));
  const credits = await readAll(at, launchpad, views);
  const balance = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [launchpad] });
  const inTokens = new Map<Hex, TokenBooks['inTokens']>();
  for (const group of inGroups(creditors, balancesAtOnce)) {
    const held = await Promise.all(group.map(({ token }) => at(token, balance, BigInt)));
    for (const [index, { token, accounts }] of group.entries()) {
      const own = credits.splice(0, accounts.size);
      const sum = own.reduce((total, credit) => total + BigInt(credit), 0n);
      inTokens.set(token, { held: held[index] as bigint, credits: sum });
    }
  }
  return inTokens;
};

const usdCall = encodeFunctionData({ abi: launchpadAbi, functionName: 'usd' });
const stateCall = (token: Hex): Hex =>
  encodeFunctionData({ abi: launchpadAbi, functionName: 'stateOf', args: [token] });
const creditCall = (currency: Hex, account: Hex): Hex =>
  encodeFunctionData({ abi: launchpadAbi, functionName: 'creditOf', args: [currency, account] });

type At = <Result>(to: Hex, data: Hex, decode: (data: Hex) => Result) => Promise<Result>;

/** Views in one call: about 10,000 gas each, far below what providers allow. */
const viewsPerCall = 400;

/** Every token is its own contract, so its balance is a call of its own. */
const balancesAtOnce = 20;

/** The Launchpad's own `multicall` runs its views as well, so that no other contract has to be trusted. */
const readAll = async (at: At, launchpad: Hex, views: readonly Hex[]): Promise<Hex[]> => {
  const results: Hex[] = [];
  for (const calls of inGroups(views, viewsPerCall)) {
    const data = encodeFunctionData({ abi: launchpadAbi, functionName: 'multicall', args: [calls] });
    results.push(...(await at(launchpad, data, resultsOfMulticall)));
  }
  return results;
};

const resultsOfMulticall = (answer: Hex): readonly Hex[] =>
  decodeFunctionResult({ abi: launchpadAbi, functionName: 'multicall', data: answer });

const tokenBooksOf = (token: Hex, data: Hex): Omit<TokenBooks, 'inTokens'> => {
  const { usd, floorUsd, treasuryShare, graduated } = decodeFunctionResult({
    abi: launchpadAbi,
    functionName: 'stateOf',
    data,
  });
  return { token, graduated, reserveUsd: usd, floorUsd, treasuryShareUsd: treasuryShare };
};

const inGroups = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

const lower = (address: string): Hex => address.toLowerCase() as Hex;
