import type { TransactionReceipt } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { DemoChain } from './chain.ts';
import type { Service } from './service.ts';

/** Somebody with a fresh wallet who has signed in. The key never leaves this process. */
export interface Person {
  name: string;
  account: PrivateKeyAccount;
  /** The service, called with this person's credential. */
  ask: Service;
  /** Sends prepared transactions in order, as a wallet would, on the story's chain or another; the receipts. */
  sendAll(items: readonly PreparedItem[], on?: DemoChain): Promise<TransactionReceipt[]>;
}

interface PreparedItem {
  to: string;
  data: string;
  value: string;
  gasLimit: string;
}

/** A new wallet, gas for it, and a sign-in by signature. */
export const newPerson = async (name: string, service: Service, chain: DemoChain): Promise<Person> => {
  const account = privateKeyToAccount(generatePrivateKey());
  await chain.fund(account.address);
  const { message } = await service('authChallenge', { address: account.address });
  const signature = await account.signMessage({ message });
  const { accessToken } = await service('authLogin', { message, signature });
  return {
    name,
    account,
    ask: (operation, input) => service(operation, input, accessToken),
    async sendAll(items, on = chain) {
      const receipts: TransactionReceipt[] = [];
      for (const { to, data, value, gasLimit } of items) {
        const call = {
          to: to as `0x${string}`,
          data: data as `0x${string}`,
          value: BigInt(value),
          gas: BigInt(gasLimit),
        };
        receipts.push(await on.send(account, call));
      }
      return receipts;
    },
  };
};

/** The same person with an API key instead of the access token. */
export const withApiKey = async (person: Person, service: Service): Promise<Person> => {
  const { key } = await person.ask('createApiKey', { name: 'demo', scopes: ['read', 'prepare'] });
  return { ...person, ask: (operation, input) => service(operation, input, key) };
};
