import {
  type Address,
  type EvmDeployment,
  encodeApprove,
  encodeCreate,
  encodeMint,
  encodeOrder,
  encodeTransfer,
  encodeWithdrawBatch,
  launchpadAbi,
  requireHex,
} from '@mintage/protocol';
import { encodeFunctionData, type Hex, zeroAddress } from 'viem';
import type { ChainClient, Creation, Order, PreparedStep } from '../chainClient.ts';
import { gasBounds, withVoucher } from './gas.ts';
import { inOneCall } from './inOneCall.ts';

type Steps = Pick<ChainClient, 'approve' | 'trade' | 'create' | 'transfer' | 'withdraw' | 'mintUsd'>;

/** Calls of the Launchpad, the vault and the tokens, each with the most gas that it takes. */
export const stepsOn = ({ launchpad, usd, exchange }: EvmDeployment): Steps => {
  const tradeBounds = exchange === null ? boundsV4 : boundsV3;
  return {
    approve: (amount) => step(usd, encodeApprove(launchpad, amount), gasBounds.approve),
    trade: async (order, voucher) =>
      step(launchpad, inOneCall(voucher, [encoded(order)]), withVoucher(voucher, tradeBounds[order.venue])),
    async create(creation, first, voucher) {
      const create = encodeCreate({ ...creation, deadline: BigInt(creation.deadline) });
      const bound = createBound(creation);
      if (first === null) return step(launchpad, inOneCall(voucher, [create]), withVoucher(voucher, bound));
      // No pool opens in a token's first second, whatever the buy leaves on the curve.
      const both = inOneCall(voucher, [create, encoded(first)]);
      return step(launchpad, both, withVoucher(voucher, bound + gasBounds.curveTrade));
    },
    transfer: async (_sender, token, recipient, amount) =>
      step(requireHex(token), encodeTransfer(requireHex(recipient), amount), gasBounds.transfer),
    async withdraw(wallet, currencies, collected = []) {
      const amounts = currencies.map(() => everything);
      const withdraw = encodeWithdrawBatch(currencies.map(requireHex), requireHex(wallet), amounts);
      const collects = collected.map((token) =>
        encodeFunctionData({ abi: launchpadAbi, functionName: 'collectPoolFees', args: [requireHex(token)] }),
      );
      const bound =
        gasBounds.withdrawBatch +
        gasBounds.withdrawBatchCurrency * BigInt(currencies.length) +
        gasBounds.collectPoolFees * BigInt(collected.length);
      const [first = withdraw, ...more] = collects;
      return step(launchpad, collects.length === 0 ? withdraw : inOneCall(null, [first, ...more, withdraw]), bound);
    },
    mintUsd: async (_sender, recipient, amount) => step(usd, encodeMint(requireHex(recipient), amount), gasBounds.mint),
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

const boundsV4: Record<Order['venue'], bigint> = {
  curve: gasBounds.curveTrade,
  lastOfCurve: gasBounds.graduatingBuy,
  openingPool: gasBounds.openingBuy,
  pool: gasBounds.poolTrade,
};

/** There the last buy leaves the graduation to whoever comes next. */
const boundsV3: Record<Order['venue'], bigint> = {
  curve: gasBounds.curveTrade,
  lastOfCurve: gasBounds.curveTrade,
  openingPool: gasBounds.openingBuyV3,
  pool: gasBounds.poolTradeV3,
};

const createBound = ({ name, symbol, uri }: Creation): bigint =>
  gasBounds.create + gasBounds.createByte * BigInt(Buffer.byteLength(name + symbol + uri));
