import { definitions } from '@mintage/protocol/operations';
import { evmAddress } from '../accounts/evm/evmAddress.ts';
import { newWalletText } from '../accounts/evm/walletText.ts';
import { handler } from './handler.ts';

export const linkWalletChallenge = handler(
  definitions.linkWalletChallenge,
  (context, { address, chainId }, { caller }) =>
    newWalletText(context, { address: evmAddress(address, 'address'), chainId, linksTo: caller.userId }),
);
