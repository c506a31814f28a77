import { fuzz, toldOf } from '../../packages/server/test/api/fuzz/fuzz.ts';
import { targetOf } from '../../packages/server/test/api/fuzz/target.ts';
import { treeCpuMs } from '../testing/processTree.ts';
import { none, type Part } from './part.ts';
import { startService, unlimited } from './service.ts';

/** Requests made from the schemas and of hostile constants, over every way in. */
export const attackFuzz: Part = async ({ requests, from, seed, find, tell }) => {
  await using service = await startService({ RATE_LIMITS: unlimited });
  const target = await targetOf(service.url, [service.databaseUrl]);
  await service.fill(target.wallet);
  const pid = service.process.pid() as number;
  const cpuBefore = treeCpuMs(pid);
  tell(`seed ${seed}`);
  const outcome = await fuzz(target, { seed, requests, from, lanes: 32, tell });
  tell(toldOf(outcome));
  const cpuMs = (treeCpuMs(pid) - cpuBefore) / outcome.requests;
  tell(`${cpuMs.toFixed(2)} ms of the service’s processor time a request`);
  const errors = service.errors();
  for (const { err, msg } of errors.slice(0, 10)) tell(JSON.stringify({ msg, err }).slice(0, 2_000));
  const rate = `${outcome.requests} in ${outcome.seconds.toFixed(0)} s, ${outcome.ways} ways in`;
  find({ what: 'requests', figure: rate, bound: `${requests}`, pass: outcome.requests >= requests });
  find(none('faults: 500, unplanned 503, no answer, a secret or our insides', outcome.faults.length));
  // Also what no answer shows, because its caller was gone.
  find(none('errors of ours in the log', errors.length));
  find({ what: 'planned 503', figure: String(outcome.planned503), bound: '', pass: true });
  find(none('ends of the process', service.process.pid() === pid ? 0 : 1));
};
