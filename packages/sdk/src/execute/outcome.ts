import { type Address, launchpadAbi, tokenBridgeAbi, wholeTrade } from '@mintage/protocol';
import { type Hex, parseEventLogs, type TransactionReceipt } from 'viem';
import { lower, type TrustedChain } from '../trusted.ts';

/** What our contracts said in their events, base units. */
export interface Outcome {
  /** Of the one token that was created; null: none. */
  token: Address | null;
  /** What left the wallet and what came, by the event; null where nothing was traded. */
  traded: { amountIn: bigint; amountOut: bigint; feeUsd: bigint } | null;
  /** What the vault paid. */
  withdrawn: { chainSlug: string; currency: Address; amount: bigint }[];
  /** Of the LayerZero messages, for `/transactions/status`. */
  guids: Hex[];
}

/** Only events of contracts that are trusted, about this wallet, count. */
export const outcomeOf = (
  receipts: readonly { chain: TrustedChain; receipt: TransactionReceipt }[],
  address: string,
): Outcome => {
  const wallet = lower(address);
  const outcome: Outcome = { token: null, traded: null, withdrawn: [], guids: [] };
  for (const { chain, receipt } of receipts) {
    const from = (contract: Hex | null) => receipt.logs.filter((log) => lower(log.address) === contract);
    for (const { eventName, args } of parseEventLogs({ abi: launchpadAbi, logs: from(chain.launchpad) })) {
      if (eventName === 'TokenCreated' && lower(args.creator) === wallet) outcome.token = lower(args.token);
      if (eventName === 'Trade' && lower(args.trader) === wallet) outcome.traded = amountsOf(args.record);
      if (eventName === 'Withdrawn' && lower(args.account) === wallet)
        outcome.withdrawn.push({ chainSlug: chain.slug, currency: lower(args.currency), amount: args.amount });
    }
    for (const { eventName, args } of parseEventLogs({ abi: tokenBridgeAbi, logs: from(chain.tokenBridge) }))
      if (eventName === 'TokenSent' || eventName === 'Announced') outcome.guids.push(args.guid);
  }
  return outcome;
};

const amountsOf = (record: Parameters<typeof wholeTrade>[0]): NonNullable<Outcome['traded']> => {
  const { side, tokens, grossUsd, fees } = wholeTrade(record);
  const feeUsd = fees.total;
  return side === 'buy'
    ? { amountIn: grossUsd, amountOut: tokens, feeUsd }
    : { amountIn: tokens, amountOut: grossUsd - feeUsd, feeUsd };
};
