import type { Address } from '@mintage/protocol';
import { type Ancestor, ancestorUpTo, isStill } from './ancestor.ts';
import type { Listed } from './calls.ts';
import { compareNumbers, type Known, strangeAmong } from './missing.ts';
import type { Head } from './source.ts';

/** What became of blocks that are final now. */
export type Settled =
  /** They are as we have them, up to here. */
  | { to: number }
  /** They are not, so the tables go back. `missing`: what nobody had named before. */
  | { ancestor: Ancestor; missing: readonly Listed[] };

/**
 * Looks once more at blocks that came while they could still vanish, before they count as final: whether all of them are there,
 * whether anybody names a transaction now that was not named then, and whether the accounts that told something have told no more.
 *
 * @param from - Up to here it was looked at before.
 * @param head - What is final has to be in the tables.
 * @param accounts - Who told something in these blocks, as far as this run has read them.
 * @throws MissingEventError.
 */
export const settle = async (
  known: Known,
  from: number,
  head: Head,
  accounts: readonly Address[],
): Promise<Settled> => {
  const { source, programs, position } = known;
  const to = head.finalized;
  const ours = [...position.hashes].filter(([number]) => number > from && number <= to);
  for (const [number, hash] of ours) {
    if (await isStill(source, { number, hash }, head.number)) continue;
    return { ancestor: await ancestorUpTo(source, position, number - 1), missing: [] };
  }
  const listed = await source.list(programs.program, { from: from + 1, level: 'finalized' });
  const { missing, accounts: others } = await strangeAmong(
    known,
    listed.filter(({ slot }) => slot <= to),
  );
  if (missing.length > 0) {
    const lowest = Math.min(...missing.map(({ slot }) => slot));
    return { ancestor: await ancestorUpTo(source, position, lowest - 1), missing };
  }
  const isCompared = await compareNumbers(known, [...new Set([...accounts, ...others])]);
  return { to: isCompared ? to : from };
};
