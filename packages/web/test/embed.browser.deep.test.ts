import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '@mintage/devnet/patientServer';
import { until } from '@mintage/devnet/until';
import type { BrowserContextOptions, Frame, Page } from 'playwright-core';
import type { Hex } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { frameCode } from '../src/features/embed/embedCode.ts';
import { complaintsOf, hasNoFault, runs, useWorld } from './world.ts';

/** A token on pages of another origin, which allow scripts and frames of ours and nothing else. */
const world = useWorld({ env: { CHAINS: 'base-sepolia' } });
let ours: string;
let site: Server;
let theirs: string;
/** What the other site's page holds. */
let theirBody = '';

const strict = (origin: string): string =>
  `default-src 'none'; script-src ${origin}; frame-src ${origin}; style-src 'none'; base-uri 'none'`;

beforeAll(async () => {
  ours = world.app;
  site = createServer(patientServer, (_request, response) => {
    const headers = { 'content-type': 'text/html', 'content-security-policy': strict(ours) };
    response.writeHead(200, headers).end(`<!doctype html><title>A blog</title><body>${theirBody}`);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  theirs = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => site?.close());

const open = async (body: string, options: BrowserContextOptions = {}) => {
  theirBody = body;
  const page = await (await world.newContext(options)).newPage();
  const complaints = complaintsOf(page);
  await page.goto(theirs);
  return { page, complaints };
};

const script = (data: string): string =>
  `<script src="${ours}/embed.js" data-token="paper-boat" ${data} async></script>`;

const framed = async (page: Page, path: string): Promise<Frame> => {
  await page.locator(`iframe[src*="${path}"]`).waitFor();
  const frame = await until(() => page.frames().find((one) => one.url().includes(path)));
  await runs(frame);
  return frame;
};

it('default: a script puts the trade card and the price where it stands, as high as they need, twice on a page', async () => {
  const { page, complaints } = await open(
    `<p>Above</p>${script('data-kind="trade" data-theme="dark"')}${script('data-kind="price"')}<p>Below</p>`,
  );
  const [card, badge] = [await framed(page, '/embed/trade/paper-boat'), await framed(page, '/embed/price/paper-boat')];
  const { stats } = await world.api.getTokenStats({ token_id: 'paper-boat' });
  for (const frame of [card, badge]) {
    expect(await frame.getByTitle(`${stats[0]?.price_usd} USD`).first().isVisible()).toBe(true);
    const inner = await frame.evaluate<number>('document.documentElement.scrollHeight - innerHeight');
    expect(inner).toBe(0);
  }
  expect(await card.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  const order = `[...document.querySelectorAll('p, iframe')].map(({ localName }) => localName).join(' ')`;
  expect(await page.evaluate(order)).toBe('p iframe iframe p');
  // Who else says so changes no height.
  const height = await page.locator('iframe').first().getAttribute('height');
  await page.evaluate('postMessage({ mintageHeight: 1500 }, "*")');
  await page.waitForTimeout(100);
  expect(await page.locator('iframe').first().getAttribute('height')).toBe(height);
  expect(complaints).toEqual([]);
});

it('default: it reads without scripts, by the code for pages that allow none', async () => {
  const choice = { token: 'paper-boat', kind: 'trade', theme: 'light', referral: null } as const;
  const { page } = await open(frameCode(ours, choice, 'Paper "Boat" <b>'), { javaScriptEnabled: false });
  const frame = page.frameLocator('iframe');
  await frame.getByRole('button', { name: 'Buy BOAT on Mintage' }).waitFor();
  expect(await frame.locator('[data-about]').innerText()).toMatch(/^[\d,]+ BOAT$/);
  expect(await page.locator('iframe').getAttribute('title')).toBe('Paper "Boat" <b>');
});

it('default: the number follows the fingers, is that of the service, and the button opens our page with all filled in', async () => {
  const ref = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
  const { page } = await open(script(`data-kind="trade" data-ref="${ref}"`));
  const card = await framed(page, '/embed/trade/paper-boat');
  await card.getByLabel('You pay').fill('250');
  const { data } = await world.api.quoteToken({
    tokenId: 'paper-boat',
    chainSlug: 'base-sepolia',
    direction: 'buy',
    inputToken: 'usdc',
    amount: 250,
  });
  const whole = (BigInt(data.outputAmountRaw) / 10n ** 18n).toLocaleString('en-US');
  expect(await card.locator('[data-about]').innerText()).toBe(`${whole} BOAT`);
  // The comma of some keyboards is the point that our page reads.
  await card.getByLabel('You pay').fill('250,0');
  expect(await card.locator('[data-about]').innerText()).toBe(`${whole} BOAT`);
  const opening = page.context().waitForEvent('page');
  await card.getByRole('button', { name: 'Buy BOAT on Mintage' }).click();
  const opened = await opening;
  await opened.waitForLoadState();
  const url = new URL(opened.url());
  expect(url.origin + url.pathname).toBe(`${ours}/token/paper-boat`);
  expect(Object.fromEntries(url.searchParams)).toEqual({ side: 'buy', amount: '250.0', ref });
  expect(await opened.evaluate('opener')).toBeNull();
  const box = opened.locator('.pay .amount input');
  expect(await box.inputValue()).toBe('250.0');
  await opened.goto(`${ours}/token/paper-boat?side=sell&amount=1,000.5`);
  expect(await box.inputValue()).toBe('1000.5');
  await opened.goto(`${ours}/token/paper-boat?amount=%3Cb%3E`);
  expect(await box.inputValue()).toBe('100');
  // A word of strangers in the address becomes no referral.
  const planted = await fetch(`${ours}/embed/trade/paper-boat?ref=%22%3E%3Cscript%3E`).then((answer) => answer.text());
  expect(planted).not.toContain('name="ref"');
});

it('behavior: the price follows a trade by itself, and says when it cannot', async () => {
  const { page } = await open(script('data-kind="trade"'));
  const card = await framed(page, '/embed/trade/paper-boat');
  const { token } = await world.api.getTokenAbout({ token_id: 'paper-boat' });
  await world.buy(token.primary_evm_address as Hex, '200');
  await world.system.caughtUp();
  const { stats } = await world.api.getTokenStats({ token_id: 'paper-boat' });
  await card.getByTitle(`${stats[0]?.price_usd} USD`).first().waitFor();
  await page.context().setOffline(true);
  await card.getByText('No connection: these figures may be old.').waitFor();
});

it('error: a token that does not exist is said in its frame', async () => {
  const { page } = await open(`<iframe src="${ours}/embed/price/no-such-token"></iframe>`);
  await page.frameLocator('iframe').getByText('There is no such token.').first().waitFor();
});

it('error: no other page may be framed', async () => {
  for (const path of ['/', '/token/paper-boat', '/account', '/create', '/rewards', '/no-such-page', '/docs']) {
    const { page } = await open(`<iframe src="${ours}${path}"></iframe>`);
    await page.waitForTimeout(300);
    expect([path, page.frames()[1]?.url()]).toEqual([path, 'chrome-error://chromewebdata/']);
  }
});

it('invariant: axe finds no fault, and nothing scrolls sideways', async () => {
  for (const path of ['/embed/trade/paper-boat', '/embed/price/lighthouse']) {
    const { page } = await world.visit(path);
    await hasNoFault(page, path, [400, 300]);
  }
});
