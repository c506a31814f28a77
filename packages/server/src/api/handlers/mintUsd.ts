import {
  type Address,
  type Chain,
  caip2Of,
  chainTypeOf,
  invalid,
  isNobody,
  MintageError,
  unitsOf,
} from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { executeIfAsked } from '../execution/executeIfAsked.ts';
import { senderOf } from '../execution/sender.ts';
import { addressOn } from '../tokens/addresses.ts';
import { refuseWalls } from '../tokens/walls.ts';
import { chainOf } from '../trade/chainOf.ts';
import { mintsDollars } from '../trade/mintsDollars.ts';
import { shownWhole } from '../trade/wholeTransaction.ts';
import { handler } from './handler.ts';

const defaultAmount = 100_000;

export const mintUsd = handler(definitions.mintUsd, async (context, input, call) => {
  const { chainSlug, amount = defaultAmount, userAddress, execute } = input;
  const served = chainOf(context, chainSlug);
  const { chain, deployment } = served;
  if (!mintsDollars(served)) {
    throw new MintageError('UNSUPPORTED_CHAIN', `On ${chainSlug} there are no test dollars to mint`, {
      details: [{ path: 'chainSlug', message: 'must be a chain whose dollarToken is mintable' }],
    });
  }
  const dollars = unitsOf(amount, deployment.usdDecimals, 'amount');
  // The named address receives. Anyone may send the transaction; with `execute` the caller's embedded wallet does.
  const named = execute ? undefined : userAddress;
  const sender = await senderOf(context, call.caller, served.chain, { execute, field: 'userAddress', named });
  const recipient = userAddress === undefined ? sender.address : recipientOf(chain, userAddress);
  const { acknowledge } = input;
  await refuseWalls(context, served, sender.caller, [{ address: recipient, field: 'userAddress' }], acknowledge);
  const step = await served.client.mintUsd(sender.address, recipient, dollars);
  const { to, data, value = 0n } = step.call;
  const prepared = { to, data, value: value.toString(), gasLimit: step.gasBound.toString() };
  const description = `Mint ${amount} ${deployment.usdSymbol}`;
  return {
    success: true,
    ...(await executeIfAsked(context, served, sender, { ...prepared, description }, call, acknowledge)),
    transaction: { ...prepared, chainType: chainTypeOf(chain), chainId: caip2Of(chain), ...shownWhole(step) },
  };
});

const recipientOf = (chain: Chain, named: string): Address => {
  const address = addressOn(chain, named, 'userAddress');
  if (isNobody(address)) throw invalid('userAddress', 'must not be the zero address');
  return address;
};
