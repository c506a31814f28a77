import type { Hex } from 'viem';
import { needCandles } from '../aggregates/candles.ts';
import { evmEvent } from '../events/evm/evmEvent.ts';
import { poolV3Abi } from '../events/evm/foreignAbis.ts';
import { intAt, signedAt, topicAddress, uintAt } from '../events/evm/words.ts';
import { type EventOf, eventKind } from './event.ts';
import { bookTrade } from './Trade.ts';

const nobody: Hex = `0x${'0'.repeat(40)}`;

/**
 * A swap in the pool of a graduated token on a v3 exchange. Our own follow from `Trade`; of a stranger's router this is all that
 * there is. Its fee is the pool's, so nothing of it is credited to anybody here.
 */
export const Swap = eventKind('Swap', {
  evm: evmEvent(poolV3Abi, 'Swap', {
    emitter: 'pool',
    decode: ({ topics, data }, token) => ({
      token,
      /** Who called the pool. */
      sender: topicAddress(topics, 1),
      /** Who received what came out. */
      recipient: topicAddress(topics, 2),
      /** Of the pool: negative is what it paid. */
      amount0: signedAt(data, 0),
      amount1: signedAt(data, 1),
      sqrtPriceX96: uintAt(data, 2),
      tick: intAt(data, 4),
    }),
  }),
  needs(page, { token, at }) {
    needCandles(page, token, at.time);
  },
  handle(page, { at, token, sender, recipient, amount0, amount1, sqrtPriceX96, tick }) {
    if (sender === page.chain.launchpad) return;
    const [usd, tokens] = page.chain.usd < token ? [amount0, amount1] : [amount1, amount0];
    bookTrade(page, {
      at,
      token,
      // Nobody else is named: the router may have paid with somebody's dollars.
      trader: recipient,
      recipient: sender,
      side: tokens < 0n ? 'buy' : 'sell',
      venue: 'pool',
      foreignRouter: true,
      grossUsd: abs(usd),
      tokens: abs(tokens),
      feeBps: 0,
      base: 0n,
      excess: 0n,
      builder: nobody,
      builderBps: 0,
      builderFee: 0n,
      referral: nobody,
      referrer: nobody,
      cashback: 0n,
      stateA: sqrtPriceX96,
      stateB: 0n,
      tick,
    });
  },
});

export type Swap = EventOf<typeof Swap>;

const abs = (amount: bigint): bigint => (amount < 0n ? -amount : amount);
