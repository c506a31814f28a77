import { encodeMint, MintageError } from '@mintage/protocol';
import type { HandlerOf } from '../context.ts';
import { executeIfAsked } from '../execution/executeIfAsked.ts';
import { senderOf } from '../execution/sender.ts';
import { unitsOf } from '../trade/amount.ts';
import { chainOf } from '../trade/chainOf.ts';

const defaultAmount = 100_000;
/** A first mint to a new holder costs about 70,000. */
const gasLimit = '100000';

export const mintUsd: HandlerOf<'mintUsd'> = async (context, input, call) => {
  const { chainSlug, amount = defaultAmount } = input;
  const served = chainOf(context, chainSlug);
  const { chain, deployment } = served;
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
  const sender = await senderOf(context, call.caller, { ...input, field: 'userAddress', named: input.userAddress });
  const prepared = { to: deployment.usd, data: encodeMint(sender.address, value), value: '0', gasLimit };
  const description = `Mint ${amount} ${deployment.usdSymbol}`;
  return {
    success: true,
    ...(await executeIfAsked(context, served, sender, { ...prepared, description }, call)),
    transaction: { ...prepared, chainType: 'evm', chainId: `eip155:${chain.chainId}` },
  };
};
