import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DevChain, type System, startSystem } from '@mintage/devnet';
import { encodeOrder } from '@mintage/protocol';
import { createReader, session as sessionAuth, signIn } from '@mintage/sdk';
import { type Hex, maxUint256, zeroAddress } from 'viem';
import { keptBuild } from '../packages/web/build/kept.ts';
import { heldSizes, sizesOf } from '../packages/web/build/sizes.ts';
import { launch, type PhoneLoad, type PhoneVisit, untilResolved, visitByPhone } from './phone.ts';
import { median } from './rounds.ts';

/** Visits of a page, by browsers that were never there before: of those most come to first, and of the others. */
const rounds = { first: 5, other: 3 };
/** Trades of which the value is awaited on a page. */
const trades = 5;
const token = 'paper-boat';
const code = 'Bench2030';

interface BenchPage {
  path: string;
  /** Its script, by the name in the sizes. */
  script: string;
  rounds: number;
  fingers?: PhoneVisit['fingers'];
  /** Whether somebody is signed in. */
  isOwn?: true;
}

/** What pages are examples of. */
interface Examples {
  /** Of a transaction. */
  hash: string;
  /** Ids of a post and of its author. */
  postId: string;
  userId: string;
}

const pagesWith = ({ hash, postId, userId }: Examples): readonly BenchPage[] => [
  { path: '/', script: 'home', rounds: rounds.first },
  {
    path: `/token/${token}`,
    script: 'token',
    rounds: rounds.first,
    fingers: { open: '.mine .btn[data-kind="up"]', input: '.pay .amount input', output: '.least .v' },
  },
  { path: `/token/${token}?view=posts`, script: 'token', rounds: rounds.other },
  { path: '/feed', script: 'feed', rounds: rounds.other },
  { path: `/post/${postId}`, script: 'post', rounds: rounds.other },
  { path: `/user/${userId}`, script: 'user', rounds: rounds.other },
  { path: `/tx/base-sepolia/${hash}`, script: 'tx', rounds: rounds.other },
  { path: '/leaderboard', script: 'leaderboard', rounds: rounds.other },
  { path: `/join/${code}`, script: 'join', rounds: rounds.other },
  { path: '/solvency', script: 'solvency', rounds: rounds.other },
  { path: '/create', script: 'create', rounds: rounds.other, isOwn: true },
  { path: '/portfolio', script: 'portfolio', rounds: rounds.other, isOwn: true },
  { path: '/rewards', script: 'rewards', rounds: rounds.other, isOwn: true },
  { path: '/account', script: 'account', rounds: rounds.other, isOwn: true },
  { path: '/notifications', script: 'notifications', rounds: rounds.other, isOwn: true },
  {
    path: `/embed/trade/${token}`,
    script: 'embed',
    rounds: rounds.other,
    fingers: { input: '[name=amount]', output: '[data-about]' },
  },
  { path: `/embed/price/${token}`, script: 'embed', rounds: rounds.other },
];

const limits: Readonly<Record<keyof PhoneLoad, { what: string; limit: number; places: number }>> = {
  interactive: { what: 'interactive, ms', limit: 1_500, places: 0 },
  largestPaint: { what: 'largest paint, ms', limit: 1_200, places: 0 },
  layoutShift: { what: 'layout shift', limit: 0.02, places: 3 },
  slowestInteraction: { what: 'slowest interaction, ms', limit: 200, places: 0 },
  numberAfterKey: { what: 'number after a key, ms', limit: 150, places: 0 },
};
const onScreenLimitMs = 1_000;

/**
 * The budgets of the web app: sizes, which decide how it ends, and times on a slow phone beside an empty page in the same run, which
 * do not, because they are those of this machine.
 */
export const benchWeb = async (): Promise<void> => {
  console.log('Sizes, gzip, kB of 1,000 bytes');
  const sizes = sizesOf(await keptBuild('plain'));
  const held = heldSizes(sizes);
  for (const { what, size, limit } of held) {
    console.log(`  ${what}: ${size.toFixed(1)} of ${limit}${size > limit ? ' TOO MUCH' : ''}`);
    if (size > limit) process.exitCode = 1;
  }
  const empty = await serveEmpty();
  const system = await startSystem({
    env: {
      CHAINS: 'base-sepolia',
      LOG_LEVEL: 'error',
      RATE_LIMITS: '{"anonymous": 1000000, "authenticated": 1000000}',
    },
  });
  try {
    const { appUrl } = system.config;
    const { session, ...examples } = await own(system);
    console.log(
      `Times by a phone: CPU 4 times slower, 150 ms, 204,800 B/s; median of ${rounds.first} new browsers, of ${rounds.other} for pages after the first two`,
    );
    const columns = Object.values(limits).map(({ what, limit }) => `${what} (${limit})`);
    console.log(`  ${['page', 'script, kB', ...columns].join(' | ')}`);
    const print = (what: string, script: number | undefined, found: PhoneLoad): void => {
      const cells = Object.entries(limits).map(([key, { limit, places }]) => {
        const value = found[key as keyof PhoneLoad];
        if (value === null) return '';
        return `${value.toFixed(places)}${value > limit ? ' TOO MUCH' : ''}`;
      });
      console.log(`  ${[what, script?.toFixed(1) ?? '', ...cells].join(' | ')}`);
    };
    print('an empty page', undefined, await visits(rounds.other, { url: empty.url }));
    for (const { path, script, rounds, fingers, isOwn } of pagesWith(examples)) {
      const kept = isOwn ? { session } : {};
      const found = await visits(rounds, { url: appUrl + path, fingers, kept });
      print(path, script === 'embed' ? sizes.embed : sizes.scripts[script], found);
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

/** What the pages of somebody need: their session, a code that invites, a transaction, and somebody who posted. */
const own = async (system: System): Promise<Examples & { session: object }> => {
  const [chain] = system.chains;
  if (chain === undefined) throw new Error('The system has no chain.');
  const api = createReader({ baseUrl: system.config.appUrl });
  const { accounts } = chain;
  const session = { ...(await signIn(api, accounts.alice)), by: 'wallet' };
  const { userId } = await signIn(api, accounts.bob);
  const invites = { network: 'testnet', code_key: code.toLowerCase(), code, user_id: userId, created_at: new Date() };
  await system.db
    .insertInto('referral_code')
    .values(invites as never)
    .execute();
  const { activities } = await api.getTokenTrades({ token_id: token, limit: 1 });
  const signed = createReader({ baseUrl: system.config.appUrl, auth: sessionAuth(session) });
  const { post } = await signed.createPost({ text: 'gm $BOAT', taggedCoinId: token });
  return { hash: activities[0]?.evt_tx_hash ?? '', postId: post.id, userId: session.userId, session };
};

const visits = async (rounds: number, visit: PhoneVisit): Promise<PhoneLoad> => {
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
