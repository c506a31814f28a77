import { definitions } from '@mintage/protocol/operations';
import { evmAddress } from '../accounts/evm/evmAddress.ts';
import { newWalletText } from '../accounts/evm/walletText.ts';
import { handler } from './handler.ts';

export const authChallenge = handler(definitions.authChallenge, (context, { address, chainId }) =>
  newWalletText(context, { address: evmAddress(address, 'address'), chainId, linksTo: null }),
);
