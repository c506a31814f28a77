import { create, median, newUser, post, smallPng, startLoad, Tally } from './client.ts';
import { atMost, none, type Part } from './part.ts';
import { startService } from './service.ts';

const share = 60;

/** One user's pictures beside another's, and more requests than an address may send. */
export const attackFloods: Part = async ({ seconds, find, tell }) => {
  const limits = { anonymous: share, authenticated: 1e6, signIn: 1e6, writeDivisor: 1 };
  await using service = await startService({ NODE_ENV: 'production', RATE_LIMITS: JSON.stringify(limits) });
  const { url, process: child } = service;
  const pid = child.pid();
  const [flooder, other] = [await newUser(service), await newUser(service)];

  const pictures = async (): Promise<number[]> => {
    const taken: number[] = [];
    const until = performance.now() + seconds * 1000;
    while (performance.now() < until || taken.length < 5) {
      const { status, ms } = await create(url, other.bearer, smallPng);
      taken.push(status === 200 ? ms : Number.POSITIVE_INFINITY);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return taken;
  };
  const alone = median(await pictures());
  const flooded = new Tally();
  const load = startLoad(24, async () => flooded.add(await create(url, flooder.bearer, costlyPicture())));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const beside = await pictures();
  await load.stop();
  const worst = Math.max(...beside);
  tell(
    `the flooder: ${flooded}; the other’s 1 × 1 PNG: alone ${alone.toFixed(0)} ms, beside ${median(beside).toFixed(0)} ms, most ${worst.toFixed(0)} ms`,
  );
  find(atMost(`another’s 1 × 1 PNG later by, at most (alone ${alone.toFixed(0)} ms)`, worst - alone, 1_000, ' ms'));
  find(none('answers 500 to the flooder', flooded.of(500)));

  const tally = new Tally();
  const asked = 10 * share;
  let left = asked;
  const lane = async (): Promise<void> => {
    for (; left > 0; left -= 1) tally.add(await post(url, '/search-token', { input: 'paper-boat' }));
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: 16 }, lane));
  const cameBack = Math.ceil(((performance.now() - started) / 60_000) * share);
  tell(`${asked} requests without a credential: ${tally}`);
  find(atMost('of an address without a credential admitted', tally.of(200), share + cameBack));
  find(none('answers other than 200 and 429', tally.all - tally.of(200, 429)));
  find(none('ends of the process', child.pid() === pid ? 0 : 1));
};

let pictures = 0;

/** Six kilobytes that ask for the work of minutes. */
const costlyPicture = (): string => {
  pictures += 1;
  const noise = `<feTurbulence baseFrequency="0.0${1 + (pictures % 9)}" numOctaves="10"/><feGaussianBlur stdDeviation="50"/>`;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="5000" height="5000"><filter id="f">${noise.repeat(50)}</filter>` +
    `<rect width="5000" height="5000" filter="url(#f)"/></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
};
