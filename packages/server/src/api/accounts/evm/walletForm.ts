import { parseHexAddress } from '@mintage/protocol';
import type { WalletForm } from '../walletForm.ts';
import { recoverSigner } from './recoverSigner.ts';
import { firstChainId, signInMessage } from './signInMessage.ts';

/** EIP-4361 and EIP-191. */
export const evmWallets: WalletForm = {
  parse: parseHexAddress,
  text: (chains, chainId, signIn) => signInMessage({ ...signIn, chainId: chainId ?? firstChainId(chains) }),
  isBy: (wallet, message, signature) => recoverSigner(message, signature) === wallet,
};
