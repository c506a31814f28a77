import { AxeBuilder } from '@axe-core/playwright';
import { type DevAccountName, type DevChain, devKey, type System, startSystem } from '@mintage/devnet';
import { encodeCreate, encodeOrder } from '@mintage/protocol';
import { createReader } from '@mintage/sdk';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { type Hex, keccak256, maxUint256, stringToHex, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './chromium.ts';
import { planted } from './planted.ts';

/** The market, the leaderboard and the invitation, in a real browser over a real service and its chains. */
let system: System;
let browser: Browser;
let base: DevChain;
let url: string;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  const limits = { RATE_LIMITS: '{"anonymous": 1000000, "authenticated": 1000000, "signIn": 1000}' };
  [system, browser] = await Promise.all([
    startSystem({ env: { CHAINS: 'base-sepolia,unichain-testnet', LOG_LEVEL: 'error', ...limits } }),
    chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] }),
  ]);
  base = system.chains[0] as DevChain;
  url = system.config.appUrl;
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});
afterAll(async () => {
  await browser?.close();
  await system?.stop();
});

interface Visit {
  page: Page;
  /** What the page complained of, a broken policy for content included. */
  complaints: string[];
}

const visit = async (path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Visit> => {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options });
  contexts.push(context);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(url + path);
  if (options.javaScriptEnabled !== false) await page.locator('html[data-ready]').waitFor();
  return { page, complaints };
};

const rows = (page: Page): Locator => page.getByRole('list', { name: 'Tokens' }).getByRole('listitem');
const rowOf = (page: Page, name: string): Locator => rows(page).filter({ has: page.getByText(name, { exact: true }) });
/** Rows that are out of sight have no inner text. */
const namesOf = (page: Page): Promise<string[]> => rows(page).locator('b').allTextContents();
/** Takes mouse and focus out of the list. */
const leave = async (page: Page): Promise<void> => {
  await page.mouse.move(2, 2);
  await page.evaluate('document.activeElement.blur()');
};

const api = () => createReader({ baseUrl: url });

