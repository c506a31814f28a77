import { startRedis } from '../../packages/devnet/test/scaleOut/redis.ts';
import { median, post, Tally } from './client.ts';
import { atMost, none, type Part } from './part.ts';
import { startService } from './service.ts';

/** A Redis that takes connections and answers nothing. */
export const attackRedis: Part = async ({ seconds, find, tell }) => {
  await using started = new AsyncDisposableStack();
  const redis = started.adopt(await startRedis(), ({ stop }) => stop());
  const limits = JSON.stringify({ anonymous: 1e9 });
  const service = started.use(
    await startService({ REDIS_URL: redis.url, RATE_LIMITS: limits, NODE_ENV: 'production' }),
  );
  const pid = service.process.pid();
  const tally = new Tally();
  const ask = async (): Promise<number> => {
    const taken: number[] = [];
    const until = performance.now() + (seconds * 1000) / 3;
    while (performance.now() < until || taken.length < 10) {
      const answer = await post(service.url, '/search-token', { input: 'paper-boat' });
      tally.add(answer);
      taken.push(answer.ms);
    }
    return median(taken);
  };
  const before = await ask();
  process.kill(redis.pid, 'SIGSTOP');
  const during = await ask();
  process.kill(redis.pid, 'SIGCONT');
  const after = await ask();
  tell(
    `p50 ${before.toFixed(1)} ms, with Redis hung ${during.toFixed(1)} ms, afterwards ${after.toFixed(1)} ms; ${tally}`,
  );
  find(atMost(`p50 while Redis hangs (before ${before.toFixed(1)} ms)`, during, 100, ' ms'));
  find(
    none(
      'answers 5xx',
      [...tally.counts].reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0),
    ),
  );
  find(none('ends of the process', service.process.pid() === pid ? 0 : 1));
};
