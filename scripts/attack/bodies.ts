import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostileBodies } from '../../packages/server/test/api/hostileBodies.ts';
import { post, Tally } from './client.ts';
import { atMost, none, type Part } from './part.ts';
import { probedWhile } from './probe.ts';
import { startService } from './service.ts';

const atOnce = 10;
const mebibyte = 1024 * 1024;
const paths = ['/platform-action', '/info', '/search-token', '/create-token-transaction', '/mcp'];
/** The bearer of somebody whose signature is in the body still. */
const bareWallet = `0x${'5a'.repeat(20)}`;

/** Ten bodies at once that cost a careless reader much, by nobody and by a wallet's bare address. */
export const attackBodies: Part = async ({ find, tell }) => {
  await using service = await startService({ NODE_ENV: 'production', TRUSTED_PROXIES: '127.0.0.1' });
  const pid = service.process.pid() as number;
  const bodies = Object.entries(hostileBodies(11.6 * mebibyte));
  const before = residentMiB(pid);
  const usual = await probedWhile(service.url, () => sleep(2_000));
  const tally = new Tally();
  const probe = await probedWhile(service.url, async () => {
    for (const [at, [name, body]] of bodies.entries()) {
      const started = performance.now();
      const asked = Array.from({ length: atOnce }, async (_, i) => {
        const path = paths[i % paths.length] as string;
        // Of each kind by another address, inside its allowance.
        const ask = { bearer: i < atOnce / 2 ? undefined : bareWallet, address: `198.51.100.${at + 1}` };
        tally.add(await post(service.url, path, body, ask));
      });
      await Promise.all(asked);
      tell(`${name}: ${(performance.now() - started).toFixed(0)} ms`);
    }
  });
  tell(
    `answers: ${tally}; /health p50 ${probe.p50.toFixed(0)} ms, p99 ${probe.p99.toFixed(0)} ms, most ${probe.most.toFixed(0)} ms`,
  );
  const alone = `alone ${usual.p99.toFixed(0)} ms`;
  find(atMost(`/health p99 beside ${bodies.length} × ${atOnce} bodies of 11.6 MiB (${alone})`, probe.p99, 100, ' ms'));
  find(none('answers of /health other than 200', probe.failed));
  find(none('answers 5xx', [...tally.counts.keys()].filter((status) => status >= 500).length));
  find(atMost('memory afterwards beside before', residentMiB(pid) - before, 400, ' MiB'));
  find(none('ends of the process', service.process.pid() === pid ? 0 : 1));
};

const residentMiB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
