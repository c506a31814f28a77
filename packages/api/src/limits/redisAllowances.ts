import { Redis } from 'ioredis';
import { type Allowances, type Taken, takenOf } from './allowance.ts';

/** As `MemoryAllowances.take`, atomic and on Redis' own clock, so that all processes share one allowance. */
const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local debt = math.max(0, tonumber(redis.call('GET', KEYS[1]) or now) - now)
local after = debt + 60000 / tonumber(ARGV[1])
if after > 60000.001 then return {0, string.format('%.3f', debt)} end
redis.call('SET', KEYS[1], string.format('%.3f', now + after), 'PX', math.ceil(after))
return {1, string.format('%.3f', after)}`;

type WithTake = Redis & { take(key: string, perMinute: number): Promise<[admitted: number, debtMs: string]> };

/** Allowances that all processes with this Redis share. `take` rejects while Redis is away. */
export class RedisAllowances implements Allowances {
  readonly #redis: WithTake;
  readonly #prefix: string;

  /**
   * @param prefix - Tells deployments on one Redis apart.
   * @param answersWithinMs - A Redis that takes longer counts as away.
   * @param onError - Hears of a lost connection; it is taken up again by itself.
   */
  constructor(url: string, prefix: string, answersWithinMs: number, onError: (error: Error) => void) {
    const redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: answersWithinMs,
      connectTimeout: 2_000,
      retryStrategy: (times) => Math.min(times * 100, 2_000),
    });
    redis.on('error', onError);
    redis.defineCommand('take', { numberOfKeys: 1, lua: takeScript });
    this.#redis = redis as WithTake;
    this.#prefix = prefix;
  }

  async take(key: string, perMinute: number): Promise<Taken> {
    const [admitted, debtMs] = await this.#redis.take(`${this.#prefix}:limit:${key}`, perMinute);
    return takenOf(Number(debtMs), perMinute, admitted === 1);
  }

  stop(): void {
    this.#redis.disconnect();
  }
}
