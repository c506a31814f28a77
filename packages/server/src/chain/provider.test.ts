import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Provider } from './provider.ts';
import { RpcError, ThrottledError } from './wire.ts';

const identity = 8453;

/** A provider whose chain and answers the test sets, and what was said of its health. */
const providerOf = (answer: () => Promise<unknown> = async () => 'it') => {
  const said: string[] = [];
  const note = (_: object, message: string) => void said.push(message);
  const line = { identity: vi.fn(async () => identity), answer: vi.fn(answer) };
  const provider = new Provider({ name: 'one', line, identity, log: { info: note, warn: note, error: note } });
  return { provider, line, said, ask: () => provider.ask((to) => to.answer()) };
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const down = async () => {
  throw new Error('connection refused');
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

describe('Provider', () => {
  test('W7 behavior: names its chain once a minute, once for questions that come together', async () => {
    const { line, ask } = providerOf();
    await Promise.all([ask(), ask(), ask()]);
    await pass(59_999);
    await ask();
    expect(line.identity).toHaveBeenCalledTimes(1);
    await pass(1);
    await ask();
    expect(line.identity).toHaveBeenCalledTimes(2);
  });

  test.each<[string, () => Promise<number>]>([
    ['names another chain', async () => 1],
    ['does not answer', down],
    ['refuses to name it', () => Promise.reject(new RpcError('chainId', -32601, 'no such method'))],
  ])('W7 error: one that %s is asked nothing else', async (_, named) => {
    const { provider, line, ask } = providerOf();
    line.identity.mockImplementation(named);
    await expect(ask()).rejects.toThrow();
    await expect(ask()).rejects.toThrow();
    expect([provider.isUsable, line.answer.mock.calls.length]).toEqual([false, 0]);
  });

  test('behavior: rests 30 s after a failure, and not after a refusal', async () => {
    const { provider, line, said, ask } = providerOf(() => Promise.reject(new RpcError('call', 3, 'reverted')));
    await expect(ask()).rejects.toThrow('reverted');
    expect(provider.isUsable).toBe(true);
    line.answer.mockImplementation(down);
    await expect(ask()).rejects.toThrow('connection refused');
    await expect(ask()).rejects.toThrow('connection refused');
    await pass(29_999);
    expect(provider.isUsable).toBe(false);
    await pass(1);
    expect(provider.isUsable).toBe(true);
    line.answer.mockImplementation(async () => 'it');
    await ask();
    expect(said).toEqual(['a provider is left alone', 'a provider answers again']);
  });

  test('behavior: an answer of one that was outvoted does not bring it back', async () => {
    const { provider, ask } = providerOf();
    provider.outvoted('a block');
    provider.outvoted('another block, asked for at the same time');
    await ask();
    await pass(29_999);
    expect(provider.isUsable).toBe(false);
    await pass(1);
    expect(provider.isUsable).toBe(true);
  });

  test('behavior: many questions that are throttled together make it wait as long as one', async () => {
    const { provider, ask } = providerOf(() => Promise.reject(new ThrottledError()));
    await Promise.allSettled(Array.from({ length: 50 }, ask));
    expect(provider.waitMs).toBeGreaterThan(0);
    expect(provider.waitMs).toBeLessThanOrEqual(375);
    expect(provider.isUsable).toBe(true);
  });

  test('behavior: however long a provider wants to be left alone, it is tried again within a minute', async () => {
    const { provider, ask } = providerOf(() => Promise.reject(new ThrottledError(86_400_000)));
    await expect(ask()).rejects.toThrow(ThrottledError);
    expect(provider.waitMs).toBeLessThanOrEqual(45_000);
  });

  test('behavior: a question waits for at most two seconds', async () => {
    const { line, ask } = providerOf(() => Promise.reject(new ThrottledError(10_000)));
    await expect(ask()).rejects.toThrow(ThrottledError);
    await expect(ask()).rejects.toThrow(ThrottledError);
    expect(line.answer).toHaveBeenCalledTimes(1);
  });

  test('behavior: one that stands still while another goes on is left alone', async () => {
    const { provider } = providerOf();
    provider.sawHead(7);
    await pass(29_999);
    provider.sawHead(7);
    provider.noticeStandstill(9);
    expect(provider.isUsable).toBe(true);
    await pass(1);
    provider.noticeStandstill(7);
    expect(provider.isUsable).toBe(true);
    provider.noticeStandstill(9);
    expect([provider.isUsable, provider.head]).toEqual([false, undefined]);
  });
});
