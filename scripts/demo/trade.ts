import { buyFeeBps, families, formatUnits } from '@mintage/protocol';
import type { Address, TransactionReceipt } from 'viem';
import { amountsOf, type ChainTrade, type DemoChain, feesOf, isBuy, tradesIn } from './chain.ts';
import { checkLater } from './checkLater.ts';
import type { Person } from './person.ts';
import type { Quote } from './quote.ts';
import { type Report, short } from './report.ts';

/** Where the story plays. */
export interface Stage {
  report: Report;
  chain: DemoChain;
  slug: string;
  launchpad: Address;
  lens: Address;
  poolManager: Address;
  poolHook: Address;
  usd: Address;
  usdDecimals: number;
  /** Null: tokens do not leave this chain. */
  tokenBridge: Address | null;
}

/** The token of the story. */
export interface DemoToken {
  id: string;
  address: Address;
  symbol: string;
  /** Unix seconds on the chain's clock. */
  created: number;
}

/** Asks for a trade, sends what comes back from the person's own wallet, and compares quote, event and balances. */
export const trade = async (
  stage: Stage,
  token: DemoToken,
  person: Person,
  order: { direction: 'buy' | 'sell' } & Record<string, unknown>,
): Promise<{ quote: Quote; receipt: TransactionReceipt; made: ChainTrade }> => {
  const { address } = person.account;
  const request = { tokenId: token.id, chainSlug: stage.slug, userAddress: address, ...order };
  const before = await balancesOf(stage, token, address);
  const { quote, transactions } = await person.ask('tradeToken', request);
  stage.report.check('the simulation says that the trade works', true, quote.simulation?.ok ?? false);
  const receipt = (await person.sendAll(transactions)).at(-1) as TransactionReceipt;
  const [made] = tradesIn(receipt);
  if (!made) throw new Error('The transaction made no trade.');
  const after = await balancesOf(stage, token, address);
  await compare(stage, token, quote, made, receipt);
  const { paid, received } = amountsOf(made.record);
  const [left, reached] = isBuy(made.record)
    ? [before.usd - after.usd, after.tokens - before.tokens]
    : [before.tokens - after.tokens, after.usd - before.usd];
  stage.report.check('what left the wallet is what the event says', paid, left);
  stage.report.check('what reached the wallet is what the event says', received, reached);
  stage.report.line(describe(stage, token, person, made));
  return { quote, receipt, made };
};

/**
 * The quote against what the chain did. Only the opening fee depends on the second: when the trade was mined in a later
 * second than it was quoted for, the chain must have done what the formula says for that second, on the quoted state.
 */
export const compare = async (
  stage: Stage,
  token: DemoToken,
  quote: Quote,
  { record }: ChainTrade,
  receipt: TransactionReceipt,
): Promise<void> => {
  const { report, chain } = stage;
  const { paid, received } = amountsOf(record);
  if (record.feeBps === BigInt(quote.state.feeBps)) {
    report.check('the input is the quoted one', BigInt(quote.inputAmountRaw), paid);
    report.check('the output is the quoted one', BigInt(quote.outputAmountRaw), received);
    const feesQuoted = quote.fees.reduce((sum, line) => sum + BigInt(line.amountUsdRaw), 0n);
    report.check('the fees are the quoted ones', feesQuoted, feesOf(record));
    for (const [kind, charged] of [
      ['builder', record.fees.builder] as const,
      ['anti_snipe', record.fees.excess] as const,
    ]) {
      const quoted = quote.fees.find((line) => line.kind === kind)?.amountUsdRaw ?? '0';
      report.check(`the ${kind} fee is the quoted one`, BigInt(quoted), charged);
    }
    return;
  }
  const { timestamp } = await chain.client.getBlock({ blockNumber: receipt.blockNumber });
  report.check('the fee is that of the second', buyFeeBps(timestamp - BigInt(token.created)), record.feeBps);
  checkLater(report, quote, {
    paid,
    received,
    feeBps: record.feeBps,
    builderBps: record.builderBps,
    hasReferral: BigInt(record.referral) !== 0n,
    hasReferrer: BigInt(record.referrer) !== 0n,
  });
};

/** One line of the report. */
export const describe = (stage: Stage, token: DemoToken, who: { name: string }, { record }: ChainTrade): string => {
  const usd = (amount: bigint): string => `$${short(formatUnits(amount, stage.usdDecimals))}`;
  const tokens = `${short(formatUnits(record.tokens, families.evm.tokenDecimals))} ${token.symbol}`;
  const { paid, received } = amountsOf(record);
  const [verb, usdSide] = isBuy(record) ? ['buys', paid] : ['sells', received];
  const place = record.venue === 0 ? 'curve' : 'pool';
  const fee = `fees ${usd(feesOf(record))} (${record.feeBps + record.builderBps} bps)`;
  return `${who.name.padEnd(8)} ${verb} ${tokens} for ${usd(usdSide)} on the ${place}, ${fee}`;
};

const balancesOf = async ({ chain, usd }: Stage, token: DemoToken, account: Address) => ({
  usd: await chain.balanceOf(usd, account),
  tokens: await chain.balanceOf(token.address, account),
});
