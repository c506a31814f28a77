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
import { type ClaimItem, definitions, type Warning } from '@mintage/protocol/operations';
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
  const wallets = { all: named === null ? caller.wallets : [named], preferred: own ?? caller.wallets };
  const { claims, rest } = await claimsOfWallets(context, wallets, chains, currency);
  const { prepared, failed } = await preparedClaims(context, claims);
  const executions = await Promise.all(prepared.map((claim) => executed(context, claim, senders, call)));
  const warnings = [
    ...(chainWarnings(context, input.chains).warnings ?? []),
    ...rest.map((claim) => otherWalletWarning(claim, own)),
    ...failed,
    ...prepared.filter(({ isPartial }) => isPartial).map(partialWarning),
  ];
  return {
    success: true,
    ...(warnings.length > 0 && { warnings }),
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

/**
 * Of the preferred wallets in their order, on chains of each type, the first one with credits is claimed for.
 *
 * @returns Its claims, and the rest: those of the other wallets.
 */
const claimsOfWallets = async (
  context: Context,
  { all, preferred }: Readonly<Record<'all' | 'preferred', readonly Address[]>>,
  chains: ReadonlyMap<Eid, ChainContext>,
  currency: Address | null,
): Promise<{ claims: Claim[]; rest: Claim[] }> => {
  const found: Claim[] = [];
  for (const wallet of all) found.push(...(await claimsOf(context, wallet, chains, currency)));
  const chosen = new Map<ChainType, Address>();
  for (const wallet of preferred) {
    const type = chainTypeOfAddress(wallet);
    if (!chosen.has(type) && found.some((claim) => claim.wallet === wallet)) chosen.set(type, wallet);
  }
  const isChosen = ({ wallet }: Claim): boolean => chosen.get(chainTypeOfAddress(wallet)) === wallet;
  const sorted = found.toSorted((one, other) => byChainId(one.served.chain, other.served.chain));
  return { claims: sorted.filter(isChosen), rest: sorted.filter((claim) => !isChosen(claim)) };
};

/** @param own - Embedded wallets that execute; null: nothing is executed. */
const otherWalletWarning = (claim: Claim, own: readonly Address[] | null): Warning => {
  const { wallet } = claim;
  const signs = own === null || own.includes(wallet) ? '' : ' and without `execute`, because it signs itself';
  return {
    code: 'CLAIM_OTHER_WALLET',
    sentence: `Your wallet ${wallet} can claim ${whatOf(claim)} too: ask again with it as \`userAddress\`${signs}.`,
  };
};

const partialWarning = ({ wallet, collected, served }: Claim): Warning => ({
  code: 'CLAIM_PARTIAL',
  sentence:
    `This claim collects from the pools of ${collected.length} tokens of ${wallet} on ${served.chain.name}, and more ` +
    'earned something: claim once more after it.',
});

interface PreparedClaim extends Claim {
  item: ClaimItem & PlannedTransaction;
}

/** A chain that does not answer does not stop the claims on others. @throws MintageError when none can be prepared. */
const preparedClaims = async (
  { log }: Context,
  claims: readonly Claim[],
): Promise<{ prepared: PreparedClaim[]; failed: Warning[] }> => {
  const prepared: PreparedClaim[] = [];
  const failed: Warning[] = [];
  const tried = await Promise.allSettled(claims.map((claim) => claimItem(claim)));
  for (const [index, one] of tried.entries()) {
    const claim = claims[index] as Claim;
    if (one.status === 'fulfilled') {
      prepared.push({ ...claim, item: one.value });
      continue;
    }
    const err: unknown = one.reason;
    if (!(err instanceof MintageError) || tried.every(({ status }) => status === 'rejected')) throw err;
    log.warn({ err }, 'A claim could not be prepared.');
    const sentence = `The claim of ${whatOf(claim)} by ${claim.wallet} could not be prepared: ${err.message}`;
    failed.push({ code: 'CLAIM_NOT_PREPARED', sentence });
  }
  return { prepared, failed };
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
  /** More of its tokens earned something than are collected from. */
  isPartial: boolean;
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
      const found = uncollected.get(eid) ?? [];
      const [earning, isPartial] = [found.slice(0, mostCollected), found.length > mostCollected];
      const known = new Set(held.map(({ address }) => address));
      const more = [{ address: served.deployment.usd, symbol: null }, ...earning]
        .filter(({ address }) => earning.length > 0 && !known.has(address))
        .filter(({ address }) => currency === null || currency === address)
        .map((one) => ({ ...one, claimable: 0n }));
      const currencies = [...held, ...more];
      const collected = earning.map(({ address }) => address);
      return currencies.length === 0 ? [] : [{ served, wallet, currencies, collected, isPartial }];
    });
};

/** Most tokens whose pool fees one claim collects: each costs gas. */
const mostCollected = 10;

/**
 * By chain, the wallet's own tokens that were traded in a pool with a fee of its own since its fees were last collected: one more than a
 * claim collects from, where there are so many.
 */
const uncollectedOf = async (
  db: Db,
  wallet: Address,
  chains: ReadonlyMap<Eid, ChainContext>,
  currency: Address | null,
): Promise<ReadonlyMap<Eid, { address: Address; symbol: string }[]>> => {
  const eids = [...chains.values()].flatMap(({ chain, deployment }) =>
    deployment.exchange !== null && (currency === null || currency === deployment.usd) ? [chain.eid] : [],
  );
  const inTurn = db
    .selectFrom('token')
    .leftJoin('fee_balance', (join) =>
      join
        .onRef('fee_balance.eid', '=', 'token.eid')
        .onRef('fee_balance.currency', '=', 'token.address')
        .onRef('fee_balance.recipient', '=', 'token.creator'),
    )
    .select(['token.eid', 'token.address', 'token.symbol'])
    .select(sql<string>`row_number() over (partition by token.eid order by token.last_trade_at desc)`.as('place'))
    .where(oneOf('token.eid', eids))
    .where('token.creator', '=', wallet)
    .where('token.graduated_at', 'is not', null)
    // Equal too: a chain may have several blocks in a second.
    .whereRef('token.last_trade_at', '>=', sql`coalesce(fee_balance.last_distribution_at, token.graduated_at)`);
  const rows = await db
    .selectFrom(inTurn.as('uncollected'))
    .select(['eid', 'address', 'symbol'])
    .where('place', '<=', sql<string>`${mostCollected + 1}`)
    .orderBy('place')
    .execute();
  return Map.groupBy(rows, ({ eid }) => eid);
};

/** The withdrawal of everything that one wallet is owed on one chain. */
export const claimItem = async ({
  served,
  wallet,
  currencies,
  collected,
}: Omit<Claim, 'isPartial'>): Promise<ClaimItem & PlannedTransaction> => {
  const { chain, client } = served;
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
    description: `Claim ${whatOf({ served, currencies, collected })}`,
    from: wallet,
    ...shownWhole(step),
  };
};

const whatOf = ({ served, currencies, collected }: Pick<Claim, 'served' | 'currencies' | 'collected'>): string => {
  const known = currencies.filter(({ claimable }) => claimable > 0n);
  const parts = known.map((credit) => describeCredit(credit, served));
  if (collected.length > 0) parts.push('what the pools of your tokens earned since');
  return `${parts.join(' and ')} on ${served.chain.name}`;
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
