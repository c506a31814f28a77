import { encodeMint, invalid, MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import type { Address } from '../../chain/servedChain.ts';
import { executeIfAsked } from '../execution/executeIfAsked.ts';
import { senderOf } from '../execution/sender.ts';
import { chainOf, lowerAddress } from '../trade/chainOf.ts';
import { mintsDollars } from '../trade/mintsDollars.ts';
import { unitsOf } from '../wire/amount.ts';
import { handler } from './handler.ts';

const defaultAmount = 100_000;
/** A first mint to a new holder costs about 70,000. */
const gasLimit = '100000';

export const mintUsd = handler(definitions.mintUsd, async (context, input, call) => {
  const { chainSlug, amount = defaultAmount, userAddress, execute } = input;
  const served = chainOf(context, chainSlug);
  const { chain, deployment } = served;
  if (!mintsDollars(served)) {
    throw new MintageError('UNSUPPORTED_CHAIN', `On ${chainSlug} there are no test dollars to mint`, {
      details: [{ path: 'chainSlug', message: 'must be a chain whose dollarToken is mintable' }],
    });
  }
  const value = unitsOf(amount, deployment.usdDecimals, 'amount');
  // The named address receives. Anyone may send the transaction; with `execute` the caller's embedded wallet does.
  const named = execute ? undefined : userAddress;
  const sender = await senderOf(context, call.caller, { execute, field: 'userAddress', named });
  const recipient = userAddress === undefined ? sender.address : recipientOf(userAddress);
  const prepared = { to: deployment.usd, data: encodeMint(recipient, value), value: '0', gasLimit };
  const description = `Mint ${amount} ${deployment.usdSymbol}`;
  return {
    success: true,
    ...(await executeIfAsked(context, served, sender, { ...prepared, description }, call)),
    transaction: { ...prepared, chainType: 'evm', chainId: `eip155:${chain.chainId}` },
  };
});

const recipientOf = (named: string): Address => {
  if (/^0x0{40}$/.test(named)) throw invalid('userAddress', 'must not be the zero address');
  return lowerAddress(named);
};
