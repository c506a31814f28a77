import { inspect } from 'node:util';
import { type Random, randomFrom } from '@mintage/devnet/random';

/** One thing that TypeScript and Solidity both compute, with the cases to compare it on. */
export interface Differential<Case = never> {
  name: string;
  /** Cases per call to the chain. */
  batchSize: number;
  randomCase: (random: Random) => Case;
  /** Our answer, as comparable text. */
  typescript: (one: Case) => string;
  /** Compiles and deploys the Solidity side on a chain of its own. */
  start: () => Promise<Counterpart<Case>>;
}

/** The running Solidity side. */
export interface Counterpart<Case> {
  /** One answer per case, as the text that equals ours. */
  answers: (cases: Case[]) => Promise<string[]>;
  stop: () => Promise<void>;
}

/** The first case that both sides answer differently, printed whole. */
export class Difference extends Error {
  constructor(name: string, batch: number, one: unknown, typescript: string, solidity: string) {
    const text = inspect(one, { depth: null, breakLength: 120 });
    super(`${name}, batch ${batch}: ${text}\n  TypeScript: ${typescript}\n  Solidity:   ${solidity}`);
    this.name = 'Difference';
  }
}

export interface Comparison<Case> {
  seed: number;
  cases: number;
  /** Cases to leave out because an earlier run compared them: whole batches. */
  done?: number;
  /** After each batch, in order. */
  onBatch?: (batch: Case[], answers: string[], done: number) => void;
}

/**
 * Compares case by case. Each batch has a seed of its own, from the run's seed and its place, so that a run can go on
 * where it stopped; the chain computes one batch while ours is compared.
 *
 * @throws Difference at the first case that differs.
 */
export const compareAll = async <Case>(
  { name, batchSize, randomCase, typescript }: Differential<Case>,
  { answers }: Counterpart<Case>,
  { seed, cases, done = 0, onBatch }: Comparison<Case>,
): Promise<void> => {
  const ask = async (start: number): Promise<{ batch: Case[]; solidity: string[] } | null> => {
    if (start >= cases) return null;
    const random = randomFrom(batchSeed(seed, start / batchSize));
    const batch = Array.from({ length: Math.min(batchSize, cases - start) }, () => randomCase(random));
    return { batch, solidity: await answers(batch) };
  };
  let start = Math.floor(done / batchSize) * batchSize;
  let asked = ask(start);
  for (;;) {
    const answered = await asked;
    if (answered === null) return;
    const { batch, solidity } = answered;
    asked = ask(start + batchSize);
    try {
      for (const [index, one] of batch.entries()) {
        const [ours, theirs] = [typescript(one), solidity[index] as string];
        if (ours !== theirs) throw new Difference(name, start / batchSize, one, ours, theirs);
      }
    } catch (error) {
      // The next batch is on its way: its own failure says nothing more.
      await asked.catch(() => undefined);
      throw error;
    }
    start += batchSize;
    onBatch?.(batch, solidity, Math.min(start, cases));
  }
};

/** An odd factor: no two batches of a run share a seed. */
const batchSeed = (seed: number, batch: number): number => (seed + Math.imul(batch, 0x9e3779b1)) >>> 0;
