import { type LaunchpadCall, voucherIn } from '@mintage/protocol/solana';
import type { DecodedCall } from '../../generated/types.ts';
import { requireSame } from '../differs.ts';
import { nobody } from './accounts.ts';
import type { Whole } from './whole.ts';

/** Holds `decoded` of the answer against our own reading of the bytes. */
export const checkDecoded = (whole: Whole, decoded: readonly DecodedCall[]): void => {
  const { calls } = whole.read;
  requireSame('decoded.length', decoded.length, calls.length);
  calls.forEach((call, index) => {
    const said = decoded[index] as DecodedCall;
    requireSame(`decoded.${index}.contract`, said.contract, 'launchpad');
    requireSame(`decoded.${index}.function`, call.name, said.function);
    requireSame(`decoded.${index}.to`, whole.program, said.to);
    const found = shownOf(whole, call);
    for (const name of new Set([...Object.keys(found), ...Object.keys(said.args)]))
      requireSame(`decoded.${index}.args.${name}`, found[name], said.args[name]);
  });
};

/** A call as answers show it. */
const shownOf = (whole: Whole, { name, accounts, args, signed }: LaunchpadCall): Record<string, unknown> => {
  const at = (place: string) => accounts[place] ?? nobody;
  switch (name) {
    case 'create': {
      const { mintBump: _, launchBump: __, tokenVaultBump: ___, usdVaultBump: ____, ...shown } = args;
      return { token: at('mint'), ...shown };
    }
    case 'openUser':
      return { wallet: at('wallet') };
    case 'openFeeVault':
      return { index: args.index };
    case 'setReferrer': {
      const voucher = signed && voucherIn(whole, signed.message);
      const signature =
        signed && `0x${Array.from(signed.signature, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
      return { user: voucher?.user, referrer: voucher?.referrer, deadline: voucher?.deadline, signature };
    }
    default:
      return {
        token: at('mint'),
        recipient: at('trader'),
        builderUser: at('builderUser'),
        referralUser: at('referralUser'),
        referrerUser: at('referrerUser'),
        ...args,
      };
  }
};
