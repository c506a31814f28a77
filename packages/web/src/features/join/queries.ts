import { creditedFees, normalBps } from '@mintage/protocol';
import type { GetReferralCodeAnswer, MintageError } from '@mintage/sdk';
import { read } from '../../lib/api.ts';

/** Whose code it is; null: there is no such code. */
export const invitation = (code: string) =>
  read(
    ['invitation', code.toLowerCase()],
    async (api, options): Promise<GetReferralCodeAnswer | null> => {
      if (!/^[a-z0-9]{4,20}$/i.test(code)) return null;
      try {
        return await api.getReferralCode({ code }, options);
      } catch (error) {
        // Where pages are rendered the error is of the server's own class.
        if ((error as Partial<MintageError>).code === 'REFERRAL_CODE_NOT_FOUND') return null;
        throw error;
      }
    },
    { staleTime: 30_000 },
  );

const named = { hasReferral: false, hasReferrer: true };
const bpsOf = (part: 'referrer' | 'cashback'): bigint =>
  creditedFees.find((row) => row.part === part)?.shareBps?.(named) ?? 0n;

/** 4 basis points are 0.04 %. */
const percentOfBps = (bps: bigint): string => `${Number(bps) / 100} %`;

/** What the contract pays of every trade, as people read it. */
export const shares = {
  cashback: percentOfBps(bpsOf('cashback')),
  /** Of the trading fee. */
  cashbackOfFee: `${(bpsOf('cashback') * 100n) / normalBps} %`,
  referrer: percentOfBps(bpsOf('referrer')),
  referrerOfFee: `${(bpsOf('referrer') * 100n) / normalBps} %`,
};
