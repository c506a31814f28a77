import { type Deployment, type Eid, encodeWithdrawBatch, formatUnits, invalid, MintageError } from '@mintage/protocol';
import { type ClaimItem, definitions } from '@mintage/protocol/operations';
import type { Address, ChainContext } from '../../chain/servedChain.ts';
import type { Caller } from '../accounts/caller.ts';
import { withMadeWallet } from '../execution/embeddedWallet.ts';
import { type Execution, notExecuted } from '../execution/execute.ts';
import { executeIfAsked } from '../execution/executeIfAsked.ts';
import { type ExecutingSender, executingSender } from '../execution/sender.ts';
import { oneOf } from '../reads/oneOf.ts';
import { byChainId, servedChains } from '../tokens/servedChains.ts';
import { lowerAddress, requireMotion } from '../trade/chainOf.ts';
import { gasBounds } from '../trade/gas.ts';
import type { Call, Context } from './context.ts';
import { handler } from './handler.ts';

/** The vault reads this amount as "everything that is owed". */
const everything = 2n ** 256n - 1n;

export const claimRewards = handler(definitions.claimRewards, async (context, input, call) => {
  const chains = servedChains(context, input.chains);
  const currency = input.currencyAddress === undefined ? null : lowerAddress(input.currencyAddress);
  const sender = input.execute ? await executingSender(context, call.caller) : null;
  const caller = sender?.caller ?? (await withMadeWallet(context, call.caller));
  const named = input.userAddress === undefined ? null : ownWallet(caller, input.userAddress);
  if (sender !== null && named !== null && named !== sender.address) {
    throw invalid('userAddress', `must be your embedded wallet ${sender.address} to execute, or be left out`);
  }
  const claims = await firstClaims(context, walletsInTurn(caller, sender, named), chains, currency);
  const executions = await Promise.all(claims.map((claim) => executed(context, claim, sender, call)));
  return {
    success: true,
    ...together(executions),
    transactions: claims.map((claim, index) => ({ ...claimItem(claim), ...shown(executions[index]) })),
    metadata: {
      totalChainsWithBalance: claims.length,
      totalCurrenciesClaimed: claims.reduce((sum, { currencies }) => sum + currencies.length, 0),
      currencyAddress: input.currencyAddress ?? '',
    },
  };
});

/** @throws AUTHENTICATION_FAILED for somebody else's wallet. */
const ownWallet = ({ wallets }: Caller, asked: string): Address => {
  const wallet = lowerAddress(asked);
  if (wallets.includes(wallet)) return wallet;
  throw new MintageError('AUTHENTICATION_FAILED', 'userAddress: is not a wallet of the caller', {
    details: [{ path: 'userAddress', message: 'must be one of your own wallets' }],
  });
};

/** The caller's wallets in the order in which they are tried: the first one with credits is claimed for. */
const walletsInTurn = (
  { wallets }: Caller,
  sender: ExecutingSender | null,
  named: Address | null,
): readonly Address[] => {
  if (sender !== null) return [sender.address];
  return named === null ? wallets : [named];
};

const firstClaims = async (
  context: Context,
  wallets: readonly Address[],
  chains: ReadonlyMap<Eid, ChainContext>,
  currency: Address | null,
): Promise<Claim[]> => {
  for (const wallet of wallets) {
    const claims = await claimsOf(context, wallet, chains, currency);
    if (claims.length > 0) return claims;
  }
  return [];
};

/** Executes the claim on one chain; an error there does not stop the claims on others. */
const executed = async (
  context: Context,
  claim: Claim,
  sender: ExecutingSender | null,
  call: Pick<Call, 'untilMs' | 'idempotencyKey'>,
): Promise<Execution | MintageError> => {
  try {
    await requireMotion(context, claim.served);
    if (sender === null) return notExecuted;
    return await executeIfAsked(context, claim.served, sender, claimItem(claim), call);
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
  currencies: { address: Address; claimable: bigint }[];
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
    .select(['eid', 'currency', 'claimable'])
    .where(oneOf('eid', [...chains.keys()]))
    .where('recipient', '=', wallet)
    .where('claimable', '>', 0n)
    .$if(currency !== null, (query) => query.where('currency', '=', currency as Address))
    .orderBy('currency')
    .execute();
  return [...Map.groupBy(rows.toSorted(byChainId), (row) => row.eid)].flatMap(([eid, balances]) => {
    const served = chains.get(eid);
    const currencies = balances.map((row) => ({ address: row.currency, claimable: row.claimable }));
    return served ? [{ served, wallet, currencies }] : [];
  });
};

/** The withdrawal of everything that one wallet is owed on one chain. */
export const claimItem = ({ served: { chain, deployment }, wallet, currencies }: Claim): ClaimItem => {
  const addresses = currencies.map(({ address }) => address);
  const amounts = currencies.map(() => everything);
  return {
    to: deployment.launchpad,
    data: encodeWithdrawBatch(addresses, wallet, amounts),
    value: '0',
    chainSlug: chain.slug,
    chainId: deployment.chainId.toString(),
    chainType: 'evm',
    gasLimit: (gasBounds.withdrawBatch + gasBounds.withdrawBatchCurrency * BigInt(currencies.length)).toString(),
    description: `Claim ${currencies.map((credit) => describeCredit(credit, deployment)).join(' and ')} on ${chain.name}`,
    from: wallet,
  };
};

const describeCredit = ({ address, claimable }: Claim['currencies'][number], deployment: Deployment): string =>
  address === deployment.usd
    ? `${formatUnits(claimable, deployment.usdDecimals)} ${deployment.usdSymbol}`
    : `all of the currency ${address}`;
