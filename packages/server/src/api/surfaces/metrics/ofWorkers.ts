import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import type { Line } from '../../../line.ts';

/** What one worker has counted, and the sum of all that every worker is asked for. */
const own = 'metrics of one';
const all = 'metrics of all';

/** A worker that answers nothing does not keep the others' figures back. */
const tooLate = async (): Promise<never> => {
  await sleep(2_000, undefined, { ref: false });
  throw new Error('A worker did not say its figures in time.');
};

type Figures = MetricObjectWithValues<MetricValue<string>>[];

/** The primary asks each of its workers, and adds up: counts are summed, gauges that all of them see alike are taken once. */
export const addUpForWorkers = (workers: ReadonlySet<Line>): ((worker: Line) => void) => {
  const sum = async (): Promise<string> => {
    const asked = await Promise.allSettled(
      [...workers].map((worker) => Promise.race([worker.ask(own) as Promise<Figures>, tooLate()])),
    );
    const figures = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    return AggregatorRegistry.aggregate(figures).metrics();
  };
  return (worker) => worker.answer(all, sum);
};

/** What `/metrics` of a worker shows: the figures of all workers. */
export const shownByWorker = (registry: Registry, primary: Line): Pick<Registry, 'metrics' | 'contentType'> => {
  primary.answer(own, () => registry.getMetricsAsJSON());
  return { contentType: registry.contentType, metrics: () => primary.ask(all) as Promise<string> };
};
