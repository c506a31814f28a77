import { Redis } from 'ioredis';
import { type Circuit, createCircuit } from '../wire/circuit.ts';
import { type Allowances, minuteMs, type Taken, takenOf } from './allowance.ts';

/**
 * As `MemoryAllowances.take`, atomic and on Redis' own clock, so that all processes share one allowance: a list of the
 * microseconds at which requests were admitted. Only a few expired entries are dropped per call, because Redis does
 * nothing else meanwhile; the rest count a little longer.
 */
const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
for _ = 1, 100 do
  local oldest = redis.call('LINDEX', KEYS[1], 0)
  if not oldest or now - oldest < ${minuteMs}000 then break end
  redis.call('LPOP', KEYS[1])
end
local admitted = 0
if redis.call('LLEN', KEYS[1]) < tonumber(ARGV[1]) then
  admitted = 1
  redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], ${minuteMs})
end
local oldest = redis.call('LINDEX', KEYS[1], 0) or now
local newest = redis.call('LINDEX', KEYS[1], -1) or now
return {admitted, redis.call('LLEN', KEYS[1]), math.floor((now - oldest) / 1000), math.floor((now - newest) / 1000)}`;

type Answer = [admitted: number, count: number, oldestMs: number, newestMs: number];
type WithTake = Redis & { take(key: string, perMinute: number): Promise<Answer> };

const probeEveryMs = 500;

/**
 * Allowances shared by all processes that use this Redis. While Redis is unavailable `take` rejects, at once after the
 * first failure.
 */
export class RedisAllowances implements Allowances {
  readonly #redis: WithTake;
  readonly #circuit: Circuit;
  readonly #prefix: string;

  /**
   * @param prefix - Separates deployments that share one Redis.
   * @param answersWithinMs - A Redis that takes longer counts as unavailable, milliseconds.
   * @param onChange - Called with the reason when Redis becomes unavailable, and with null when it answers again.
   */
  constructor(url: string, prefix: string, answersWithinMs: number, onChange: (reason: Error | null) => void) {
    const redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: answersWithinMs,
      connectTimeout: 2_000,
      retryStrategy: (times) => Math.min(times * 100, 2_000),
    });
    redis.defineCommand('take', { numberOfKeys: 1, lua: takeScript });
    const probe = async (): Promise<void> => {
      try {
        await redis.ping();
      } catch (error) {
        if (redis.status === 'ready') redis.disconnect(true); // the connection itself may be broken
        throw error;
      }
    };
    this.#circuit = createCircuit({ probe, everyMs: probeEveryMs, onChange });
    redis.on('error', (error) => this.#circuit.open(error));
    redis.on('ready', () => this.#circuit.probe());
    this.#redis = redis as WithTake;
    this.#prefix = prefix;
  }

  async take(key: string, perMinute: number): Promise<Taken> {
    const ask = () => this.#redis.take(`${this.#prefix}:minute:${key}`, perMinute);
    const [admitted, count, oldestMs, newestMs] = await this.#circuit.run(ask);
    return takenOf({ admitted: admitted === 1, count, oldestMs, newestMs }, perMinute);
  }

  stop(): void {
    this.#circuit.stop();
    this.#redis.disconnect();
  }
}
