import { launchpadAbi, testUsdAbi } from '@mintage/protocol';
import { type Hex, parseEventLogs } from 'viem';
import type { DevChain } from '../../src/devnet.ts';

/** Names of what the load has done, so that each can be found on its chain: no two have the same. */
export const transferEffect = (slug: string, to: string): string => `${slug} dollars to ${to.toLowerCase()}`;
export const buyEffect = (slug: string, wallet: string, usd: bigint): string =>
  `${slug} buy by ${wallet.toLowerCase()} of ${usd}`;

/** How often each effect is on the chain. */
export const effectsOf = async ({ chain, rpc, deployment }: DevChain): Promise<Map<string, number>> => {
  const everything = { fromBlock: '0x0', toBlock: 'latest' };
  const logsOf = async (address: Hex) => (await rpc('eth_getLogs', [{ ...everything, address }])) as never[];
  const transfers = parseEventLogs({ abi: testUsdAbi, eventName: 'Transfer', logs: await logsOf(deployment.usd) });
  const trades = parseEventLogs({ abi: launchpadAbi, eventName: 'Trade', logs: await logsOf(deployment.launchpad) });
  const names = [
    ...transfers.map(({ args }) => transferEffect(chain.slug, args.to)),
    ...trades.map(({ args }) => buyEffect(chain.slug, args.trader, args.record.grossUsd)),
  ];
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};
