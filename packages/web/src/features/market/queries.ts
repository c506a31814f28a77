import type { Sparkline } from '@mintage/sdk';
import { read } from '../../lib/api.ts';

/** The last day of these tokens, by id; in any order of the ids the same question. */
export const sparklines = (ids: readonly string[]) => {
  const asked = ids.toSorted();
  return read(
    ['sparklines', asked],
    async (api, options): Promise<Readonly<Record<string, Sparkline>>> => {
      if (asked.length === 0) return {};
      const lists = await Promise.all(chunks(asked, 100).map((token_ids) => api.getSparklines({ token_ids }, options)));
      return Object.fromEntries(lists.flatMap((list) => list.sparklines).map((line) => [line.token_id, line]));
    },
    { staleTime: 60_000, refetchInterval: 120_000 },
  );
};

const chunks = <Value>(values: readonly Value[], size: number): Value[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, at) => values.slice(at * size, (at + 1) * size));

/** The three tokens that are nearest to their pool, and the three that came to theirs last. */
export const nearest = { stage: 'graduating', limit: 3 } as const;
export const newest = { stage: 'graduated', limit: 3 } as const;
