import {
  type ExchangeV3,
  poolAddressOf,
  tickSpacing,
  type UniswapV4,
  type Venue,
  type VenueV3,
} from '@mintage/protocol';
import {
  type Address,
  decodeAbiParameters,
  type Hex,
  isAddressEqual,
  type PublicClient,
  parseAbiParameters,
  zeroAddress,
  zeroHash,
} from 'viem';
import { type ContractName, creationCodeOf } from './artifact.ts';

/** Where a deployment's graduated tokens trade. An exchange that is null: nowhere, creation reverts. */
export type DeployVenue = Pick<UniswapV4, 'kind' | 'poolManager'> | VenueV3;

/** @throws Error for a venue that no contract of the EVM has. */
export const deployVenueOf = (venue: Venue | null): DeployVenue | null => {
  if (venue?.kind === 'mintage_pool') throw new Error('Pools of our own are part of the Solana program alone.');
  return venue;
};

/** The contracts that a venue takes, and what only it tells their constructors. */
export interface VenueContracts {
  opening: ContractName;
  token: ContractName;
  launchpad: ContractName;
  lens: ContractName;
  /** Last arguments of the token's constructor. */
  tokenArguments: (usd: Address) => readonly unknown[];
  /** Last argument of the Launchpad's constructor. */
  launchpadArgument: unknown;
  /** What the Launchpad calls the venue's main contract, and its address. */
  named: { read: 'poolManager' | 'poolFactory'; address: Address };
  /** Gas of the graduation that the last buy tries; 0: it is left to whoever comes next. */
  graduationGas: bigint;
}

/**
 * On Uniswap v4 a graduation succeeds with 430,000 gas in every pool type, order and decimals, and a dollar behind a proxy takes
 * up to 15,000 more; plus a third. On a v3 exchange it may have to make the pool, which costs millions.
 */
const graduationGas = 600_000n;

const noExchange: ExchangeV3 = { factory: zeroAddress, deployer: zeroAddress, poolCodeHash: zeroHash, isEra: false };

export const venueContracts = (venue: DeployVenue | null): VenueContracts => {
  if (venue === null || venue.kind === 'uniswap_v4') {
    const poolManager = venue?.poolManager ?? zeroAddress;
    return {
      opening: 'OpeningV4',
      token: 'LaunchToken',
      launchpad: 'LaunchpadV4',
      lens: 'LensV4',
      tokenArguments: () => [],
      launchpadArgument: poolManager,
      named: { read: 'poolManager', address: poolManager },
      graduationGas,
    };
  }
  const exchange = venue.exchange ?? noExchange;
  return {
    opening: 'OpeningV3',
    token: 'LaunchTokenV3',
    launchpad: 'LaunchpadV3',
    lens: 'LensV3',
    tokenArguments: (usd) => [usd, exchange],
    launchpadArgument: exchange,
    named: { read: 'poolFactory', address: exchange.factory },
    graduationGas: 0n,
  };
};

/** Two addresses without meaning, whose pool nobody has. */
const pair: [Address, Address] = [
  '0xd011a7c4ec000000000000000000000000000003',
  '0xd011a7c4ec000000000000000000000000000004',
];
/** Of a price of one. */
const sqrtPriceX96 = 2n ** 96n;

/**
 * Lets the factory make and price a pool in an `eth_call`, and compares what it does with what our contracts will count on: the
 * fee tier and its ticks, the pool's address by our formula, its price.
 *
 * @throws When it does anything else.
 */
export const checkExchange = async (client: PublicClient, exchange: ExchangeV3): Promise<void> => {
  const { factory } = exchange;
  const data = creationCodeOf('ExchangeCheck', [factory, ...pair, sqrtPriceX96]);
  let found: Hex | undefined;
  try {
    ({ data: found } = await client.call({ data }));
  } catch (cause) {
    throw new Error(`The factory ${factory} does not make and price a pool with a fee of 1 %.`, { cause });
  }
  const [made, named, spacing, price, tick] = decodeAbiParameters(
    parseAbiParameters('address, address, int24, uint160, int24'),
    found ?? '0x',
  );
  const computed = poolAddressOf(exchange, ...pair);
  if (!isAddressEqual(made, computed))
    throw new Error(
      `The factory ${factory} makes a pool at ${made}, and by deployer, code hash and formula it would be at ${computed}.`,
    );
  if (!isAddressEqual(named, made)) throw new Error(`The factory ${factory} names ${named} for its pool ${made}.`);
  if (spacing !== tickSpacing)
    throw new Error(`The factory ${factory} spaces the ticks of its pools of 1 % by ${spacing}, not ${tickSpacing}.`);
  if (price !== sqrtPriceX96 || tick !== 0)
    throw new Error(`A pool of the factory ${factory} took another price than it was given.`);
};
