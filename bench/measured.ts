import type pg from 'pg';

/** Milliseconds. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

export interface Measured {
  /** What it costs when nothing else runs. */
  least: number;
  p50: number;
  p99: number;
}

/** One call before, so that what is read for the first time does not count. */
export const measure = async (
  { calls, ms }: { calls: number; ms: number },
  once: () => Promise<number>,
): Promise<Measured> => {
  await once();
  const taken: number[] = [];
  const until = performance.now() + ms;
  while (taken.length < calls && (taken.length < 3 || performance.now() < until)) taken.push(await once());
  taken.sort((a, b) => a - b);
  const at = (share: number) => taken[Math.min(taken.length - 1, Math.floor(share * taken.length))] as number;
  return { least: at(0), p50: at(0.5), p99: at(0.99) };
};

/** A transaction that writes one small row and waits for the disk: no call that writes can be faster. */
export const probeCommit = async (db: pg.Client): Promise<Measured> => {
  await db.query('create table if not exists probe_commit (n bigint)');
  try {
    return await measure({ calls: 400, ms: 4_000 }, () => timed(() => db.query('insert into probe_commit values (1)')));
  } finally {
    await db.query('drop table probe_commit');
  }
};

export const written = (one: Measured | undefined): string =>
  one ? `${one.least.toFixed(2)} / ${one.p50.toFixed(2)} / ${one.p99.toFixed(2)}` : '-';

/** The same query each time: how busy the machine is. */
export const probe = async (db: pg.Client): Promise<number> => {
  const { p50 } = await measure({ calls: 15, ms: 3_000 }, () =>
    timed(() => db.query('select sum(i * i) from generate_series(1, 20000) i')),
  );
  return p50;
};

/** Numbers from 0 to 1, the same in each run. */
export const seeded = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
};
