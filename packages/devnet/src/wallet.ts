import { launchpadAbi } from '@mintage/protocol';
import { type Address, decodeErrorResult, type Hex, type LocalAccount, numberToHex } from 'viem';
import { askChain, rpcRequest } from './rpc.ts';

export interface Call {
  /** Null: creates a contract. */
  to: Address | null;
  data: Hex;
  /** Native base units; none when absent. */
  value?: bigint;
  /** Gas limit; 3,000,000 when absent. */
  gas?: bigint;
}

export interface Receipt {
  transactionHash: Hex;
  blockNumber: number;
  status: 'success' | 'reverted';
  gasUsed: bigint;
  logs: { address: Address; topics: Hex[]; data: Hex }[];
}

/** Signs and sends for accounts of our own on one local chain, one transaction after the other. */
export interface Wallet {
  /** @throws When the transaction reverts, with the contract's reason. */
  send(account: LocalAccount, call: Call): Promise<Receipt>;
}

export const createWallet = (url: string, chainId: number): Wallet => {
  const nonces = new Map<Address, number>();

  const nextNonce = async (address: Address): Promise<number> => {
    const nonce = nonces.get(address) ?? Number(await rpcRequest(url, 'eth_getTransactionCount', [address, 'pending']));
    nonces.set(address, nonce + 1);
    return nonce;
  };

  const send = async (account: LocalAccount, { to, data, value = 0n, gas = 3_000_000n }: Call): Promise<Receipt> => {
    const fees = { type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas: 0n } as const;
    const nonce = await nextNonce(account.address);
    const signed = await account.signTransaction({ ...fees, chainId, to, data, value, gas, nonce });
    const answer = (await rpcRequest(url, 'eth_sendRawTransactionSync', [signed])) as RawReceipt;
    if (answer.status !== '0x1') throw new Error(`Reverted: ${await revertReason(url, account.address, to, data)}`);
    return {
      transactionHash: answer.transactionHash,
      blockNumber: Number(answer.blockNumber),
      status: 'success',
      gasUsed: BigInt(answer.gasUsed),
      logs: answer.logs,
    };
  };
  return { send };
};

/** A maximum fee above any base fee of a local chain; the surplus is not paid. */
const maxFeePerGas = 10n ** 12n;

interface RawReceipt {
  transactionHash: Hex;
  blockNumber: Hex;
  status: Hex;
  gasUsed: Hex;
  logs: Receipt['logs'];
}

/** Repeats the call to learn why it reverted; the state may have changed since, and then the reason says so. */
const revertReason = async (url: string, from: Address, to: Address | null, data: Hex): Promise<string> => {
  const { error } = await askChain(url, 'eth_call', [{ from, to, data, gas: numberToHex(20_000_000n) }, 'latest']);
  if (!error) return 'the same call succeeds now';
  if (!error.data || error.data === '0x') return error.message;
  try {
    const { errorName, args } = decodeErrorResult({ abi: launchpadAbi, data: error.data as Hex });
    return `${errorName}(${(args ?? []).join(', ')})`;
  } catch {
    return `${error.message} ${error.data}`;
  }
};
