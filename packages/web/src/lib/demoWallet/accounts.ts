import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { store, stored } from '../storage.ts';
import { ask } from './ask.ts';

/** The accounts of the demo wallet, whose keys this browser keeps. */

const current = 'demo wallet';
const all = 'demo wallet accounts';

const keys = (): Hex[] => {
  const [known, now] = [stored<Hex[]>(all) ?? [], stored<Hex>(current)];
  return now === null || known.includes(now) ? known : [...known, now];
};

const keep = (key: Hex): void => {
  store(all, [...new Set([...keys(), key])]);
  store(current, key);
};

/** Null: none was used yet. */
export const account = () => {
  const key = stored<Hex>(current);
  return key === null ? null : privateKeyToAccount(key);
};

/** The account in use; made where there is none. */
export const firstAccount = () => {
  if (stored<Hex>(current) === null) keep(generatePrivateKey());
  return privateKeyToAccount(stored<Hex>(current) as Hex);
};

/** Lets the person take another account, or a new one. @throws 4001 */
export const chooseAccount = async (): Promise<void> => {
  const known = keys().map((key) => ({ words: privateKeyToAccount(key).address, value: key as Hex | null }));
  const chosen = await ask({ title: 'Which account?' }, [
    ...known,
    { words: 'A new account', isMain: true, value: null },
  ]);
  keep(chosen ?? generatePrivateKey());
};
