import { type Base58, base58Addresses } from '@mintage/protocol';
import type { DecodedCall } from '@mintage/protocol/operations';
import {
  type LaunchpadCall,
  launchpadAddress,
  type ReadPrepared,
  readPrepared,
  readTransaction,
  tokenAccountOf,
  voucherIn,
} from '@mintage/protocol/solana';
import type { ChainClient } from '../chainClient.ts';
import { bytesOf, hexOf } from './bytes.ts';
import { type Launchpad, launchAddress, userAddress } from './launchpad.ts';

/**
 * `ChainClient.decode`: what a finished transaction calls, by its bytes alone and by the protocol's own reading (threat W8). Every account
 * has to be that of the sender or of the token, as far as its address follows from them; where a token's vaults are the program knows.
 */
export const decodeOn =
  (on: Launchpad): ChainClient['decode'] =>
  ({ to, data }) => {
    if (to !== on.program) throw new Error(`a prepared transaction is for ${to}`);
    const { message } = readTransaction(bytesOf(data));
    const read = readPrepared(message, on.program);
    if (read.transfers.length > 0) throw new Error('a prepared transaction sends tokens');
    return read.calls.map((call): DecodedCall => {
      const shown = shownCall(on, read, call);
      return { contract: 'launchpad', to: on.program, function: call.name, args: shown };
    });
  };

const shownCall = (on: Launchpad, { payer }: ReadPrepared, call: LaunchpadCall): DecodedCall['args'] => {
  const { name, accounts } = call;
  const args = call.args as Record<string, bigint | number | string>;
  const must = (place: string, address: Base58): Base58 => {
    if (accounts[place] !== address) throw new Error(`in a prepared ${name}, ${place} is not ${address}`);
    return address;
  };
  const at = (place: string): Base58 => accounts[place] ?? nobody;
  switch (name) {
    case 'buyExactIn':
    case 'buyExactOut':
    case 'sellExactIn':
    case 'sellExactOut': {
      const mint = at('mint');
      must('trader', payer);
      must('launch', launchAddress(on, mint));
      must('dollarMint', on.dollarMint);
      must('traderUser', userAddress(on, payer));
      must('traderTokens', tokenAccountOf(payer, mint, 'token2022'));
      must('traderUsd', tokenAccountOf(payer, on.dollarMint, 'token'));
      return {
        token: mint,
        amount: String(args.amount),
        limit: String(args.limit),
        recipient: payer,
        builderUser: at('builderUser'),
        builderBps: Number(args.builderBps),
        referralUser: at('referralUser'),
        referrerUser: at('referrerUser'),
        deadline: Number(args.deadline),
      };
    }
    case 'create': {
      const creator = must('creator', payer);
      const salt = args.salt as `0x${string}`;
      const mint = must('mint', launchpadAddress(on.program, 'mint', { creator, salt: bytesOf(salt) }).address);
      must('launch', launchAddress(on, mint));
      must('tokenVault', launchpadAddress(on.program, 'tokenVault', { mint }).address);
      must('usdVault', launchpadAddress(on.program, 'usdVault', { mint }).address);
      must('dollarMint', on.dollarMint);
      must('creatorUser', userAddress(on, creator));
      return {
        token: mint,
        name: String(args.name),
        symbol: String(args.symbol),
        uri: String(args.uri),
        salt,
        poolType: Number(args.poolType),
        deadline: Number(args.deadline),
      };
    }
    case 'openUser': {
      const wallet = at('wallet');
      must('payer', payer);
      must('user', userAddress(on, wallet));
      return { wallet };
    }
    case 'openFeeVault':
      must('payer', payer);
      must('dollarMint', on.dollarMint);
      return { index: Number(args.index) };
    case 'setReferrer': {
      if (call.signed === null) throw new Error('a prepared setReferrer has no voucher in front of it');
      const voucher = voucherIn(on, call.signed.message);
      if (voucher === null || voucher.user !== payer || voucher.deadline !== args.deadline)
        throw new Error('a prepared setReferrer has a voucher for something else');
      const { user, referrer, deadline } = voucher;
      must('user', userAddress(on, user));
      must('referrer', userAddress(on, referrer));
      return { user, referrer, deadline: Number(deadline), signature: hexOf(call.signed.signature) };
    }
    default:
      throw new Error(`a prepared transaction holds a call of ${name}`);
  }
};

/** Stands for nobody in an answer. */
const nobody = base58Addresses.nobody as Base58;
