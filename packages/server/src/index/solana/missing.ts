import type { Address, Hash } from '@mintage/protocol';
import type { Position } from '../position.ts';
import { numbersOf, type Programs, type Signers, toldIn } from './decode.ts';
import { MissingEventError } from './numbers.ts';
import type { ClusterSource, Listed } from './source.ts';

/** What is needed to know whether a transaction is in the tables. */
export interface Known {
  source: ClusterSource;
  programs: Programs;
  signers: Signers;
  position: Position;
  /** Transactions that this run has read. */
  seen: ReadonlyMap<Hash, number>;
}

/** Those of these transactions that are not in the tables, although their slots are: an event of theirs has a number that is open. */
export const missingAmong = async (known: Known, listed: readonly Listed[]): Promise<Listed[]> => {
  const { source, programs, signers, position, seen } = known;
  const strange = listed.filter(({ signature, slot, hasFailed }) => {
    return !hasFailed && slot <= position.number && seen.get(signature) !== slot;
  });
  if (strange.length === 0) return [];
  const found = await source.transactions(strange.map(({ signature }) => signature));
  const isOpen = ({ account, number }: { account: Address; number: number }): boolean =>
    number >= (position.numbers.get(account) ?? 0);
  return strange.filter((_, i) => {
    const told = (found[i]?.deeds?.steps ?? []).flatMap((step) => toldIn(step, programs.program, signers) ?? []);
    return told.flatMap((one) => numbersOf(one, programs.program)).some(isOpen);
  });
};

/** Compares the numbers of accounts on the chain with ours. @throws MissingEventError when the chain has more. */
export const compareNumbers = async ({ source, position }: Known, accounts: readonly Address[]): Promise<void> => {
  if (accounts.length === 0) return;
  const { slot, numbers } = await source.numbers(accounts);
  // Later events may follow.
  if (slot > position.number) return;
  for (const [at, account] of accounts.entries()) {
    const ours = position.numbers.get(account) ?? 0;
    if ((numbers[at] ?? 0) > ours) throw new MissingEventError(account, ours);
  }
};
