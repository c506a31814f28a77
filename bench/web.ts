import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DevChain, type System, startSystem } from '@mintage/devnet';
import { encodeOrder } from '@mintage/protocol';
import { createReader } from '@mintage/sdk';
import { type Hex, maxUint256, zeroAddress } from 'viem';
import { keptBuild } from '../packages/web/build/kept.ts';
import { heldSizes, sizesOf } from '../packages/web/build/sizes.ts';
import { launch, type PhoneLoad, type PhoneVisit, untilResolved, visitByPhone } from './phone.ts';
import { median } from './rounds.ts';

/** Visits of each page, by a browser that was never there before. */
const rounds = 5;
/** Trades of which the value is awaited on a page. */
const trades = 5;
const token = 'paper-boat';

const pages: readonly { path: string; fingers: PhoneVisit['fingers'] }[] = [
  { path: '/', fingers: null },
  {
    path: `/token/${token}`,
    fingers: { open: '.mine .btn[data-kind="up"]', input: '.pay .amount input', output: '.least .v' },
  },
  { path: `/embed/trade/${token}`, fingers: { input: '[name=amount]', output: '[data-about]' } },
  { path: `/embed/price/${token}`, fingers: null },
];

const limits: Readonly<Record<keyof PhoneLoad, { what: string; limit: number; places: number; unit: string }>> = {
  interactive: { what: 'interactive', limit: 1_500, places: 0, unit: ' ms' },
  largestPaint: { what: 'largest paint', limit: 1_200, places: 0, unit: ' ms' },
  layoutShift: { what: 'layout shift', limit: 0.02, places: 3, unit: '' },
  slowestInteraction: { what: 'slowest interaction', limit: 200, places: 0, unit: ' ms' },
  numberAfterKey: { what: 'number after a key', limit: 150, places: 0, unit: ' ms' },
};
const onScreenLimitMs = 1_000;

/**
 * The budgets of the web app: sizes, which decide how it ends, and times on a slow phone beside an empty page in the same run, which
 * do not, because they are those of this machine.
 */
export const benchWeb = async (): Promise<void> => {
  console.log('Sizes, gzip, kB of 1,000 bytes');
  const held = heldSizes(sizesOf(await keptBuild('plain')));
  for (const { what, size, limit } of held) {
    console.log(`  ${what}: ${size.toFixed(1)} of ${limit}${size > limit ? ' TOO MUCH' : ''}`);
    if (size > limit) process.exitCode = 1;
  }
  const empty = await serveEmpty();
  const system = await startSystem({
    env: { CHAINS: 'base-sepolia', LOG_LEVEL: 'error', RATE_LIMITS: '{"anonymous": 1000000}' },
  });
  try {
    const { appUrl } = system.config;
    const bare = await visits({ url: empty.url, fingers: null });
    console.log(`Times by a phone: CPU 4 times slower, 150 ms, 204,800 B/s; median of ${rounds} new browsers`);
    for (const { path, fingers } of pages) {
      const found = await visits({ url: appUrl + path, fingers });
      console.log(`  ${path}`);
      for (const [key, { what, limit, places, unit }] of Object.entries(limits)) {
        const [value, beside] = [found[key as keyof PhoneLoad], bare[key as keyof PhoneLoad]];
        if (value === null) continue;
        const empties = beside === null ? '' : `; an empty page ${beside.toFixed(places)}${unit}`;
        console.log(
          `    ${what}: ${value.toFixed(places)}${unit} of ${limit}${value > limit ? ' TOO MUCH' : ''}${empties}`,
        );
      }
    }
    console.log('From sending a trade, whose block comes at once, to its value on the screen');
    for (const [path, scope] of [
      ['/', `li:has(a[href$="/token/${token}"])`],
      [`/token/${token}`, 'main'],
    ] as const) {
      const times = await onScreen(system, path, scope);
      const told =
        times.length === 0
          ? 'it does not follow'
          : `${Math.round(median(times))} ms, at most ${Math.round(Math.max(...times))} ms of ${trades} trades, of ${onScreenLimitMs}`;
      console.log(`  ${path}: ${told}`);
    }
  } finally {
    await system.stop();
    empty.close();
  }
};

const visits = async (visit: PhoneVisit): Promise<PhoneLoad> => {
  const loads: PhoneLoad[] = [];
  for (let round = 0; round < rounds; round++) loads.push(await visitByPhone(visit));
  const middle = (key: keyof PhoneLoad): number | null => {
    const values = loads.flatMap((load) => load[key] ?? []);
    return values.length === 0 ? null : median(values);
  };
  return {
    interactive: middle('interactive') ?? Number.NaN,
    largestPaint: middle('largestPaint') ?? Number.NaN,
    layoutShift: middle('layoutShift') ?? Number.NaN,
    slowestInteraction: middle('slowestInteraction'),
    numberAfterKey: middle('numberAfterKey'),
  };
};

/** The yardstick: a page with a word in it, from a server that does nothing else. */
const serveEmpty = async (): Promise<{ url: string; close(): void }> => {
  const html = `<!doctype html><title>Empty</title><main><p>Empty</p></main><script>document.documentElement.dataset.ready = ''; performance.mark('interactive')</script>`;
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(html),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
};

/** In the page: the moment at which a value in dollars changes within the scope, by the clock of this machine. */
const watchValues = (scope: string): string => `{
  const values = () => [...document.querySelectorAll(${JSON.stringify(`${scope} [title$=" USD"]`)})].map(({ title }) => title).join();
  window.changedAt = new Promise((resolve) => {
    const before = values();
    const watch = new MutationObserver(() => {
      if (values() === before) return;
      watch.disconnect();
      resolve(performance.timeOrigin + performance.now());
    });
    watch.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  void 0; // else the promise itself would be the answer
}`;

const longestWaitMs = 5_000;

/** Milliseconds of each trade; none: a value did not come by itself. */
const onScreen = async (system: System, path: string, scope: string): Promise<number[]> => {
  const [chain] = system.chains;
  if (chain === undefined) throw new Error('The system has no chain.');
  const { appUrl } = system.config;
  const { token: about } = await createReader({ baseUrl: appUrl }).getTokenAbout({ token_id: token });
  const browser = await launch();
  try {
    const page = await browser.newPage({ locale: 'en-US' });
    await page.goto(appUrl + path);
    await page.locator('html[data-ready]').waitFor();
    // The stream begins after the page does.
    await page.waitForTimeout(1_500);
    const times: number[] = [];
    for (let trade = 0; trade < trades; trade++) {
      await page.evaluate(watchValues(scope));
      const sentAt = performance.timeOrigin + performance.now();
      await buy(chain, about.primary_evm_address as Hex);
      const changedAt = await untilResolved(page, 'changedAt', longestWaitMs);
      if (changedAt === null) return [];
      times.push(changedAt - sentAt);
      await page.waitForTimeout(500);
    }
    return times;
  } finally {
    await browser.close();
  }
};

const buy = async ({ wallet, accounts, deployment }: DevChain, address: Hex): Promise<void> => {
  const terms = { token: address, amount: 50_000_000n, limit: 0n, recipient: accounts.alice.address };
  const nobody = { builder: zeroAddress, builderBps: 0n, referral: zeroAddress, deadline: maxUint256 };
  const data = encodeOrder('buyExactIn', { ...terms, ...nobody });
  await wallet.send(accounts.alice, { to: deployment.launchpad, data });
};
