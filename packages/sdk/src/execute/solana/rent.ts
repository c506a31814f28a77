import type { Base58 } from '@mintage/protocol';
import { accountBytes, type ReadPrepared } from '@mintage/protocol/solana';
import { differs } from '../differs.ts';

/** What the bytes of a transaction say, and what tells its accounts of dollars from those of other tokens. */
interface Opening {
  read: ReadPrepared;
  dollarMint: Base58;
}

/** Lamports that an account has to hold for each of its bytes, and for those that every account pays for besides: the clusters' own rate. */
const [lamportsPerByte, bytesBesides] = [6_960n, 128n];

/**
 * Holds what is said of opened accounts against those that the bytes can open, and what is said to be paid for them against what such
 * accounts cost. Which of them are open already only the chain knows.
 */
export const requireRent = (opening: Opening, value: bigint, said: readonly string[]): void => {
  const openings = openingsIn(opening);
  const strange = said.find((account) => !openings.has(account as Base58));
  if (strange !== undefined) throw differs('accountsOpened', strange, 'only accounts that the transaction opens');
  const bytes = [...new Set(said)].map((account) => openings.get(account as Base58) as number);
  const most = bytes.reduce((sum, one) => sum + (bytesBesides + BigInt(one)) * lamportsPerByte, 0n);
  if (value > most) throw differs('value', value, `at most ${most}, for ${bytes.length} accounts that are opened`);
};

/** Every account that the bytes may open, with its bytes. */
const openingsIn = ({ read, dollarMint }: Opening): Map<Base58, number> => {
  const openings = new Map<Base58, number>();
  const opens = (account: Base58 | null | undefined, bytes: number): void => {
    if (account) openings.set(account, bytes);
  };
  for (const { account, mint } of read.opens)
    opens(account, mint === dollarMint ? accountBytes.token : accountBytes.token2022);
  for (const { name, accounts, args } of read.calls) {
    if (name === 'openUser') opens(accounts.user, accountBytes.user);
    if (name === 'openFeeVault') opens(accounts.feeVault, accountBytes.token);
    if (name !== 'create') continue;
    const texts = new TextEncoder().encode(`${args.name}${args.symbol}${args.uri}`);
    opens(accounts.mint, accountBytes.mint + texts.length);
    opens(accounts.launch, accountBytes.launch);
    opens(accounts.tokenVault, accountBytes.token);
    opens(accounts.usdVault, accountBytes.token);
    opens(accounts.creatorUser, accountBytes.user);
  }
  return openings;
};
