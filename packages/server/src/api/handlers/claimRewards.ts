import {
  type Address,
  type ChainType,
  chainTypeOf,
  chainTypeOfAddress,
  type Eid,
  formatUnits,
  invalid,
  MintageError,
  tokenDecimalsOf,
} from '@mintage/protocol';
import { type ClaimItem, definitions } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Db } from '../../db/serviceTables.ts';
import type { Caller } from '../accounts/caller.ts';
import { withMadeWallets } from '../execution/embeddedWallet.ts';
import { type Execution, notExecuted, type PlannedTransaction } from '../execution/execute.ts';
import { executeIfAsked } from '../execution/executeIfAsked.ts';
import { type ExecutingSender, executingSender } from '../execution/sender.ts';
import { oneOf } from '../reads/oneOf.ts';
import { anyAddress } from '../tokens/addresses.ts';
import { byChainId, chainTypesOf, chainWarnings, servedChains } from '../tokens/servedChains.ts';
import { requireMotion } from '../trade/chainOf.ts';
import { shownWhole } from '../trade/wholeTransaction.ts';
import type { Call, Context } from './context.ts';
import { handler } from './handler.ts';

export const claimRewards = handler(definitions.claimRewards, async (context, input, call) => {
  const chains = servedChains(context, input.chains);
  const currency =
    input.currencyAddress === undefined ? null : anyAddress(context, input.currencyAddress, 'currencyAddress');
  const asked = input.userAddress === undefined ? null : anyAddress(context, input.userAddress, 'userAddress');
  const types = chainTypesOf((chains.size === 0 ? context.chains : chains).values());
  const senders = input.execute ? await sendersOf(context, call.caller, types) : null;
  const caller =
    senders?.at(-1)?.caller ?? (await withMadeWallets(context, call.caller, chainTypesOf(context.chains.values())));
  const named = asked === null ? null : ownWallet(caller, asked);
  const own = senders?.map(({ address }) => address) ?? null;
  if (own !== null && named !== null && !own.includes(named)) {
    throw invalid('userAddress', `must be your embedded wallet ${own.join(' or ')} to execute, or be left out`);
  }
  const wallets = named === null ? (own ?? caller.wallets) : [named];
  const claims = await firstClaims(context, wallets, chains, currency);
  const prepared = await preparedClaims(context, claims);
  const executions = await Promise.all(prepared.map((claim) => executed(context, claim, senders, call)));
  return {
    success: true,
    ...chainWarnings(context, input.chains),
    ...together(executions),
    transactions: prepared.map(({ item }, index) => ({ ...item, ...shown(executions[index]) })),
    metadata: {
      totalChainsWithBalance: claims.length,
      totalCurrenciesClaimed: claims.reduce((sum, { currencies }) => sum + currencies.length, 0),
      currencyAddress: input.currencyAddress ?? '',
    },
  };
});

/** @throws AUTHENTICATION_FAILED for somebody else's wallet. */
const ownWallet = ({ wallets }: Caller, wallet: Address): Address => {
  if (wallets.includes(wallet)) return wallet;
  throw new MintageError('AUTHENTICATION_FAILED', 'userAddress: is not a wallet of the caller', {
    details: [{ path: 'userAddress', message: 'must be one of your own wallets' }],
  });
};

/** Who executes on chains of these types. */
const sendersOf = async (
  context: Context,
  caller: Caller,
  types: Iterable<ChainType>,
): Promise<readonly ExecutingSender[]> => {
  const senders: ExecutingSender[] = [];
  for (const type of types) senders.push(await executingSender(context, senders.at(-1)?.caller ?? caller, type));
  return senders;
};

