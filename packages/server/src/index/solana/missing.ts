import type { Address, Hash } from '@mintage/protocol';
import type { Position } from '../position.ts';
import type { Listed } from './calls.ts';
import { numbersOf, type Programs, type Signers, toldIn } from './decode.ts';
import { MissingEventError } from './numbers.ts';
import type { ClusterSource } from './source.ts';

/** What is needed to know whether a transaction is in the tables. */
export interface Known {
  source: ClusterSource;
  programs: Programs;
  signers: Signers;
  position: Position;
  /** Transactions that this run has read. */
  seen: ReadonlyMap<Hash, number>;
}

/** What transactions say that this run has not read, although their slots are in the tables. */
interface Strange {
  /** Those that are not in the tables: an event of theirs has a number that is open. */
  missing: Listed[];
  /** Who told something in one of them. */
  accounts: Address[];
}

export const strangeAmong = async (known: Known, listed: readonly Listed[]): Promise<Strange> => {
  const { source, programs, signers, position, seen } = known;
  const strange = listed.filter(
    ({ signature, slot, hasFailed }) => !hasFailed && slot <= position.number && seen.get(signature) !== slot,
  );
  if (strange.length === 0) return { missing: [], accounts: [] };
  const found = await source.transactions(strange.map(({ signature }) => signature));
  const numbers = found.map((one) => {
    const told = (one?.deeds?.steps ?? []).flatMap((step) => toldIn(step, programs.program, signers) ?? []);
    return told.flatMap((event) => numbersOf(event, programs.program));
  });
  const isOpen = ({ account, number }: { account: Address; number: number }): boolean =>
    number >= (position.numbers.get(account) ?? 0);
  return {
    missing: strange.filter((_, i) => numbers[i]?.some(isOpen)),
    accounts: [...new Set(numbers.flat().map(({ account }) => account))],
  };
};

/**
 * Compares the numbers of accounts on the chain with ours.
 *
 * @returns Whether that was possible: when the chain's are of a later slot, later events may be counted.
 * @throws MissingEventError when the chain has more.
 */
export const compareNumbers = async ({ source, position }: Known, accounts: readonly Address[]): Promise<boolean> => {
  if (accounts.length === 0) return true;
  const { slot, numbers } = await source.numbers(accounts);
  if (slot > position.number) return false;
  for (const [at, account] of accounts.entries()) {
    const ours = position.numbers.get(account) ?? 0;
    if ((numbers[at] ?? 0) > ours) throw new MissingEventError(account, ours);
  }
  return true;
};
