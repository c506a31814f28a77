import type { MeAnswer } from '@mintage/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { askSecondWay } from './askSignIn.ts';
import { me } from './queries.ts';
import { store, stored } from './storage.ts';

const declined = 'second way declined';

/** Whether one passkey is all that leads into an account. */
export const hasOnePasskeyAlone = ({ signIn }: Pick<MeAnswer['data'], 'signIn'>): boolean =>
  signIn.passkeys === 1 && signIn.wallets + signIn.identities === 0;

/** Before money goes into the wallet here: offers a second way in to an account that one lost passkey would lock. Asks a person once. */
export const offerSecondWay = async (client: QueryClient): Promise<void> => {
  const { data } = await client.fetchQuery({ ...me(), staleTime: 60_000 });
  if (!hasOnePasskeyAlone(data) || stored<string>(declined) === data.userId) return;
  if (!(await askSecondWay())) store(declined, data.userId);
};