/** Of the wallets in their order, on chains of each type, the first one with credits is claimed for. */
const firstClaims = async (
  context: Context,
  wallets: readonly Address[],
  chains: ReadonlyMap<Eid, ChainContext>,
  currency: Address | null,
): Promise<Claim[]> => {
  const found: Claim[] = [];
  for (const inTurn of Map.groupBy(wallets, chainTypeOfAddress).values()) {
    for (const wallet of inTurn) {
      const claims = await claimsOf(context, wallet, chains, currency);
      found.push(...claims);
      if (claims.length > 0) break;
    }
  }
  return found.toSorted((one, other) => byChainId(one.served.chain, other.served.chain));
};

interface PreparedClaim extends Claim {
  item: ClaimItem & PlannedTransaction;
}

/** A chain that does not answer does not stop the claims on others. @throws MintageError when none can be prepared. */
const preparedClaims = async ({ log }: Context, claims: readonly Claim[]): Promise<PreparedClaim[]> => {
  const tried = await Promise.allSettled(claims.map(async (claim) => ({ ...claim, item: await claimItem(claim) })));
  const refusals = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  for (const err of refusals) {
    if (!(err instanceof MintageError) || refusals.length === claims.length) throw err;
    log.warn({ err }, 'A claim could not be prepared.');
  }
  return tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
};

/** Executes the claim on one chain; an error there does not stop the claims on others. */
const executed = async (
  context: Context,
  claim: PreparedClaim,
  senders: readonly ExecutingSender[] | null,
  call: Pick<Call, 'untilMs' | 'idempotencyKey'>,
): Promise<Execution | MintageError> => {
  try {
    await requireMotion(context, claim.served);
    const sender = senders?.find(({ address }) => address === claim.wallet);
    if (sender === undefined) return notExecuted;
    return await executeIfAsked(context, claim.served, sender, claim.item, call);
  } catch (error) {
    if (error instanceof MintageError) return error;
    throw error;
  }
};

/**
 * Summarises the executions for the top level of the answer.
 *
 * @throws MintageError the first refusal when no claim was executed.
 */
const together = (executions: readonly (Execution | MintageError)[]): Execution => {
  const refusals = executions.filter((one): one is MintageError => one instanceof MintageError);
  const done = executions.filter((one): one is Execution => !(one instanceof MintageError));
  const [refusal] = refusals;
  if (refusal !== undefined && done.length === 0) throw refusal;
  const last = done.at(-1) ?? notExecuted;
  return { ...last, executed: last.executed && refusals.length === 0 };
};

const shown = (execution: Execution | MintageError = notExecuted) =>
  execution instanceof MintageError ? { ...notExecuted, error: execution.message } : { ...execution, error: null };

export interface Claim {
  served: ChainContext;
  wallet: Address;
  currencies: { address: Address; claimable: bigint; symbol: string | null }[];
  /** Tokens of the wallet whose pools are traded with a fee of their own: what they earned since the last time is collected. */
  collected: readonly Address[];
}

/** The claims, one for each chain with something to claim. */
const claimsOf = async (
  { db }: Context,
  wallet: Address,
  chains: ReadonlyMap<Eid, ChainContext>,
  currency: Address | null,
): Promise<Claim[]> => {
  const rows = await db
    .selectFrom('fee_balance')
    .leftJoin('token', (join) =>
      join.onRef('token.eid', '=', 'fee_balance.eid').onRef('token.address', '=', 'fee_balance.currency'),
    )
    .select(['fee_balance.eid', 'currency', 'claimable', 'token.symbol'])
    .where(oneOf('fee_balance.eid', [...chains.keys()]))
    .where('recipient', '=', wallet)
    .where('claimable', '>', 0n)
    .$if(currency !== null, (query) => query.where('currency', '=', currency as Address))
    .orderBy('currency')
    .execute();
  const balances = Map.groupBy(rows, (row) => row.eid);
  const uncollected = await uncollectedOf(db, wallet, chains, currency);
  return [...chains.values()]
    .toSorted((one, other) => byChainId(one.chain, other.chain))
    .flatMap((served): Claim[] => {
      const { eid } = served.chain;
      const held = (balances.get(eid) ?? []).map((row) => ({ ...row, address: row.currency }));
      const earning = uncollected.get(eid) ?? [];
      const known = new Set(held.map(({ address }) => address));
      const more = [{ address: served.deployment.usd, symbol: null }, ...earning]
        .filter(({ address }) => earning.length > 0 && !known.has(address))
        .filter(({ address }) => currency === null || currency === address)
        .map((one) => ({ ...one, claimable: 0n }));
      const currencies = [...held, ...more];
      const collected = earning.map(({ address }) => address);
      return currencies.length === 0 ? [] : [{ served, wallet, currencies, collected }];
    });
};

