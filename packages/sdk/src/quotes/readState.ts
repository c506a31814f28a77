import { curveOf, lensAbi, MintageError, type PricedState, poolTypeById, tierFeeV3, usdIs0 } from '@mintage/protocol';
import { type Client, zeroAddress } from 'viem';
import { readContract } from 'viem/actions';
import { decimalsOf, lower, type TrustedChain } from '../trusted.ts';

/** A state with the block that it was read at. */
export interface ReadState extends PricedState {
  blockNumber: bigint;
  /** Of that block, Unix seconds. */
  timestamp: number;
}

/**
 * The state of a token, by one call of the Lens; `priceOrder` of it gives the wei of the contract.
 *
 * @param at - Number of a block that the chain's node still keeps; absent: the newest.
 * @throws MintageError TOKEN_NOT_FOUND.
 */
export const readState = async (
  client: Client,
  chain: TrustedChain,
  token: string,
  at?: bigint,
): Promise<ReadState> => {
  const { lens, usd, venue, slug } = chain;
  const decimals = decimalsOf(chain);
  const address = lower(token);
  const [blockNumber, timestamp, view] = await readContract(client, {
    address: lens,
    abi: lensAbi,
    functionName: 'quoteState',
    args: [address, zeroAddress],
    ...(at !== undefined && { blockNumber: at }),
  });
  const { state } = view;
  const poolType = poolTypeById(state.poolType);
  if (state.creator === zeroAddress || poolType === undefined)
    throw new MintageError('TOKEN_NOT_FOUND', `No token of this launchpad is at ${token} on ${slug}.`);
  const isUsdFirst = usdIs0(address, usd);
  const tierFee = venue === 'uniswap_v3' || venue === 'pancake_v3' ? tierFeeV3 : undefined;
  return {
    blockNumber,
    timestamp: Number(timestamp),
    curve: state.graduated
      ? null
      : curveOf(poolType, decimals, { tokensLeft: state.tokensLeft, reserveUsd: state.usd }),
    pool: state.graduated ? { ...poolOf(view, tierFee), usdIs0: isUsdFirst } : null,
    treasuryShareUsd: state.treasuryShare,
    ageSeconds: Number(timestamp) - state.created,
    graduation:
      venue === null ? null : { venue, poolType, decimals, floorUsd: state.floorUsd, usdIs0: isUsdFirst, tierFee },
  };
};

type View = {
  [Name in 'sqrtPriceX96' | 'liquidity']: bigint;
} & { tick: number; protocolFee: number } & {
  [Name in 'fullRange' | 'floor']: { tickLower: number; tickUpper: number; liquidity: bigint };
} & { ticks: readonly { tick: number; liquidityNet: bigint }[] };

/** The Lens shows so many ticks on either side of the price: where it shows as many there may be more. */
const shownTicks = 256;

const poolOf = ({ ticks, ...view }: View, tierFee: number | undefined) => {
  const { sqrtPriceX96, tick, liquidity, protocolFee, fullRange, floor } = view;
  const pool = { sqrtPriceX96, tick, liquidity, protocolFee, fullRange, floor };
  if (tierFee === undefined) return pool;
  const below = ticks.filter((one) => one.tick <= tick).length;
  const from = below >= shownTicks ? (ticks.at(0)?.tick ?? null) : null;
  const to = ticks.length - below >= shownTicks ? (ticks.at(-1)?.tick ?? null) : null;
  return { ...pool, tierFee, ticks, knownTicks: { from, to } };
};
