import { z } from 'zod';
import type { VenueKind } from '../chains/chains.ts';

/** How `protocol` of a quote names where graduated tokens trade. */
export const protocolNames = {
  uniswap_v4: 'UniswapV4',
  uniswap_v3: 'UniswapV3',
  pancake_v3: 'PancakeV3',
  mintage_pool: 'MintagePool',
} as const satisfies Record<VenueKind, string>;

const kinds = Object.keys(protocolNames) as [VenueKind];

/** Where graduated tokens trade. */
export const PoolVenue = z.enum(kinds);
/** Where a trade is made: on the curve, or on a pool of that kind. */
export const TradeVenue = z.enum(['launchpad', ...kinds]);
export const ProtocolName = z.enum(['BondingCurve', ...Object.values(protocolNames)]);
