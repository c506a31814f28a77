import type { Api } from './api.ts';
import { keepSignedIn } from './session.ts';
import type { ConnectedWallet } from './wallet.ts';

/**
 * Signs in with the browser's wallet, which shows the text and costs nothing; the session is kept for all tabs.
 *
 * @throws What the wallet says, where it refuses; MintageError of the service.
 */
export const signInWithWallet = async (
  api: Pick<Api, 'authChallenge' | 'authLogin'>,
  { provider, address, chainId }: ConnectedWallet,
): Promise<void> => {
  const { message } = await api.authChallenge({ address, chainId });
  const signature = await provider.request({ method: 'personal_sign', params: [hexOf(message), address] });
  const { accessToken, refreshToken, userId } = await api.authLogin({ message, signature });
  keepSignedIn({ accessToken, refreshToken, userId, by: 'wallet' });
};

const hexOf = (text: string): `0x${string}` =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
