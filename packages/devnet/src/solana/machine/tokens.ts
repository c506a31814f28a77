import { formatUnits } from '@mintage/protocol';
import { littleEndian, wellKnown } from '@mintage/protocol/solana';
import { type Address, getBase58Decoder } from '@solana/kit';
import type { MaybeAccount } from './account.ts';

/** Accounts of the two token programs, as far as their balances go. */

export interface TokenAccount {
  program: Address;
  mint: Address;
  owner: Address;
  amount: bigint;
}

/** As every answer about tokens writes an amount. */
export interface TokenAmount {
  amount: string;
  decimals: number;
  uiAmount: number | null;
  uiAmountString: string;
}

const tokenPrograms: readonly string[] = [wellKnown.token, wellKnown.token2022];
const tokenAccountBytes = 165;
const mintBytes = 82;
/** Token-2022 notes behind the plain account which of the two it is. */
const isMintTag = 1;
const isAccountTag = 2;

export const tokenAccountOf = (account: MaybeAccount): TokenAccount | null => {
  if (!isTokens(account, tokenAccountBytes, isAccountTag) || account.data[108] === 0) return null;
  const { data, programAddress: program } = account;
  const key = (at: number) => getBase58Decoder().decode(data.slice(at, at + 32)) as Address;
  return { program, mint: key(0), owner: key(32), amount: littleEndian(data.slice(64, 72)) };
};

export const mintOf = (account: MaybeAccount): { supply: bigint; decimals: number } | null =>
  isTokens(account, mintBytes, isMintTag) && account.data[45] === 1
    ? { supply: littleEndian(account.data.slice(36, 44)), decimals: account.data[44] as number }
    : null;

const isTokens = (
  account: MaybeAccount,
  bytes: number,
  tag: number,
): account is Extract<MaybeAccount, { exists: true }> =>
  account.exists &&
  tokenPrograms.includes(account.programAddress) &&
  (account.data.length === bytes || account.data[tokenAccountBytes] === tag);

export const tokenAmount = (amount: bigint, decimals: number): TokenAmount => {
  const uiAmountString = formatUnits(amount, decimals);
  return { amount: String(amount), decimals, uiAmount: Number(uiAmountString), uiAmountString };
};
