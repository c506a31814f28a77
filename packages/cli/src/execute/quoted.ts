import type { DecodedCall, Simulation, TradeQuote } from '@mintage/sdk';
import { plain } from '../output/plain.ts';
import { facts, table } from '../output/table.ts';
import { dollars, percent } from '../output/words.ts';

/** What a trade will do, from the answer that is going to be executed. Amounts and limit in full. */
export const quoted = (quote: TradeQuote): string => {
  const isExactOut = quote.limitKind === 'max_input';
  const limit = isExactOut
    ? (['You pay at most', quote.inputSymbol] as const)
    : (['You get at least', quote.outputSymbol] as const);
  const lines = facts([
    [isExactOut ? 'You pay about' : 'You pay', amount(quote.inputAmount, quote.inputSymbol)],
    [isExactOut ? 'You get' : 'You get about', amount(quote.outputAmount, quote.outputSymbol)],
    [limit[0], { text: amount(quote.limitAmount, limit[1]), tone: 'bold' }, `slippage ${percent(quote.slippageBps)}`],
    ['Price impact', percent(quote.priceImpactBps)],
    ['Traded on', quote.isGraduated ? `its pool, ${quote.venue}` : 'the curve'],
    ['Good until', `${new Date(quote.deadline * 1_000).toISOString().slice(11, 19)} UTC`],
    ...(quote.antiSnipe === null
      ? []
      : [
          [
            'Opening fee',
            { text: percent(quote.antiSnipe.feeBps), tone: 'down' },
            `in ${quote.antiSnipe.secondsLeft} s the same dollars buy ${quote.antiSnipe.outputAfterWindow}`,
          ] as const,
        ]),
  ]);
  return [lines, feesOf(quote)].join('\n\n');
};

const amount = (text: string, symbol: string): string => `${text} ${symbol}`;

/** Who earns what of it. */
const feesOf = ({ fees, poolFee, rewards }: TradeQuote): string =>
  [
    table(fees, [
      { head: 'fee', of: ({ kind }) => kind.replaceAll('_', ' ') },
      { head: '', isNumber: true, of: ({ bps }) => percent(bps) },
      { head: 'dollars', isNumber: true, of: ({ amountUsd }) => amountUsd },
      { head: 'to', of: ({ recipient, kind }) => recipient ?? (kind === 'anti_snipe' ? 'the token' : 'the treasury') },
    ]),
    ...(poolFee === null ? [] : [plain(`The pool keeps ${percent(poolFee.bps)}: ${poolFee.amount} ${poolFee.symbol}`)]),
    ...rewards.map(({ kind, recipient, amountUsd }) =>
      plain(`${kind.replaceAll('_', ' ')}: ${dollars(amountUsd)} to ${recipient}`),
    ),
  ].join('\n');

/** The calls as they stand in the bytes, and what simulating them said. */
export const called = (decoded: readonly DecodedCall[], simulation: Simulation | null): string =>
  facts([
    ...decoded.flatMap(({ contract, to, function: name, args }) => [
      ['Calls', `${name} of the ${contract} ${to}`] as const,
      ...Object.entries(args).map(
        ([arg, value]) => ['Calls', { text: `  ${arg} ${cutShort(value)}`, tone: 'dim' }] as const,
      ),
    ]),
    ...(simulation === null ? [] : [['Simulated', simulatedWord(simulation)] as const]),
    ...(simulation?.balanceChanges ?? []).map(
      ({ symbol, change }) => ['Changes', `${change.startsWith('-') ? '' : '+'}${change} ${symbol}`] as const,
    ),
  ]);

/** Data of other calls is long; addresses and amounts are whole. */
const cutShort = (value: string | number): string => {
  const text = String(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};

const simulatedWord = ({ ok, reason, gasUsed }: Simulation) => {
  if (ok === null) return 'not possible on this chain';
  return ok
    ? ({ text: `succeeds, ${gasUsed ?? '?'} gas`, tone: 'up' } as const)
    : ({ text: `fails: ${reason ?? 'no reason given'}`, tone: 'down' } as const);
};