/** Most tokens whose pool fees one claim collects: each costs gas. */
const mostCollected = 10;

/** By chain, the wallet's own tokens that were traded in a pool with a fee of its own since its fees were last collected. */
const uncollectedOf = async (
  db: Db,
  wallet: Address,
  chains: ReadonlyMap<Eid, ChainContext>,
  currency: Address | null,
): Promise<ReadonlyMap<Eid, { address: Address; symbol: string }[]>> => {
  const eids = [...chains.values()].flatMap(({ chain, deployment }) =>
    deployment.exchange !== null && (currency === null || currency === deployment.usd) ? [chain.eid] : [],
  );
  const rows = await db
    .selectFrom('token')
    .leftJoin('fee_balance', (join) =>
      join
        .onRef('fee_balance.eid', '=', 'token.eid')
        .onRef('fee_balance.currency', '=', 'token.address')
        .onRef('fee_balance.recipient', '=', 'token.creator'),
    )
    .select(['token.eid', 'token.address', 'token.symbol'])
    .where(oneOf('token.eid', eids))
    .where('token.creator', '=', wallet)
    .where('token.graduated_at', 'is not', null)
    // Equal too: a chain may have several blocks in a second.
    .whereRef('token.last_trade_at', '>=', sql`coalesce(fee_balance.last_distribution_at, token.graduated_at)`)
    .orderBy('token.last_trade_at', 'desc')
    .limit(mostCollected)
    .execute();
  return Map.groupBy(rows, ({ eid }) => eid);
};

/** The withdrawal of everything that one wallet is owed on one chain. */
export const claimItem = async ({
  served,
  wallet,
  currencies,
  collected,
}: Claim): Promise<ClaimItem & PlannedTransaction> => {
  const { chain, deployment, client } = served;
  const step = await client.withdraw(
    wallet,
    currencies.map(({ address }) => address),
    collected,
  );
  const { call, gasBound } = step;
  return {
    to: call.to,
    data: call.data,
    value: (call.value ?? 0n).toString(),
    chainSlug: chain.slug,
    chainId: (chain.chainId ?? 0).toString(),
    chainType: chainTypeOf(chain),
    gasLimit: gasBound.toString(),
    description: describeClaim(currencies, collected, { chain, deployment }),
    from: wallet,
    ...shownWhole(step),
  };
};

const describeClaim = (
  currencies: Claim['currencies'],
  collected: Claim['collected'],
  on: Pick<ChainContext, 'chain' | 'deployment'>,
): string => {
  const known = currencies.filter(({ claimable }) => claimable > 0n);
  const parts = known.map((credit) => describeCredit(credit, on));
  if (collected.length > 0) parts.push('what the pools of your tokens earned since');
  return `Claim ${parts.join(' and ')} on ${on.chain.name}`;
};

const describeCredit = (
  { address, claimable, symbol }: Claim['currencies'][number],
  { chain, deployment }: Pick<ChainContext, 'chain' | 'deployment'>,
): string =>
  address === deployment.usd
    ? `${formatUnits(claimable, deployment.usdDecimals)} ${deployment.usdSymbol}`
    : symbol === null
      ? `all of the currency ${address}`
      : `${formatUnits(claimable, tokenDecimalsOf(chain))} ${symbol}`;
