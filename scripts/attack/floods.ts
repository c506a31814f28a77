import { create, median, newUser, post, smallPng, startLoad, Tally } from './client.ts';
import { atMost, none, type Part } from './part.ts';
import { startService } from './service.ts';

const share = 60;
const accounts = 24;

/** Pictures of an address with many accounts beside those of another address, and more requests than an address may send. */
export const attackFloods: Part = async ({ seconds, find, tell }) => {
  const limits = { anonymous: share, authenticated: 1e6, signIn: 1e6, writeDivisor: 1 };
  await using service = await startService({
    NODE_ENV: 'production',
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMITS: JSON.stringify(limits),
  });
  const { url, process: child } = service;
  const pid = child.pid();
  const other = await newUser(service);
  const flooders = await Promise.all(Array.from({ length: accounts }, () => newUser(service)));

  const pictures = async (): Promise<number[]> => {
    const taken: number[] = [];
    const until = performance.now() + seconds * 1000;
    while (performance.now() < until || taken.length < 5) {
      const { status, ms } = await create(url, other.bearer, smallPng, '198.51.100.2');
      taken.push(status === 200 ? ms : Number.POSITIVE_INFINITY);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return taken;
  };
  const alone = median(await pictures());
  const flooded = new Tally();
  const load = startLoad(accounts, async () => {
    const flooder = flooders[drawn % accounts] as (typeof flooders)[number];
    flooded.add(await create(url, flooder.bearer, costlyPicture(), '198.51.100.1'));
  });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const beside = await pictures();
  await load.stop();
  const worst = Math.max(...beside);
  tell(
    `the flooding address: ${flooded}; the other’s 1 × 1 PNG: alone ${alone.toFixed(0)} ms, beside ${median(beside).toFixed(0)} ms, most ${worst.toFixed(0)} ms`,
  );
  find(atMost(`another’s 1 × 1 PNG later by, at most (alone ${alone.toFixed(0)} ms)`, worst - alone, 1_000, ' ms'));
  find(none('answers 500 to the flooding address', flooded.of(500)));

  const tally = new Tally();
  const asked = 10 * share;
  let left = asked;
  const lane = async (): Promise<void> => {
    for (; left > 0; left -= 1)
      tally.add(await post(url, '/search-token', { input: 'paper-boat' }, { address: '198.51.100.3' }));
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: 16 }, lane));
  const cameBack = Math.ceil(((performance.now() - started) / 60_000) * share);
  tell(`${asked} requests without a credential: ${tally}`);
  find(atMost('of an address without a credential admitted', tally.of(200), share + cameBack));
  find(none('answers other than 200 and 429', tally.all - tally.of(200, 429)));
  find(none('ends of the process', child.pid() === pid ? 0 : 1));
};

let drawn = 0;

/** Six kilobytes that ask for the work of minutes: half of them by what is refused, the others by what is drawn until it is ended. */
const costlyPicture = (): string => {
  drawn += 1;
  const svg = drawn % 2 === 0 ? filters() : nested();
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
};

const filters = (): string => {
  const noise = `<feTurbulence baseFrequency="0.0${1 + (drawn % 9)}" numOctaves="10"/><feGaussianBlur stdDeviation="50"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="5000" height="5000"><filter id="f">${noise.repeat(50)}</filter>` +
    `<rect width="5000" height="5000" filter="url(#f)"/></svg>`
  );
};

const nested = (): string => {
  const levels = Array.from({ length: 8 }, (_, at) => `<g id="g${at + 1}">${`<use href="#g${at}"/>`.repeat(10)}</g>`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="2000"><defs>` +
    `<circle id="g0" cx="900" cy="${drawn}" r="800" fill="red" opacity="0.01"/>${levels.join('')}</defs>` +
    `<use href="#g8"/></svg>`
  );
};
