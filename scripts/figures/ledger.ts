import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

const Settings = z.strictObject({ scale: z.number().positive(), seed: z.int().min(0), revision: z.string() });
const Slice = z.strictObject({
  part: z.string(),
  number: z.int(),
  size: z.int(),
  seed: z.int(),
  seconds: z.number(),
  figures: z.record(z.string(), z.number()),
});

/** A part of a long run that is done, whole. */
export type Slice = z.output<typeof Slice>;
export type Settings = z.output<typeof Settings>;

export interface Ledger extends Settings {
  add(slice: Slice): void;
  slicesOf(part: string): Slice[];
  /** What all slices of a part add up to. */
  totalOf(part: string): Pick<Slice, 'size' | 'seconds' | 'figures'>;
}

/**
 * What was done, a line each behind the run's settings. A line that was cut off when the process was killed does not count.
 *
 * @throws When the file is of a run with other settings.
 */
export const openLedger = (path: string, settings: Settings): Ledger => {
  if (!existsSync(path)) appendFileSync(path, `${JSON.stringify(settings)}\n`);
  const text = readFileSync(path, 'utf8');
  const [first = '', ...lines] = text.split('\n').slice(0, -1);
  const kept = Settings.parse(JSON.parse(first));
  if (kept.scale !== settings.scale || kept.seed !== settings.seed || kept.revision !== settings.revision)
    throw new Error(`${path} is of a run of ${kept.revision} with --scale ${kept.scale} --seed ${kept.seed}`);
  // Behind half a line everything would be unreadable.
  if (!text.endsWith('\n')) appendFileSync(path, '\n');
  const slices = lines.flatMap((line) => sliceIn(line) ?? []);
  const slicesOf = (part: string): Slice[] => slices.filter((slice) => slice.part === part);
  return {
    ...settings,
    slicesOf,
    add(slice) {
      appendFileSync(path, `${JSON.stringify(slice)}\n`);
      slices.push(slice);
    },
    totalOf: (part) => {
      const total: Pick<Slice, 'size' | 'seconds' | 'figures'> = { size: 0, seconds: 0, figures: {} };
      for (const { size, seconds, figures } of slicesOf(part)) {
        total.size += size;
        total.seconds += seconds;
        for (const [name, value] of Object.entries(figures)) total.figures[name] = (total.figures[name] ?? 0) + value;
      }
      return total;
    },
  };
};

const sliceIn = (line: string): Slice | null => {
  try {
    return Slice.parse(JSON.parse(line));
  } catch {
    return null; // half a line
  }
};
