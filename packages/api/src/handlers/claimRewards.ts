import { type Deployment, encodeWithdrawBatch, formatUnits, MintageError } from '@mintage/protocol';
import type { ClaimItem } from '@mintage/protocol/operations';
import type { Address, Caller, ChainContext, Context, HandlerOf } from '../context.ts';
import { oneOf } from '../reads/oneOf.ts';
import { servedChains } from '../reads/servedChains.ts';
import { lowerAddress } from '../trade/chainOf.ts';
import { gasBounds } from '../trade/gas.ts';

/** The vault takes it as everything it owes. */
const everything = 2n ** 256n - 1n;

export const claimRewards: HandlerOf<'claimRewards'> = async (context, input, { caller }) => {
  const wallet = walletOf(caller, input.userAddress);
  const chains = servedChains(context, input.chains);
  const currency = input.currencyAddress === undefined ? null : lowerAddress(input.currencyAddress);
  const claims = wallet === null ? [] : await claimsOf(context, wallet, chains, currency);
  return {
    success: true,
    transactions: claims.map(claimItem),
    metadata: {
      totalChainsWithBalance: claims.length,
      totalCurrenciesClaimed: claims.reduce((sum, { currencies }) => sum + currencies.length, 0),
      currencyAddress: input.currencyAddress ?? '',
    },
  };
};

/**
 * The wallet to claim for: one of the caller's own. Null for a caller who has none.
 *
 * @throws AUTHENTICATION_FAILED for somebody else's wallet.
 */
const walletOf = ({ wallets }: Caller, asked: string | undefined): Address | null => {
  if (asked === undefined) return wallets[0] ?? null;
  const wallet = lowerAddress(asked);
  if (wallets.includes(wallet)) return wallet;
  throw new MintageError('AUTHENTICATION_FAILED', 'userAddress: is not a wallet of the caller', {
    details: [{ path: 'userAddress', message: 'must be one of your own wallets' }],
  });
};

export interface Claim {
  served: ChainContext;
  wallet: Address;
  currencies: { address: Address; claimable: bigint }[];
}

/** One per chain with something to claim. */
const claimsOf = async (
  { db }: Context,
  wallet: Address,
  chains: ReadonlyMap<number, ChainContext>,
  currency: Address | null,
): Promise<Claim[]> => {
  const rows = await db
    .selectFrom('fee_balance')
    .select(['chain_id', 'currency', 'claimable'])
    .where(oneOf('chain_id', [...chains.keys()]))
    .where('recipient', '=', wallet)
    .where('claimable', '>', 0n)
    .$if(currency !== null, (query) => query.where('currency', '=', currency as Address))
    .orderBy('chain_id')
    .orderBy('currency')
    .execute();
  return [...Map.groupBy(rows, (row) => row.chain_id)].flatMap(([chainId, balances]) => {
    const served = chains.get(chainId);
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
