import { Agent, request } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** How long answers to `/health` take, asked by a thread of its own that nothing else keeps busy. */
export interface Probe {
  /** Milliseconds. */
  p50: number;
  p99: number;
  most: number;
  count: number;
  /** Answers other than 200, and none at all. */
  failed: number;
}

const everyMs = 10;

/** Asks until `stop` is called. */
export const startProbe = (url: string): { stop(): Promise<Probe> } => {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url } });
  return {
    async stop() {
      const told = new Promise<{ taken: number[]; failed: number }>((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
      });
      worker.postMessage('stop'); // oxlint-disable-line unicorn/require-post-message-target-origin
      const { taken, failed } = await told;
      await worker.terminate();
      const sorted = taken.toSorted((a, b) => a - b);
      const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
      return { p50: at(0.5), p99: at(0.99), most: sorted.at(-1) ?? 0, count: taken.length, failed };
    },
  };
};

/** As long as the work takes. */
export const probedWhile = async (url: string, work: () => Promise<unknown>): Promise<Probe> => {
  const probe = startProbe(url);
  await work();
  return probe.stop();
};

const ask = (url: string, agent: Agent): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = request(`${url}/health`, { agent, timeout: 60_000 }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode === 200));
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(false));
    asked.end();
  });

if (!isMainThread) {
  const { url } = workerData as { url: string };
  const agent = new Agent({ keepAlive: true });
  const taken: number[] = [];
  const running = new Set<Promise<void>>();
  let failed = 0;
  // At fixed times, whether the last one was answered or not: who waits only for answers does not see a standstill.
  const timer = setInterval(() => {
    const started = performance.now();
    const one = ask(url, agent).then((ok) => {
      taken.push(performance.now() - started);
      if (!ok) failed += 1;
      running.delete(one);
    });
    running.add(one);
  }, everyMs);
  parentPort?.once('message', async () => {
    clearInterval(timer);
    await Promise.all(running);
    parentPort?.postMessage({ taken, failed }); // oxlint-disable-line unicorn/require-post-message-target-origin
  });
}