const until = async (what: () => Promise<boolean>): Promise<void> => {
  for (let attempt = 0; !(await what()); attempt++) {
    if (attempt > 200) throw new Error('It did not come to pass within ten seconds.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const boat = async () => {
  const { tokens } = await api().getTokensV2({ keyword: 'Paper Boat', chains: ['base-sepolia'] });
  const [token] = tokens;
  if (token === undefined) throw new Error('The seed has no Paper Boat.');
  return { ...token, address: token.token_addresses[0]?.address as Hex };
};

const buy = async (token: Hex, who: DevAccountName, dollars: bigint): Promise<void> => {
  const terms = { token, amount: dollars * 1_000_000n, limit: 0n, recipient: base.accounts[who].address };
  const nobody = { builder: zeroAddress, builderBps: 0n, referral: zeroAddress, deadline: maxUint256 };
  const data = encodeOrder('buyExactIn', { ...terms, ...nobody });
  await base.wallet.send(base.accounts[who], { to: base.deployment.launchpad, data });
};

const create = async (name: string, symbol: string): Promise<void> => {
  const salt = keccak256(stringToHex(`${name} ${symbol}`));
  const data = encodeCreate({ name, symbol, uri: '', poolType: 7, salt, deadline: maxUint256 });
  await base.wallet.send(base.accounts.carol, { to: base.deployment.launchpad, data });
  await system.caughtUp();
  // Its first trade is told by the stream.
  const { tokens } = await api().getTokensV2({ keyword: name });
  await buy(tokens[0]?.token_addresses[0]?.address as Hex, 'dave', 5n);
};

const signIn = async (who: DevAccountName) => {
  const account = privateKeyToAccount(devKey(who));
  const { message } = await api().authChallenge({ address: account.address });
  const signature = await account.signMessage({ message });
  return { ...(await api().authLogin({ message, signature })), address: account.address.toLowerCase() };
};

type Session = Awaited<ReturnType<typeof signIn>>;

/** As the page of sign-in leaves it in the browser. */
const keepSession = (page: Page, { accessToken, refreshToken, userId }: Session): Promise<void> =>
  page.evaluate(
    `localStorage.setItem('mintage session', ${JSON.stringify(
      JSON.stringify({ accessToken, refreshToken, userId, by: 'wallet' }),
    )})`,
  );

const asked = async <Answer>(path: string, body: object, bearer: string): Promise<Answer> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${bearer}` };
  const answer = await fetch(`${url}/functions/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as Answer;
};

describe('the market', () => {
  it('reads without scripts: rows, stages, choices, search by name and by address', async () => {
    const { page } = await visit('/', { javaScriptEnabled: false });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Market');
    await page.getByText('14 tokens on 2 chains.').waitFor();
    expect(await rows(page).count()).toBe(14);
    await page.getByRole('link', { name: 'Graduated 4' }).click();
    expect(await rows(page).count()).toBe(4);
    const there = ['Lighthouse on Unichain Sepolia', 'Copper Kettle on Unichain Sepolia'];
    expect(new Set(await namesOf(page))).toEqual(new Set(['Lighthouse', 'Copper Kettle', ...there]));
    await page.getByLabel('Chain', { exact: true }).selectOption('unichain-testnet');
    await page.getByLabel('Order', { exact: true }).selectOption('market_cap');
    await page.getByRole('button', { name: 'Show' }).click();
    expect(await namesOf(page)).toEqual(there);
    const { address } = await boat();
    await page.goto(url);
    await page.getByLabel('Search tokens').first().fill(address.toUpperCase().replace('X', 'x'));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/?q=*');
    expect(await namesOf(page)).toEqual(['Paper Boat']);
  });

  it('keeps stage, chain, order and search in the address, so that going back brings them back', async () => {
    const { page, complaints } = await visit('/');
    await page.getByRole('link', { name: 'New 6' }).click();
    await page.waitForURL('**/?stage=new');
    await until(async () => (await rows(page).count()) === 6);
    await page.getByLabel('Chain', { exact: true }).selectOption('base-sepolia');
    await page.waitForURL('**/?stage=new&chain=base-sepolia');
    await page.getByLabel('Order', { exact: true }).selectOption('market_cap');
    await page.waitForURL('**/?stage=new&chain=base-sepolia&order=market_cap');
    await until(async () => (await namesOf(page)).join() === 'Harbour Works,Paper Boat,First Light');
    await page.goBack();
    await page.goBack();
    await until(async () => (await rows(page).count()) === 6);
    expect(await page.getByLabel('Chain', { exact: true }).inputValue()).toBe('');
    await page.goBack();
    await until(async () => (await rows(page).count()) === 14);
    await page.keyboard.press('/');
    await page.keyboard.type('boat');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/?q=boat');
    await until(async () => (await rows(page).count()) === 2);
    await page.getByRole('link', { name: 'Clear the search' }).click();
    await until(async () => (await rows(page).count()) === 14);
    expect(complaints).toEqual([]);
  });

  it('suggests tokens while somebody types, by keys alone', async () => {
    const { page } = await visit('/leaderboard');
    await page.keyboard.press('/');
    await page.keyboard.type('night');
    const box = page.getByRole('combobox', { name: 'Search tokens' });
    await page.getByRole('option').first().waitFor();
    expect(await box.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowDown');
    const chosen = page.locator(`[id="${await box.getAttribute('aria-activedescendant')}"]`);
    expect(await chosen.innerText()).toContain('Night Train');
    expect(await chosen.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('option').count()).toBe(0);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/token/night-train*');
  });

  it('shows a trade in place within seconds of its block, in figures that the service then says too', async () => {
    const token = await boat();
    const { page, complaints } = await visit('/?chain=base-sepolia');
    const row = rowOf(page, 'Paper Boat');
    const before = await row.locator('.mc').innerText();
    const order = await namesOf(page);
    await page.waitForTimeout(500);
    await buy(token.address, 'dave', 700n);
    const mined = performance.now();
    await until(async () => (await row.locator('.mc').innerText()) !== before);
    expect(performance.now() - mined).toBeLessThan(3_000);
    expect(await namesOf(page)).toEqual(order);
    const now = await boat();
    expect(await row.locator('.mc span[title]').getAttribute('title')).toBe(`${now.market_cap} USD`);
    const percent = Math.round(((now.launchpad_raised_usd ?? 0) / (now.launchpad_target_usd ?? 1)) * 100);
    expect(await row.innerText()).toContain(`${percent} % raised`);
    expect(complaints).toEqual([]);
  });

  it('has new rows wait while somebody reads, and shows them on request', async () => {
    const { page } = await visit('/?stage=new');
    const before = await namesOf(page);
    await rows(page).nth(1).hover();
    await create('Fresh Paint', 'PAINT');
    const pill = page.getByRole('button', { name: '1 new' });
    await pill.waitFor({ timeout: 30_000 });
    expect(await namesOf(page)).toEqual(before);
    await pill.click();
    expect(await namesOf(page)).toEqual(['Fresh Paint', ...before]);
    await leave(page);
    await create('Wet Paint', 'WET');
    await until(async () => (await namesOf(page))[0] === 'Wet Paint');
  });

  it('keeps what is watched in this browser, and says what changed since the last look', async () => {
    const { page } = await visit('/?chain=base-sepolia');
    await page.getByRole('button', { name: 'Watch Paper Boat' }).click();
    await page.getByRole('link', { name: 'Watched' }).click();
    await until(async () => (await namesOf(page)).join() === 'Paper Boat');
    await page.getByRole('navigation', { name: 'Main', exact: true }).getByText('Leaderboard').click();
    await page.getByRole('heading', { name: 'Leaderboard' }).waitFor();
    await buy((await boat()).address, 'dave', 500n);
    await system.caughtUp();
    await page.goto(`${url}/?watched=1`);
    await page.getByText(/^\+\d+\.\d % since you last looked, \d+ s ago$/).waitFor();
    const star = page.getByRole('button', { name: 'Watch Paper Boat' });
    await star.click();
    // It can be taken back for as long as somebody is there.
    expect(await star.getAttribute('aria-pressed')).toBe('false');
    await leave(page);
    await page.getByText('Tokens that you star are listed here.').waitFor();
  });
});

describe('the leaderboard', () => {
  it('ranks as the service does, opens per chain without scripts, and pins who is signed in', async () => {
    const { leaderboard } = await api().getLeaderboard({ network_mode: 'testnet' });
    const { page: plain } = await visit('/leaderboard', { javaScriptEnabled: false });
    const lines = plain.getByRole('list').locator('details');
    expect(await lines.count()).toBe(leaderboard.length);
    const first = leaderboard[0];
    if (first === undefined) throw new Error('Nobody earned in the seed.');
    await lines.first().locator('summary').click();
    await lines.first().getByText(first.recipient_address).waitFor();
    for (const { balance } of first.chain_balances)
      expect(await lines.first().innerText()).toContain(`$${(Math.floor(balance * 100) / 100).toFixed(2)}`);

    const { page } = await visit('/leaderboard');
    const bob = await signIn('bob');
    await keepSession(page, bob);
    await page.reload();
    const own = page.getByRole('region', { name: 'Your place' });
    await own.getByText('You', { exact: true }).waitFor();
    const line = leaderboard.find((one) => one.recipient_address === bob.address);
    expect(line?.rank).toBeGreaterThan(1);
    const shown = await own.locator('summary').innerText();
    expect([shown.startsWith(`${line?.rank}`), shown.includes(bob.address.slice(-4))]).toEqual([true, true]);
    await page.getByRole('link', { name: 'Seven days' }).click();
    await page.waitForURL('**/leaderboard?period=7d');
  });
});

describe('an invitation', () => {
  it('says who invites and what both get, is kept through the sign-in and entered after it', async () => {
    const dave = await signIn('dave');
    // Only final trades count for a code.
    for (const { rpc } of system.chains) await rpc('anvil_mine', ['0x60']);
    await until(async () => {
      const { success } = await asked<{ success: boolean }>(
        '/create-referral-code',
        { code: 'Dave2030', network_mode: 'testnet' },
        dave.accessToken,
      );
      return success;
    });
    const { page, complaints } = await visit('/join/dave2030');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Join with Dave2030');
    const text = await page.getByRole('main').innerText();
    expect(text).toContain(`${dave.address.slice(0, 6)}…${dave.address.slice(-4)} invites you`);
    expect(text).toContain('0.04 % of every trade back, which is 4 % of the trading fee');
    expect(text).toContain('0.1 % of every trade that you make');
    await page.getByRole('link', { name: 'Sign in and join' }).click();
    const carol = await signIn('carol');
    await keepSession(page, carol);
    await page.goto(url);
    await page.getByText('Dave2030 refers you now: 4 % of the fees of your trades come back to you.').waitFor();
    const { data } = await asked<{ data: { referral: { referredBy?: string } } }>('/me', {}, carol.accessToken);
    expect(data.referral.referredBy).toBeDefined();
    await page.reload();
    await page.locator('html[data-ready]').waitFor();
    expect(await page.getByText('refers you now').count()).toBe(0);
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });

  it('of one’s own code or of no code is said in words', async () => {
    const { page } = await visit('/join/dave2030');
    await keepSession(page, await signIn('dave'));
    await page.reload();
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByText('Dave2030 is your own code.').waitFor();
    const gone = await page.goto(`${url}/join/nobody99`);
    expect(gone?.status()).toBe(404);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Not found');
  });
});

describe('the pages', () => {
  const shown = ['/', '/leaderboard', '/join/dave2030', '/solvency'];
  it.each([
    { width: 1280, scheme: 'light' as const },
    { width: 1280, scheme: 'dark' as const },
    { width: 360, scheme: 'light' as const },
    { width: 360, scheme: 'dark' as const },
  ])('have no fault that axe finds, no sideways scroll, $width px wide, $scheme', async ({ width, scheme }) => {
    const { page, complaints } = await visit('/', { viewport: { width, height: 800 }, colorScheme: scheme });
    for (const path of shown) {
      await page.goto(url + path);
      await page.locator('html[data-ready]').waitFor();
      if (path === '/solvency') await page.getByText('Every dollar is there').first().waitFor();
      if (path === '/leaderboard') await page.locator('summary').first().click();
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, path).toBeLessThanOrEqual(0);
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
      expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${path} ${id}: ${html}`))).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });
});

describe('what strangers write', () => {
  it('is text: forty planted scripts in names, symbols, descriptions, links and tags run nowhere', async () => {
    const { accessToken } = await signIn('bob');
    const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>window.hit=1</script></svg>';
    const image = `data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')}`;
    for (const { name, symbol, description, website, tag } of planted) {
      const token = { name, symbol, description, image, links: { website }, tags: [tag], chainSlug: 'base-sepolia' };
      const prepared = await asked<{ error?: string; transactions: { to: Hex; data: Hex }[] }>(
        '/create-token-transaction',
        { ...token, userAddress: base.accounts.bob.address },
        accessToken,
      );
      expect([name, prepared.error]).toEqual([name, undefined]);
      for (const { to, data } of prepared.transactions) await base.wallet.send(base.accounts.bob, { to, data });
    }
    await system.caughtUp();
    const { page, complaints } = await visit('/?stage=new&order=created_at');
    await page.evaluate("addEventListener('securitypolicyviolation', () => { window.violated = true })");
    const shown = new Set(await namesOf(page));
    expect(planted.filter(({ name }) => !shown.has(name))).toEqual([]);
    await page.keyboard.press('/');
    await page.keyboard.type('<script>');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/?q=%3Cscript%3E');
    await page.reload();
    await page.locator('html[data-ready]').waitFor();
    expect(await page.evaluate('[typeof window.hit, typeof window.violated]')).toEqual(['undefined', 'undefined']);
    expect(complaints).toEqual([]);
  });
});
