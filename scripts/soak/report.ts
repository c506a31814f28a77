import type { Sample } from './sample.ts';

/** Memory counts from this minute on: before it caches and pools fill. */
export const flatFrom = 10;

/** Growth by least squares, for each hour. */
export const slopeOf = (points: readonly { second: number; value: number }[]): number => {
  const mean = (of: (point: { second: number; value: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [second, value] = [mean((point) => point.second), mean((point) => point.value)];
  const spread = mean((point) => (point.second - second) ** 2);
  const together = mean((point) => (point.second - second) * (point.value - value));
  return spread === 0 ? 0 : (together / spread) * 3_600;
};

const byProcess = (samples: readonly Sample[]): [string, Sample[]][] =>
  Object.entries(Object.groupBy(samples, (sample) => sample.process)).map(([name, own]) => [name, own ?? []]);

const mean = (values: readonly number[]): string =>
  Math.round(values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(0);

/** A line for each process and so many minutes. */
export const tableOf = (samples: readonly Sample[], minutes = 5): string[] => {
  const lines = [
    '| process | minutes | RSS MB | heap MB | committed MB | external MB | descriptors | sockets |',
    '|---|---|---|---|---|---|---|---|',
  ];
  for (const [name, own] of byProcess(samples)) {
    const spans = Object.groupBy(own, ({ second }) => Math.floor(second / 60 / minutes));
    for (const [span, within = []] of Object.entries(spans)) {
      const figures = (['rssMb', 'heapMb', 'committedMb', 'externalMb', 'descriptors', 'sockets'] as const).map((key) =>
        mean(within.map((sample) => sample[key])),
      );
      const from = Number(span) * minutes;
      lines.push(`| ${name} | ${from} to ${from + minutes} | ${figures.join(' | ')} |`);
    }
  }
  return lines;
};

/** How much each process grew in an hour once it was warm, MB and as a part of what it held. */
export const growthOf = (samples: readonly Sample[]): string[] =>
  byProcess(samples).map(([name, own]) => {
    const warm = own.filter(({ second }) => second >= flatFrom * 60);
    if (warm.length < 12) return `${name}: no ${flatFrom} minutes and two more yet`;
    const words = (['rssMb', 'heapMb', 'committedMb', 'externalMb'] as const).map((key) => {
      const slope = slopeOf(warm.map((sample) => ({ second: sample.second, value: sample[key] })));
      const average = Number(mean(warm.map((sample) => sample[key]))) || 1;
      return `${key.replace('Mb', '')} ${slope.toFixed(1)} MB/h (${((slope / average) * 100).toFixed(1)} %)`;
    });
    return `${name}: ${words.join(', ')}`;
  });

/** Heap that a full collection leaves may be so much more: code that was compiled meanwhile, and caches. */
const heapMayGrow = { byMb: 8, byPart: 0.1 };
/** A warm process grows by less of its memory in an hour than this. */
const flatPart = 0.05;

/** Whose memory goes on growing after ten minutes; none can be named before twelve. */
export const notFlat = (samples: readonly Sample[]): string[] =>
  byProcess(samples).flatMap(([name, own]) => {
    const warm = own.filter(({ second }) => second >= flatFrom * 60);
    if (warm.length < 12) return [];
    const slope = slopeOf(warm.map((sample) => ({ second: sample.second, value: sample.rssMb })));
    const held = warm.reduce((sum, sample) => sum + sample.rssMb, 0) / warm.length;
    return slope > held * flatPart ? [`${name}: memory grows by ${slope.toFixed(1)} MB an hour`] : [];
  });

/** So many connections and timers come and go with work that is done at rest. What a load leaves behind is more: one for each call. */
const comesAndGoes = 8;

/** What is held after the load that was not held before it, both times at rest and after a full collection. */
export const leftOver = (before: readonly Sample[], after: readonly Sample[]): string[] =>
  after.flatMap((now) => {
    const then = before.find(({ process }) => process === now.process);
    if (then === undefined) return [`${now.process} was not there before`];
    const more = (what: string, was: number, is: number, mayBeMore = comesAndGoes): string[] =>
      is > was + mayBeMore ? [`${now.process}: ${what} ${was} → ${is}`] : [];
    const heap = (was: number, is: number, what: string): string[] =>
      is > was + Math.max(heapMayGrow.byMb, was * heapMayGrow.byPart)
        ? [`${now.process}: ${what} ${was.toFixed(0)} → ${is.toFixed(0)} MB`]
        : [];
    if (now.pid !== then.pid) return [`${now.process} is another process than before`];
    return [
      ...heap(then.heapMb, now.heapMb, 'heap'),
      ...heap(then.externalMb, now.externalMb, 'external memory'),
      ...more('descriptors', then.descriptors, now.descriptors),
      ...more('sockets', then.sockets, now.sockets),
      ...more('listeners', then.listeners, now.listeners, 0),
      ...more('warnings', then.warnings, now.warnings, 0),
      ...Object.entries(now.resources).flatMap(([kind, count]) => more(kind, then.resources[kind] ?? 0, count)),
    ];
  });
