import { definitions } from '@mintage/protocol/operations';
import { requireOwnAccount } from '../accounts/ownAccount.ts';
import { readFeeSources, readFees } from '../reads/fees.ts';
import { countReferredTraders } from '../reads/referredTraders.ts';
import { chainWarnings, servedChains } from '../tokens/servedChains.ts';
import { handler } from './handler.ts';

export const getUserFees = handler(definitions.getUserFees, async (context, input, { caller }) => {
  requireOwnAccount(caller, input.user_id);
  const { db, config } = context;
  const { wallets } = caller;
  const chains = servedChains(context, input.chains);
  const [fees, sources, referredTraders] = await Promise.all([
    readFees(db, chains, wallets),
    readFeeSources(db, chains, wallets),
    countReferredTraders(context, [...chains.keys()], wallets),
  ]);
  const warned = chainWarnings(context, input.chains);
  return { platformName: config.platformName, wallets, fees, sources, referredTraders, ...warned };
});
