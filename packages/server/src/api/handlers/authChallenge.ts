import { definitions } from '@mintage/protocol/operations';
import { walletAddress } from '../accounts/walletTexts/walletForms.ts';
import { newWalletText } from '../accounts/walletTexts/walletText.ts';
import { handler } from './handler.ts';

export const authChallenge = handler(definitions.authChallenge, (context, { address, chainId }) =>
  newWalletText(context, { address: walletAddress(context.chains, address, 'address'), chainId, linksTo: null }),
);
