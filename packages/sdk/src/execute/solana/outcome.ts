import type { Base58 } from '@mintage/protocol';
import { isBuy, tradeKinds } from '@mintage/protocol';
import type { TransactionEvent } from '../../generated/types.ts';
import type { TrustedSolanaChain } from '../../trusted.ts';
import type { Outcome } from '../outcome.ts';

/** What the program said in its events, as the service reads them. Only those of the program that is trusted, about this wallet, count. */
export const solanaOutcomeOf = (
  landed: readonly { chain: TrustedSolanaChain; events: readonly TransactionEvent[] }[],
  wallet: string,
): Outcome => {
  const outcome: Outcome = { token: null, traded: null, withdrawn: [], guids: [] };
  for (const { chain, events } of landed) {
    for (const { event, args } of events.filter(({ address }) => address === chain.launchpad)) {
      if (event === 'TokenCreated' && args.creator === wallet) outcome.token = args.mint as Base58;
      if (event === 'Trade' && args.trader === wallet) outcome.traded = amountsOf(args);
      if (event === 'Withdrawn' && args.wallet === wallet)
        outcome.withdrawn.push({
          chainSlug: chain.slug,
          currency: chain.usd as Base58,
          amount: BigInt(String(args.amount)),
        });
    }
  }
  return outcome;
};

const amountsOf = (args: TransactionEvent['args']): NonNullable<Outcome['traded']> => {
  const [grossUsd, netUsd, tokens] = [args.grossUsd, args.netUsd, args.tokens].map((one) => BigInt(String(one))) as [
    bigint,
    bigint,
    bigint,
  ];
  const kind = tradeKinds[Number(args.kind)];
  const feeUsd = grossUsd - netUsd;
  return kind !== undefined && isBuy(kind)
    ? { amountIn: grossUsd, amountOut: tokens, feeUsd }
    : { amountIn: tokens, amountOut: netUsd, feeUsd };
};
