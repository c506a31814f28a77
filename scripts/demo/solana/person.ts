import { toBase58 } from '@mintage/protocol';
import type { Service } from '../service.ts';
import { newWallet, type OwnWallet, type SolanaChain } from './chain.ts';

/** Somebody with a fresh wallet who has signed in. */
export interface Person {
  name: string;
  wallet: OwnWallet;
  /** The service, called with this person's credential. */
  ask: Service;
}

const tenSol = 10_000_000_000;

/** A new wallet, SOL for fees and rent, and a sign-in by signature. */
export const newPerson = async (name: string, service: Service, chain: SolanaChain): Promise<Person> => {
  const wallet = newWallet();
  await chain.airdrop(wallet.address, tenSol);
  const { message } = await service('authChallenge', { address: wallet.address });
  const signature = toBase58(wallet.sign(new TextEncoder().encode(message)));
  const { accessToken } = await service('authLogin', { message, signature });
  return { name, wallet, ask: (operation, input) => service(operation, input, accessToken) };
};
