import type { ChainContext } from '../chainContext.ts';
import type { Row } from '../db/tables.ts';
import type { ChainEvent } from '../events/events.ts';
import type { Hex } from '../events/log.ts';

/** Keys of the rows that events may touch, so that they are loaded in one query per table. More than needed is fine. */

type Key = readonly unknown[];

const distinct = (keys: Key[]): Key[] => [...new Map(keys.map((key) => [key.join(' '), key])).values()];

export const tokenKeys = (chain: ChainContext, events: readonly ChainEvent[], pools: ReadonlyMap<Hex, Hex>): Key[] => {
  const addresses = events.flatMap((event) => {
    if ('token' in event) return [event.token];
    if (event.name === 'ProtocolFeeUpdated') return pools.get(event.poolId) ?? [];
    return [];
  });
  return distinct(addresses.map((address) => [chain.chainId, address]));
};

export const balanceKeys = (chain: ChainContext, events: readonly ChainEvent[]): Key[] =>
  distinct(
    events.flatMap((event) =>
      event.name === 'Transfer' ? [event.from, event.to].map((wallet) => [chain.chainId, event.token, wallet]) : [],
    ),
  );

/** @param tokens - The loaded rows of `tokenKeys`: a trade pays the creator, whom only the token's row names. */
export const feeBalanceKeys = (
  chain: ChainContext,
  events: readonly ChainEvent[],
  tokens: readonly Row<'token'>[],
  treasury: Hex | null,
): Key[] => {
  const creators = [
    ...tokens.map((token) => token.creator),
    ...events.flatMap((event) => (event.name === 'TokenCreated' ? [event.creator] : [])),
  ];
  const recipients = events.flatMap((event) => {
    if (event.name === 'Trade') return [event.builder, event.referral, event.referrer, event.trader];
    if (event.name === 'TreasuryCollected') return [event.treasury];
    if (event.name === 'SettingChanged') return [event.value];
    return [];
  });
  const inUsd = [...creators, ...recipients, ...(treasury === null ? [] : [treasury])];
  const withdrawn = events.flatMap((event) => (event.name === 'Withdrawn' ? [[event.account, event.currency]] : []));
  return distinct(
    [...inUsd.map((recipient) => [recipient, chain.usd]), ...withdrawn].map((key) => [chain.chainId, ...key]),
  );
};
