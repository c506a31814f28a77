import type { Line } from '../../line.ts';
import { type Allowances, MemoryAllowances, type Taken } from './allowance.ts';

const question = 'take';

interface Asked {
  key: string;
  perMinute: number;
}

/** The primary counts for all of its workers, in its memory. */
export const countForWorkers = (): ((worker: Line) => void) => {
  const all = new MemoryAllowances();
  return (worker) =>
    worker.answer(question, (given) => {
      const { key, perMinute } = given as Asked;
      return all.take(key, perMinute);
    });
};

/** Allowances of a worker: those of its primary. */
export const allowancesOf = (primary: Line): Allowances => ({
  take: (key, perMinute) => primary.ask(question, { key, perMinute } satisfies Asked) as Promise<Taken>,
});
