import type { Hash } from '@mintage/protocol';
import type { Outcome } from './outcome.ts';
import type { Prepared } from './prepared.ts';

/** What happened, beside what was said before. */
export interface Executed extends Outcome {
  /** In order; an approval is one of them. */
  transactions: { chainSlug: string; hash: Hash }[];
  /** Of the quote, base units: what would go in and come out. Null for what is no trade. */
  quoted: { amountIn: bigint; amountOut: bigint } | null;
}

/** What the quote of an answer says. */
export const quotedIn = ({ answer }: Prepared): Executed['quoted'] => {
  const quote = 'quote' in answer ? answer.quote : null;
  return quote && { amountIn: BigInt(quote.inputAmountRaw), amountOut: BigInt(quote.outputAmountRaw) };
};
