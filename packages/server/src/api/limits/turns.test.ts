import { describe, expect, it } from 'vitest';
import { createTurns } from './turns.ts';

/** Tasks that end when the test says so, with the order in which they started. */
const world = ({ places = 2, perAddress = 1 } = {}) => {
  let nowMs = 0;
  const turns = createTurns({
    what: 'files',
    places,
    perOwner: { running: 1, waiting: 3 },
    perAddress: { running: perAddress, waiting: 8 },
    now: () => nowMs,
  });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  /** By default every owner has an address. */
  const ask = (
    name: string,
    more: { address?: string; gone?: AbortSignal; isCostly?: boolean } = {},
  ): Promise<string> => {
    const { address = name.charAt(0), gone, isCostly = false } = more;
    return turns({ owner: name.charAt(0), address, ...(gone && { gone }) }, async (putBehind) => {
      started.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      if (isCostly) putBehind();
      return name;
    });
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { ask, end, pass, started };
};

describe('createTurns', () => {
  it('H5 a flood of one owner never takes all places, and delays another owner by none of it', async () => {
    const { ask, end, started } = world();
    const flood = ['a1', 'a2', 'a3', 'a4'].map((name) => ask(name));
    expect(started).toEqual(['a1']);
    const other = ask('b1');
    expect(started).toEqual(['a1', 'b1']);
    await end('b1');
    expect(await other).toBe('b1');
    for (const name of ['a1', 'a2', 'a3', 'a4']) await end(name);
    expect(await Promise.all(flood)).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect(started).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
  });

  it('H5 owners who wait take turns', async () => {
    const { ask, end, started } = world({ places: 1 });
    const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'];
    const all = names.map((name) => ask(name));
    for (let done = 0; done < names.length; done += 1) await end(started[done] as string);
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(await Promise.all(all)).toEqual(names);
  });

  it('H5 many accounts of one address never take all places, and delay another address by none of their tasks', async () => {
    const { ask, started } = world();
    for (const name of ['a1', 'b1', 'c1', 'd1']) void ask(name, { address: 'one' });
    expect(started).toEqual(['a1']);
    void ask('o1', { address: 'other' });
    expect(started).toEqual(['a1', 'o1']);
  });

  it('H5 addresses take turns, and within an address its owners', async () => {
    const { ask, end, started } = world({ places: 1 });
    const names = ['a1', 'a2', 'b1', 'b2', 'c1', 'o1', 'o2'];
    for (const name of names) void ask(name, { address: name.startsWith('o') ? 'other' : 'one' });
    for (let done = 0; done < names.length; done += 1) await end(started[done] as string);
    expect(started).toEqual(['a1', 'o1', 'b1', 'o2', 'c1', 'a2', 'b2']);
  });

  it('H5 whose task cost too much waits behind everybody else for a minute, and never holds the last place', async () => {
    const { ask, end, pass, started } = world({ perAddress: 2 });
    for (const name of ['a1', 'b1']) void ask(name, { isCostly: true });
    for (const name of ['a1', 'b1']) await end(name);
    // By the same owner from another address, and by another account of the same address.
    void ask('a2', { address: 'elsewhere' });
    void ask('c1', { address: 'b' });
    void ask('o1');
    void ask('p1');
    void ask('q1');
    expect(started.slice(2)).toEqual(['a2', 'o1']);
    for (const name of ['o1', 'p1', 'q1']) await end(name);
    expect(started.slice(2)).toEqual(['a2', 'o1', 'p1', 'q1']);
    await end('a2');
    expect(started.at(-1)).toBe('c1');
    pass(60_000);
    void ask('a3');
    expect(started.at(-1)).toBe('a3');
  });

  it('H5 a waiting task whose asker is gone is never started', async () => {
    const { ask, end, started } = world();
    const first = ask('a1');
    const gone = new AbortController();
    const dropped = ask('a2', { gone: gone.signal });
    const last = ask('a3');
    gone.abort();
    await expect(dropped).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(ask('b1', { gone: gone.signal })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await end('a1');
    await end('a3');
    expect(await Promise.all([first, last])).toEqual(['a1', 'a3']);
    expect(started).toEqual(['a1', 'a3']);
  });

  it('H5 error: no more than so many of one owner, or of one address, wait', async () => {
    const { ask, started } = world();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name);
    await expect(ask('a5')).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    for (const name of ['c1', 'd1', 'e1', 'c2', 'd2', 'e2', 'c3', 'd3']) void ask(name, { address: 'one' });
    for (const name of ['e3', 'f1']) void ask(name, { address: 'one' }).catch(() => undefined);
    await expect(ask('g1', { address: 'one' })).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    void ask('b1');
    expect(started).toEqual(['a1', 'c1']);
  });

  it('behavior: a task that fails gives its place back', async () => {
    const turns = createTurns({
      what: 'files',
      places: 1,
      perOwner: { running: 1, waiting: 1 },
      perAddress: { running: 1, waiting: 1 },
    });
    const failing = turns({ owner: 'a', address: 'a' }, () => Promise.reject(new Error('its own')));
    const next = turns({ owner: 'b', address: 'b' }, async () => 'served');
    await expect(failing).rejects.toThrow('its own');
    expect(await next).toBe('served');
  });
});
