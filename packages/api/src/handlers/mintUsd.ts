import { encodeMint, MintageError } from '@mintage/protocol';
import type { Address, HandlerOf } from '../context.ts';
import { unitsOf } from '../trade/amount.ts';
import { chainOf } from '../trade/chainOf.ts';

const defaultAmount = 100_000;
/** A first mint to a new holder costs about 70,000. */
const gasLimit = '100000';

export const mintUsd: HandlerOf<'mintUsd'> = async (context, { chainSlug, userAddress, amount = defaultAmount }) => {
  const { chain, deployment } = chainOf(context, chainSlug);
  if (!deployment.usdMintable) {
    throw new MintageError(
      'UNSUPPORTED_CHAIN',
      `The dollars of ${chainSlug} are real ones, nobody here can mint them`,
      {
        details: [{ path: 'chainSlug', message: 'must be a chain whose dollarToken is mintable' }],
      },
    );
  }
  const value = unitsOf(amount, deployment.usdDecimals, 'amount');
  return {
    success: true,
    transaction: {
      to: deployment.usd,
      data: encodeMint(userAddress.toLowerCase() as Address, value),
      value: '0',
      gasLimit,
      chainType: 'evm',
      chainId: `eip155:${chain.chainId}`,
    },
  };
};
