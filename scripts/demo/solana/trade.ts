import { type Base58, buyFeeBps, formatUnits, tokenDecimalsOn } from '@mintage/protocol';
import { tokenAccountOf } from '@mintage/protocol/solana';
import { checkLater } from '../checkLater.ts';
import type { Quote } from '../quote.ts';
import { type Report, short } from '../report.ts';
import { amountsOf, feesOf, isBuy, type Landed, type SolanaChain, type Trade } from './chain.ts';
import type { Person } from './person.ts';

/** Where the story plays. */
export interface Stage {
  report: Report;
  chain: SolanaChain;
  slug: 'solana' | 'solana-devnet';
  program: Base58;
  usd: Base58;
  usdDecimals: number;
}

/** The token of the story. */
export interface DemoToken {
  id: string;
  mint: Base58;
  symbol: string;
  /** Unix seconds on the chain's clock. */
  created: number;
}

export const usdAccountOf = ({ usd }: Pick<Stage, 'usd'>, wallet: Base58): Base58 =>
  tokenAccountOf(wallet, usd, 'token');
export const tokensAccountOf = ({ mint }: Pick<DemoToken, 'mint'>, wallet: Base58): Base58 =>
  tokenAccountOf(wallet, mint, 'token2022');

export type Order = { direction: 'buy' | 'sell' } & Record<string, unknown>;

/** Asks for a trade, sends what comes back from the person's own wallet, and compares quote, event and balances. */
export const trade = async (stage: Stage, token: DemoToken, { name, wallet, ask }: Person, order: Order) => {
  const request = { tokenId: token.id, chainSlug: stage.slug, userAddress: wallet.address, ...order };
  const { quote, transactions } = await ask('tradeToken', request);
  stage.report.check('the simulation says that the trade works', true, quote.simulation?.ok ?? false);
  const [prepared, ...more] = transactions;
  if (prepared === undefined || more.length > 0) throw new Error('A trade on Solana is one transaction.');
  const landed = await stage.chain.send(wallet, prepared);
  return { quote, landed, made: await compare(stage, token, { name, address: wallet.address }, quote, landed) };
};

/**
 * The quote against what the chain did. Only the opening fee depends on the second: in a later second than it was quoted for, the
 * chain must have done what the formula says for that second, on the quoted state.
 */
export const compare = async (
  stage: Stage,
  token: DemoToken,
  who: { name: string; address: Base58 },
  quote: Quote,
  { events, changes }: Landed,
): Promise<Trade> => {
  const { report } = stage;
  const made = events.find((one): one is Trade => one.event === 'Trade');
  if (made === undefined) throw new Error('The transaction made no trade.');
  const { paid, received } = amountsOf(made);
  const usdMoved = changes.get(usdAccountOf(stage, who.address)) ?? 0n;
  const tokensMoved = changes.get(tokensAccountOf(token, who.address)) ?? 0n;
  const [left, reached] = isBuy(made) ? [-usdMoved, tokensMoved] : [-tokensMoved, usdMoved];
  report.check('what left the wallet is what the event says', paid, left);
  report.check('what reached the wallet is what the event says', received, reached);
  report.line(describe(stage, token, who, made));
  if (made.feeBps === quote.state.feeBps) {
    report.check('the input is the quoted one', BigInt(quote.inputAmountRaw), paid);
    report.check('the output is the quoted one', BigInt(quote.outputAmountRaw), received);
    const feesQuoted = quote.fees.reduce((sum, line) => sum + BigInt(line.amountUsdRaw), 0n);
    report.check('the fees are the quoted ones', feesQuoted, feesOf(made));
    return made;
  }
  report.check(
    'the fee is that of the second',
    buyFeeBps(BigInt(made.time) - BigInt(token.created)),
    BigInt(made.feeBps),
  );
  checkLater(report, quote, {
    paid,
    received,
    feeBps: BigInt(made.feeBps),
    builderBps: BigInt(made.builderBps),
    hasReferral: made.referral !== nobody,
    hasReferrer: made.referrer !== nobody,
  });
  return made;
};

/** In an event: nobody. */
const nobody = '11111111111111111111111111111111';

/** One line of the report. */
const describe = (stage: Stage, token: DemoToken, who: { name: string }, made: Trade): string => {
  const usd = (amount: bigint): string => `$${short(formatUnits(amount, stage.usdDecimals))}`;
  const tokens = `${short(formatUnits(made.tokens, tokenDecimalsOn(stage.slug)))} ${token.symbol}`;
  const { paid, received } = amountsOf(made);
  const [verb, usdSide] = isBuy(made) ? ['buys', paid] : ['sells', received];
  const place = made.venue === 0 ? 'curve' : 'pool';
  const fee = `fees ${usd(feesOf(made))} (${made.feeBps + made.builderBps} bps)`;
  return `${who.name.padEnd(8)} ${verb} ${tokens} for ${usd(usdSide)} on the ${place}, ${fee}`;
};
