import { describe, expect, it } from 'vitest';
import { createTurns } from './turns.ts';

/** Tasks that end when the test says so, with the order in which they started. */
const world = (options = { places: 2, perOwner: 1, waitingPerOwner: 3 }) => {
  const turns = createTurns(options);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (name: string, gone?: AbortSignal): Promise<string> =>
    turns({ owner: name.charAt(0), ...(gone && { gone }) }, async () => {
      started.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, end, started };
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
    const { ask, end, started } = world({ places: 1, perOwner: 1, waitingPerOwner: 3 });
    const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'];
    const all = names.map((name) => ask(name));
    for (let done = 0; done < names.length; done += 1) await end(started[done] as string);
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(await Promise.all(all)).toEqual(names);
  });

  it('H5 a waiting task whose asker is gone is never started', async () => {
    const { ask, end, started } = world();
    const first = ask('a1');
    const gone = new AbortController();
    const dropped = ask('a2', gone.signal);
    const last = ask('a3');
    gone.abort();
    await expect(dropped).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(ask('b1', gone.signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await end('a1');
    await end('a3');
    expect(await Promise.all([first, last])).toEqual(['a1', 'a3']);
    expect(started).toEqual(['a1', 'a3']);
  });

  it('H5 error: no more than so many of one owner wait', async () => {
    const { ask, started } = world();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name);
    await expect(ask('a5')).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    void ask('b1');
    expect(started).toEqual(['a1', 'b1']);
  });

  it('behavior: a task that fails gives its place back', async () => {
    const turns = createTurns({ places: 1, perOwner: 1, waitingPerOwner: 1 });
    const failing = turns({ owner: 'a' }, () => Promise.reject(new Error('its own')));
    const next = turns({ owner: 'b' }, async () => 'served');
    await expect(failing).rejects.toThrow('its own');
    expect(await next).toBe('served');
  });
});
