import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTimeLimit } from './timeLimit.ts';

const never = <T>(): Promise<T> => new Promise(() => undefined);

describe('createTimeLimit', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('default: passes answers and errors on', async () => {
    const inTime = createTimeLimit(100);
    expect(await inTime(Promise.resolve('answer'))).toBe('answer');
    await expect(inTime(Promise.reject(new Error('its own')))).rejects.toThrow('its own');
  });

  it('error: each answer has its own whole limit, by one timer', async () => {
    const inTime = createTimeLimit(100);
    const late: string[] = [];
    const ask = (name: string, answer: Promise<unknown>) =>
      void inTime(answer).catch((error: { code: string }) => late.push(`${name} ${error.code}`));
    ask('first', never());
    ask('answered', Promise.resolve());
    await vi.advanceTimersByTimeAsync(60);
    ask('second', never());
    expect([late, vi.getTimerCount()]).toEqual([[], 1]);
    await vi.advanceTimersByTimeAsync(40);
    expect(late).toEqual(['first SERVICE_UNAVAILABLE']);
    await vi.advanceTimersByTimeAsync(59);
    expect(late).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect([late[1], vi.getTimerCount()]).toEqual(['second SERVICE_UNAVAILABLE', 0]);
    ask('third', never());
    await vi.advanceTimersByTimeAsync(100);
    expect(late[2]).toBe('third SERVICE_UNAVAILABLE');
  });
});
