import { definitions } from '@mintage/protocol/operations';
import { requireOwnAccount } from '../accounts/ownAccount.ts';
import { readFeeHistory } from '../reads/feeHistory.ts';
import { chainWarnings, servedChains } from '../tokens/servedChains.ts';
import { handler } from './handler.ts';

export const getUserFeeHistory = handler(definitions.getUserFeeHistory, async (context, input, { caller }) => {
  const { user_id, fee_type, chains, ...page } = input;
  requireOwnAccount(caller, user_id);
  const { db, config } = context;
  const history = { chains: servedChains(context, chains), wallets: caller.wallets, feeType: fee_type };
  const credits = await readFeeHistory(db, config, history, page);
  return { platformName: config.platformName, page, ...credits, ...chainWarnings(context, chains) };
});
