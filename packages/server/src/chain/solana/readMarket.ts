import { isDeepStrictEqual } from 'node:util';
import {
  type Address,
  curveOf,
  type Deployment,
  families,
  mintagePoolOf,
  poolTypeById,
  requireBase58,
} from '@mintage/protocol';
import { type AccountOf, tokenAccountOf } from '@mintage/protocol/solana';
import type { At } from '../agreement.ts';
import { NonsenseError } from '../answers.ts';
import type { ChainReading, NamedToken } from '../chainClient.ts';
import { type BlockRef, type Market, usdOf } from '../market.ts';
import type { Node, Rpc } from '../rpc.ts';
import { clockAddress, timeOf, tokensIn } from './accounts.ts';
import { isSomebody, type Launchpad, launchAddress, stateIn, userAddress } from './launchpad.ts';
import { type Account, getMultipleAccounts } from './rpc/calls.ts';
import { askPatiently } from './rpc/solanaRpc.ts';

/** `ChainClient.readMarket`: all accounts of one slot, its time by the validators' clock. */
export const readMarket = async (
  rpc: Pick<Rpc, 'agreedAtHead'>,
  on: Launchpad,
  deployment: Deployment,
  facts: NamedToken,
  trader: Address,
  aloneWillDo: boolean,
): Promise<ChainReading> => {
  const [mint, wallet] = [requireBase58(facts.address), requireBase58(trader)];
  const addresses = [
    clockAddress,
    launchAddress(on, mint),
    userAddress(on, wallet),
    tokenAccountOf(wallet, mint, 'token2022'),
    tokenAccountOf(wallet, on.dollarMint, 'token'),
  ];
  const question = async (node: Node, at: At): Promise<Reading> => {
    const { slot, value } = await askPatiently(node, getMultipleAccounts(addresses, at));
    const [clock = null, launch = null, user = null, tokens = null, dollars = null] = value;
    if (clock === null) throw new NonsenseError('a chain without a clock');
    return { block: slot, time: timeOf(clock), accounts: { launch, user, tokens, dollars } };
  };
  const { answer, isAlone } = await rpc.agreedAtHead(question, { same: isSameReading, aloneWillDo });
  const { launch, user, tokens, dollars } = answer.accounts;
  const block = { number: answer.block, hash: null, time: answer.time };
  const stored = stateIn(on, 'Launch', launch);
  const referrer = stateIn(on, 'User', user)?.referrer;
  return {
    block,
    isAlone,
    // A trade's limit and deadline stand in the call, and the program looks at every account.
    premise: null,
    market: stored && marketOf(stored, block, facts, deployment),
    trader: {
      referrer: referrer !== undefined && isSomebody(referrer) ? referrer : null,
      usdBalance: tokensIn(dollars),
      // The trader's signature is all that the program needs.
      usdAllowance: 0n,
      tokenBalance: tokensIn(tokens),
    },
  };
};

interface Reading {
  block: number;
  /** Unix seconds. */
  time: number;
  accounts: Record<'launch' | 'user' | 'tokens' | 'dollars', Account | null>;
}

/** Clocks of slots close to each other differ by so many seconds at most. */
const clocksApart = 5;

const isSameReading = (one: Reading, other: Reading): boolean =>
  Math.abs(one.time - other.time) <= clocksApart && isDeepStrictEqual(one.accounts, other.accounts);

const { tokenDecimals } = families.solana;

const marketOf = (launch: AccountOf<'Launch'>, block: BlockRef, facts: NamedToken, deployment: Deployment): Market => {
  const poolType = poolTypeById(Number(launch.poolType));
  if (poolType === undefined) throw new Error(`the chain holds the unknown pool type ${launch.poolType}`);
  const { tokensLeft, reserveUsd, floorUsd, treasuryUsd } = launch;
  const isGraduated = launch.graduated !== 0n;
  return {
    source: 'chain',
    token: { ...facts, creator: launch.creator, poolType, createdAt: Number(launch.created) },
    poolType,
    block,
    usd: usdOf(deployment),
    tokenDecimals,
    venue: deployment.venue,
    curve: isGraduated
      ? null
      : curveOf(poolType, { token: tokenDecimals, usd: deployment.usdDecimals }, { tokensLeft, reserveUsd }),
    pool: isGraduated ? mintagePoolOf(poolType, { tokens: tokensLeft, usd: reserveUsd, floorUsd }) : null,
    // In the pool the floor is a part of it.
    floorUsd: isGraduated ? 0n : floorUsd,
    treasuryShareUsd: treasuryUsd,
  };
};
