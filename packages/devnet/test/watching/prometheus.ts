import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/freePort.ts';
import { spawnGuarded } from '../scaleOut/spawnGuarded.ts';

/** What operators get. */
export const opsFile = (name: string): string => fileURLToPath(new URL(`../../../../ops/${name}`, import.meta.url));

export interface Rule {
  name: string;
  query: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

export interface Prometheus {
  rules(): Promise<Rule[]>;
  /** Which alerts fire now, each with its chain where it has one: `MintageChainDown base`. */
  firing(): Promise<string[]>;
  stop(): Promise<void>;
}

/**
 * Prometheus with the configuration and the rules that operators get, watching one API. Only their durations are shorter, so that an alert that
 * waits five minutes does not here.
 *
 * @param times - How much shorter they are.
 */
export const startPrometheus = async (api: number, times: number): Promise<Prometheus> => {
  const folder = mkdtempSync(join(tmpdir(), 'mintage-prometheus-'));
  const config = readFileSync(opsFile('prometheus/prometheus.yaml'), 'utf8');
  const rules = readFileSync(opsFile('prometheus/alerts.yaml'), 'utf8');
  writeFileSync(
    join(folder, 'prometheus.yaml'),
    config.replaceAll('15s', '250ms').replace('127.0.0.1:8080', `127.0.0.1:${api}`),
  );
  writeFileSync(
    join(folder, 'alerts.yaml'),
    rules.replaceAll(/(for: |\[|offset )(\d+)([smh])/g, (_all, before, count, unit) => {
      const seconds = Number(count) * { s: 1, m: 60, h: 3600 }[unit as 's' | 'm' | 'h'];
      return `${before}${Math.round((1000 * seconds) / times)}ms`;
    }),
  );
  const port = await freePort();
  const words = [
    `--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ];
  const server = spawnGuarded('prometheus', words);
  server.stdout.resume();
  server.stderr.pipe(process.stderr);
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`);
    if (!answer.ok) throw new Error(`Prometheus answers ${answer.status}.`);
    return answer;
  };
  while (!(await ask('-/ready').catch(() => null))) {
    if (server.exitCode !== null) throw new Error(`Prometheus ended with ${server.exitCode}.`);
    await sleep(50);
  }
  return {
    async rules() {
      const { data } = (await (await ask('api/v1/rules')).json()) as { data: { groups: { rules: Rule[] }[] } };
      return data.groups.flatMap((group) => group.rules);
    },
    async firing() {
      const { data } = (await (await ask('api/v1/alerts')).json()) as {
        data: { alerts: { state: string; labels: { alertname: string; chain?: string } }[] };
      };
      const firing = data.alerts.filter(({ state }) => state === 'firing');
      return firing.map(({ labels }) => [labels.alertname, labels.chain].filter(Boolean).join(' ')).toSorted();
    },
    async stop() {
      server.kill('SIGKILL');
      await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
