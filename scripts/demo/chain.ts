import { launchpadAbi, testUsdAbi, wholeTrade } from '@mintage/protocol';
import {
  type Address,
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  type LocalAccount,
  numberToHex,
  parseEventLogs,
  type TransactionReceipt,
} from 'viem';

/** One chain as anyone sees it: by its RPC address alone. */
export const openChain = (rpcUrl: string) => {
  const transport = http(rpcUrl, { batch: true });
  const client = createPublicClient({ transport, pollingInterval: 50, cacheTime: 0 });

  const balanceOf = (token: Address, account: Address): Promise<bigint> =>
    client.readContract({ address: token, abi: testUsdAbi, functionName: 'balanceOf', args: [account] });

  const supplyOf = (token: Address): Promise<bigint> =>
    client.readContract({ address: token, abi: testUsdAbi, functionName: 'totalSupply' });

  /** Signs, sends and waits. @throws When the transaction reverts. */
  const send = async (account: LocalAccount, call: SendableCall): Promise<TransactionReceipt> => {
    const wallet = createWalletClient({ account, transport });
    const hash = await wallet.sendTransaction({ ...call, account, chain: null });
    const receipt = await client.waitForTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw new Error(`${hash} to ${call.to} reverted.`);
    return receipt;
  };

  return {
    client,
    balanceOf,
    supplyOf,
    send,
    /** Native coins for gas; local chains only. */
    fund: (account: Address) =>
      client.request({
        method: 'anvil_setBalance' as never,
        params: [account, numberToHex(10n ** 20n)] as never,
      }),
    /** Seconds on the clock of the newest block. */
    time: async (): Promise<number> => Number((await client.getBlock()).timestamp),
  };
};

export type DemoChain = ReturnType<typeof openChain>;

interface SendableCall {
  to?: Address;
  data: Hex;
  value?: bigint;
  gas?: bigint;
}

/** The trades that a transaction made, in order. */
export const tradesIn = (receipt: TransactionReceipt) =>
  parseEventLogs({ abi: launchpadAbi, eventName: 'Trade', logs: receipt.logs }).map(({ args }) => ({
    ...args,
    record: wholeTrade(args.record),
  }));

export type ChainTrade = ReturnType<typeof tradesIn>[number];
export type TradeRecord = ChainTrade['record'];

export const isBuy = ({ side }: TradeRecord): boolean => side === 'buy';
export const isOnCurve = ({ venue }: TradeRecord): boolean => venue === 0;

/** Everything that was taken from the gross amount. */
export const feesOf = ({ fees }: TradeRecord): bigint => fees.total;

/** What left the trader and what came back, by the event. */
export const amountsOf = (record: TradeRecord): { paid: bigint; received: bigint } =>
  isBuy(record)
    ? { paid: record.grossUsd, received: record.tokens }
    : { paid: record.tokens, received: record.grossUsd - feesOf(record) };
