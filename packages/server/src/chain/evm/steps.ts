import {
  type Address,
  type EvmDeployment,
  encodeApprove,
  encodeCreate,
  encodeMint,
  encodeOrder,
  encodeTransfer,
  encodeWithdrawBatch,
  requireHex,
} from '@mintage/protocol';
import { type Hex, zeroAddress } from 'viem';
import type { ChainClient, Creation, Order, PreparedStep } from '../chainClient.ts';
import { gasBounds, withVoucher } from './gas.ts';
import { inOneCall } from './inOneCall.ts';

type Steps = Pick<ChainClient, 'approve' | 'trade' | 'create' | 'transfer' | 'withdraw' | 'mintUsd'>;

/** Calls of the Launchpad, the vault and the tokens, each with the most gas that it takes. */
export const stepsOn = ({ launchpad, usd }: EvmDeployment): Steps => {
  return {
    approve: (amount) => step(usd, encodeApprove(launchpad, amount), gasBounds.approve),
    trade: (order, voucher) =>
      step(launchpad, inOneCall(voucher, [encoded(order)]), withVoucher(voucher, tradeBounds[order.venue])),
    create(creation, first, voucher) {
      const create = encodeCreate({ ...creation, deadline: BigInt(creation.deadline) });
      const bound = createBound(creation);
      if (first === null) return step(launchpad, inOneCall(voucher, [create]), withVoucher(voucher, bound));
      // No pool opens in a token's first second, whatever the buy leaves on the curve.
      const both = inOneCall(voucher, [create, encoded(first)]);
      return step(launchpad, both, withVoucher(voucher, bound + gasBounds.curveTrade));
    },
    transfer: (_sender, token, recipient, amount) =>
      step(requireHex(token), encodeTransfer(requireHex(recipient), amount), gasBounds.transfer),
    withdraw: (wallet, currencies) =>
      step(
        launchpad,
        encodeWithdrawBatch(
          currencies.map(requireHex),
          requireHex(wallet),
          currencies.map(() => everything),
        ),
        gasBounds.withdrawBatch + gasBounds.withdrawBatchCurrency * BigInt(currencies.length),
      ),
    mintUsd: (_sender, recipient, amount) => step(usd, encodeMint(requireHex(recipient), amount), gasBounds.mint),
  };
};

const step = (to: Hex, data: Hex, gasBound: bigint): PreparedStep => ({ call: { to, data }, gasBound });

/** The vault reads this amount as "everything that is owed". */
const everything = 2n ** 256n - 1n;

/** The order in the Launchpad's form. */
const encoded = ({ kind, token, amount, limit, recipient, builder, referral, deadline }: Order): Hex =>
  encodeOrder(kind, {
    token: requireHex(token),
    amount,
    limit,
    recipient: requireHex(recipient),
    builder: hexOrZero(builder === null ? null : builder.code),
    builderBps: builder === null ? 0n : BigInt(builder.feeBps),
    referral: hexOrZero(referral),
    deadline: BigInt(deadline),
  });

const hexOrZero = (address: Address | null): Hex => (address === null ? zeroAddress : requireHex(address));

const tradeBounds: Record<Order['venue'], bigint> = {
  curve: gasBounds.curveTrade,
  lastOfCurve: gasBounds.graduatingBuy,
  openingPool: gasBounds.openingBuy,
  pool: gasBounds.poolTrade,
};

const createBound = ({ name, symbol, uri }: Creation): bigint =>
  gasBounds.create + gasBounds.createByte * BigInt(Buffer.byteLength(name + symbol + uri));
