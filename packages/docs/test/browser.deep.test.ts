import { AxeBuilder } from '@axe-core/playwright';
import type { System } from '@mintage/devnet';
import { chromiumPath } from '@mintage/devnet/chromium';
import { testSystem } from '@mintage/devnet/testSystem';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** What readers do, in a real browser, with the running service behind the pages. */
let system: System;
let browser: Browser;
const contexts: BrowserContext[] = [];
beforeAll(async () => {
  [system, browser] = await Promise.all([
    testSystem({ env: { CHAINS: 'base-sepolia', LOG_LEVEL: 'error', RATE_LIMITS: '{"anonymous": 100000}' } }),
    chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] }),
  ]);
});
afterAll(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  await browser?.close();
  await system?.stop();
});

interface Reader {
  page: Page;
  /** What the page complained of, a broken policy for content included. */
  complaints: string[];
}

const open = async (path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Reader> => {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  contexts.push(context);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${system.url}/docs${path}`);
  return { page, complaints };
};

/** One of each kind. The long ones have no other parts, and axe takes seconds for each. */
const shown = ['', '/reference/searchToken', '/errors/TOKEN_NOT_FOUND', '/events/messages', '/contracts/TokenFactory'];
const wide = ['/reference/tradeToken', '/reference/metrics', '/errors', '/contracts/LaunchpadV4', '/operate/contracts'];

describe('the pages', () => {
  it.each([
    { width: 1280, scheme: 'light' as const },
    { width: 1280, scheme: 'dark' as const },
    { width: 360, scheme: 'light' as const },
    { width: 360, scheme: 'dark' as const },
  ])(
    'have no fault that axe finds, no sideways scroll and no complaint, $width px wide, $scheme',
    async ({ width, scheme }) => {
      const { page, complaints } = await open('', { viewport: { width, height: 800 }, colorScheme: scheme });
      for (const path of shown) {
        await page.goto(`${system.url}/docs${path}`);
        const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
        const { violations } = await new AxeBuilder({ page })
          .options({ resultTypes: ['violations'] })
          .setLegacyMode()
          .withTags(tags)
          .analyze();
        const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${path} ${id}: ${html}`));
        expect(found).toEqual([]);
      }
      for (const path of [...shown, ...wide]) {
        await page.goto(`${system.url}/docs${path}`);
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(overflow, path).toBeLessThanOrEqual(0);
      }
      expect(complaints).toEqual([]);
    },
  );

  it('read without scripts: text, fields and every page by its link', async () => {
    const { page } = await open('/reference/tradeToken', { javaScriptEnabled: false });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('tradeToken');
    expect(await page.getByText('Buy for exactly this many dollars, fees included.').isVisible()).toBe(true);
    expect(await page.getByLabel('Search the documentation').isVisible()).toBe(false);
    expect(await page.locator('#try').isVisible()).toBe(false);
    await page.getByText('Errors', { exact: true }).first().click();
    await page.getByRole('link', { name: 'BEYOND_CURVE' }).first().click();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('BEYOND_CURVE');
  });

  it('are reached on a phone by a menu that works without scripts', async () => {
    const { page } = await open('', { viewport: { width: 360, height: 800 }, javaScriptEnabled: false });
    const menu = page.getByRole('navigation', { name: 'Pages', exact: true });
    expect(await menu.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Pages' }).click();
    await menu.getByText('Tokens', { exact: true }).click();
    await menu.getByRole('link', { name: 'searchToken' }).click();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('searchToken');
  });
});

describe('the search', () => {
  it('opens with /, finds by part of a word and by field, and goes there by keys alone', async () => {
    const { page, complaints } = await open('/errors');
    await page.keyboard.press('/');
    await page.keyboard.type('trade tok');
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('option').first().innerText()).toContain('tradeToken');
    await page.getByRole('combobox').fill('claim fees');
    await page.getByRole('option', { name: 'claimRewards' }).waitFor();
    for (const text of await page.getByRole('option').allInnerTexts()) expect(text).toMatch(/(\.| …)$/);
    await page.getByRole('combobox').fill('slippageBps');
    await page
      .getByRole('option', { name: 'quoteToken' })
      .or(page.getByRole('option', { name: 'tradeToken' }))
      .first()
      .waitFor();
    await page.getByRole('combobox').fill('graduated pool data');
    await page.getByRole('option', { name: 'getPoolData' }).waitFor();
    expect(await page.getByRole('combobox').getAttribute('aria-activedescendant')).toBe('site-found-0');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/reference/getPoolData');
    expect(complaints).toEqual([]);
  });
});

describe('the console', () => {
  it('sends a real call and shows what the service answers', async () => {
    const { page } = await open('/reference/quoteToken');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^200 OK, \d+ ms$/).waitFor();
    const answer = JSON.parse(await page.getByLabel('Answer').innerText());
    expect(answer).toMatchObject({ success: true, data: { direction: 'buy', tokenSymbol: 'BOAT' } });
    await page.getByLabel('Input, JSON').fill('{"chainSlug": "nowhere"}');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^400 /).waitFor();
    expect(JSON.parse(await page.getByLabel('Answer').innerText()).code).toBe('INVALID_PARAMETERS');
    await page.getByLabel('Input, JSON').fill('[');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('The input is not a JSON object.').waitFor();
  });

  it('sends the key of its field, puts a GET’s input into the path, and forgets the key with the page', async () => {
    const { page } = await open('/reference/me');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^401 /).waitFor();
    const token = await (await fetch(`${system.issuerUrl}/token?name=reader`)).text();
    await page.getByLabel('API key or access token').fill(token);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^200 /).waitFor();
    expect(JSON.parse(await page.getByLabel('Answer').innerText()).success).toBe(true);
    await page.reload();
    expect(await page.getByLabel('API key or access token').inputValue()).toBe('');
    expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, '']);
    await page.goto(`${system.url}/docs/reference/ipfs`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^(200|404) /).waitFor();
  });
});
