import { type Base58, MintageError, requireBase58 } from '@mintage/protocol';
import { feeVaultIndex, launchpadAddress, mostCounted, tokenAccountOf } from '@mintage/protocol/solana';
import type { ChainClient, Order, SignedVoucher } from '../../chainClient.ts';
import { isSomebody, type Launchpad, launchAddress, stateIn, userAddress } from '../launchpad.ts';
import type { Places } from '../message/instructions.ts';
import { requireCountable } from './countable.ts';
import { Draft } from './draft.ts';
import { type Preparing, type Reading, readFor } from './reading.ts';
import { derivationUnits, unitBounds } from './units.ts';

/** `ChainClient.trade`. */
export const prepareTrade = async (
  { rpc, launchpad: on, now }: Preparing,
  ...[order, voucher]: Parameters<ChainClient['trade']>
): ReturnType<ChainClient['trade']> => {
  const trader = requireBase58(order.recipient);
  const mint = requireBase58(order.token);
  const launch = launchAddress(on, mint);
  const reading = await readFor(rpc, [on.config, launch, ...accountsOf(on, order, voucher)], [launch]);
  const stored = stateIn(on, 'Launch', reading.account(launch));
  if (stored === null) throw new MintageError('TOKEN_NOT_FOUND', `The launchpad has no token ${mint} yet.`);
  const draft = new Draft(trader, on, reading);
  const { feeVaults, voucherSigner } = configIn(on, reading);
  if (voucher !== null) draft.voucher(voucher, voucherSigner);
  addTrade(draft, on, reading, order, voucher, {
    mint,
    launch,
    tokenVault: stored.tokenVault,
    usdVault: stored.usdVault,
    creatorUser: userAddress(on, stored.creator),
    feeVault: feeVaults[feeVaultIndex(mint)] as Base58,
  });
  return draft.finish(now());
};

export const configIn = (on: Launchpad, reading: Reading) => {
  const config = stateIn(on, 'Config', reading.account(on.config));
  if (config === null) throw new Error(`The launchpad ${on.program} is not there.`);
  return config;
};

/** What has to be read of the people in a trade. */
export const accountsOf = (on: Launchpad, order: Order, voucher: SignedVoucher | null): Base58[] => {
  const trader = requireBase58(order.recipient);
  const people = [trader, order.builder?.code, order.referral, voucher?.user, voucher?.referrer];
  return [
    tokenAccountOf(trader, requireBase58(order.token), 'token2022'),
    tokenAccountOf(trader, on.dollarMint, 'token'),
    ...people.filter((one) => one != null).map((one) => userAddress(on, requireBase58(one))),
  ];
};

/** Opens what the trade needs, and trades. @param market - Places of the token. */
export const addTrade = (
  draft: Draft,
  on: Launchpad,
  reading: Reading,
  { kind, token, amount, limit, recipient, builder, referral, deadline, venue }: Order,
  voucher: SignedVoucher | null,
  market: Places,
): void => {
  const [trader, mint] = [requireBase58(recipient), requireBase58(token)];
  const { address: traderUser, bump } = launchpadAddress(on.program, 'user', { wallet: trader });
  const stored = stateIn(on, 'User', reading.account(traderUser))?.referrer;
  const referrer = stored !== undefined && isSomebody(stored) ? stored : voucher?.referrer;
  const places = {
    ...market,
    trader,
    traderUser,
    traderTokens: draft.tokenAccount(trader, mint, 'token2022'),
    traderUsd: draft.tokenAccount(trader, on.dollarMint, 'token'),
    builderUser: builder === null ? null : draft.user(requireBase58(builder.code)),
    referralUser: referral === null || referral === recipient ? null : draft.user(requireBase58(referral)),
    referrerUser: referrer === undefined ? null : userAddress(on, requireBase58(referrer)),
  };
  requireCountable(amount);
  const opensPool = venue === 'lastOfCurve' || venue === 'openingPool';
  draft.call(
    kind,
    places,
    {
      amount,
      limit: limit < mostCounted ? limit : mostCounted,
      deadline: BigInt(deadline),
      builderBps: builder?.feeBps ?? 0,
    },
    (opensPool ? unitBounds.openingTrade : unitBounds.trade) + derivationUnits(bump),
  );
};
