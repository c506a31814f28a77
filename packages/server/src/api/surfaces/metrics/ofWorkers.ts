import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';
import type { Line } from '../../../line.ts';

/** What one worker has counted, and the sum of all that every worker is asked for. */
const own = 'metrics of one';
const all = 'metrics of all';

type Figures = MetricObjectWithValues<MetricValue<string>>[];

/** The primary asks each of its workers, and adds up: counts are summed, gauges that all of them see alike are taken once. */
export const addUpForWorkers = (workers: ReadonlySet<Line>): ((worker: Line) => void) => {
  /** What each said last; of one that is late only its counts. */
  const said = new Map<Line, Figures>();
  /** What those had counted that have ended. A sum that goes down is taken for a restart, and all of it for new. */
  let ended: Figures = [];

  const askOne = async (worker: Line): Promise<void> => {
    // A worker that answers nothing does not keep the others' figures back.
    const late = sleep(2_000, undefined, { ref: false }).then(() => undefined);
    const figures = await Promise.race([worker.ask(own) as Promise<Figures>, late]).catch(() => undefined);
    said.set(worker, figures ?? (said.get(worker) ?? []).filter(grows));
  };
  const sum = async (): Promise<string> => {
    await Promise.all([...workers].map(askOne));
    for (const [worker, figures] of said) {
      if (workers.has(worker)) continue;
      said.delete(worker);
      const counted = AggregatorRegistry.aggregate([ended, figures.filter(grows)]);
      ended = counted.getMetricsAsArray() as unknown as Figures; // they have their values, which the types do not say
    }
    return AggregatorRegistry.aggregate([ended, ...said.values()]).metrics();
  };
  return (worker) => worker.answer(all, sum);
};

/** What `/metrics` of a worker shows: the figures of all workers. */
export const shownByWorker = (registry: Registry, primary: Line): Pick<Registry, 'metrics' | 'contentType'> => {
  primary.answer(own, () => registry.getMetricsAsJSON());
  return { contentType: registry.contentType, metrics: () => primary.ask(all) as Promise<string> };
};

/** The library's types say a number for what is a word. */
const grows = ({ type }: Figures[number]): boolean => /^(counter|histogram)$/.test(String(type));
