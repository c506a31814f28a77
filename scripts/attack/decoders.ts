import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { create, newUser, smallPng, startLoad, Tally, untilSo } from './client.ts';
import { atMost, none, type Part } from './part.ts';
import { startService, unlimited } from './service.ts';

/** Image decoders killed at random, busy ones under load and idle ones after it. */
export const attackDecoders: Part = async ({ seconds, find, tell }) => {
  await using service = await startService({ RATE_LIMITS: unlimited });
  const { bearer } = await newUser(service);
  const { url, process: child } = service;
  const pid = child.pid() as number;
  const tally = new Tally();
  const upload = async (): Promise<void> => {
    if (child.pid() !== pid) return sleep(100);
    tally.add(await create(url, bearer, busyPicture()));
  };

  let busy = 0;
  const load = startLoad(4, upload);
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until && child.pid() === pid) {
    busy += killOne(pid);
    await sleep(200);
  }
  await load.stop();
  let idle = 0;
  for (let i = 0; i < 5 && child.pid() === pid; i += 1) {
    tally.add(await create(url, bearer, busyPicture())); // so that there is one
    await sleep(100);
    idle += killOne(pid);
    await sleep(500);
  }
  tell(`answers: ${tally}`);
  find({
    what: 'decoders killed',
    figure: `${busy} busy, ${idle} idle`,
    bound: '> 0 of each',
    pass: busy > 0 && idle > 0,
  });
  find(none('ends of the process', child.pid() === pid ? 0 : 1));
  find(none('answers 500', tally.of(500)));
  if (child.pid() !== pid) return;
  const back = await untilSo(async () => (await create(url, bearer, smallPng)).status === 200);
  find(atMost('pictures are decoded again after', back / 1000, 10, ' s'));
};

let pictures = 0;

/** Some tenths of a second of work, and no two are the same. */
const busyPicture = (): string => {
  pictures += 1;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="1500"><circle cx="${pictures}" cy="700" r="600" fill="red"/></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
};

/** A process below the service that decodes. @returns How many were killed. */
const killOne = (service: number): number => {
  const below = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((found) => found !== null)
    .map(([, pid, parent, args]) => ({ pid: Number(pid), parent: Number(parent), args: args as string }));
  const isBelow = (pid: number): boolean => {
    const one = below.find((each) => each.pid === pid);
    return one !== undefined && (one.parent === service || isBelow(one.parent));
  };
  const decoders = below.filter(({ pid, args }) => isBelow(pid) && /tinypool|imageWorker|decoder/.test(args));
  const victim = decoders[Math.floor(Math.random() * decoders.length)];
  if (victim === undefined) return 0;
  try {
    process.kill(victim.pid, 'SIGKILL');
    return 1;
  } catch {
    return 0; // it ended by itself
  }
};
