import { type DevAccountName, devKey } from '@mintage/devnet';
import { until } from '@mintage/devnet/until';
import { encodeCreate } from '@mintage/protocol';
import type { Locator, Page } from 'playwright-core';
import { type Hex, keccak256, maxUint256, stringToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { planted } from './planted.ts';
import { hasNoFault, useWorld } from './world.ts';

/** The market, the leaderboard and the invitation, in a real browser over a real service and its chains. */
const world = useWorld();
const { visit } = world;

const rows = (page: Page): Locator => page.getByRole('list', { name: 'Tokens' }).getByRole('listitem');
const rowOf = (page: Page, name: string): Locator => rows(page).filter({ has: page.getByText(name, { exact: true }) });
/** Rows that are out of sight have no inner text. */
const namesOf = (page: Page): Promise<string[]> => rows(page).locator('b').allTextContents();
/** Takes mouse and focus out of the list. */
const leave = async (page: Page): Promise<void> => {
  await page.mouse.move(2, 2);
  await page.evaluate('document.activeElement.blur()');
};

const boat = async () => {
  const { tokens } = await world.api.getTokensV2({ keyword: 'Paper Boat', chains: ['base-sepolia'] });
  const [token] = tokens;
  if (token === undefined) throw new Error('The seed has no Paper Boat.');
  return { ...token, address: token.token_addresses[0]?.address as Hex };
};

const create = async (name: string, symbol: string): Promise<void> => {
  const salt = keccak256(stringToHex(`${name} ${symbol}`));
  const data = encodeCreate({ name, symbol, uri: '', poolType: 7, salt, deadline: maxUint256 });
  await world.chain.wallet.send(world.chain.accounts.carol, { to: world.chain.deployment.launchpad, data });
  await world.system.caughtUp();
  // Its first trade is told by the stream.
  const { tokens } = await world.api.getTokensV2({ keyword: name });
  await world.buy(tokens[0]?.token_addresses[0]?.address as Hex, '5');
};

const sessionOf = async (who: DevAccountName) => {
  const account = privateKeyToAccount(devKey(who));
  return { ...(await world.sessionOf(account)), address: account.address.toLowerCase() };
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
    await page.goto(world.app);
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
    // What the first letters alone found may stand there for a moment.
    await expect.poll(() => page.getByRole('option').first().innerText()).toContain('Night Train');
    expect(await box.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowDown');
    const chosen = page.locator(`[id="${await box.getAttribute('aria-activedescendant')}"]`);
    expect(await chosen.innerText()).toContain('Night Train');
    expect(await chosen.getAttribute('aria-selected')).toBe('true');
    await hasNoFault(page, 'what a search found', [1280]);
    await box.focus(); // with big letters it is elsewhere
    await page.keyboard.press('Escape');
    expect(await page.getByRole('option').count()).toBe(0);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/token/night-train*');
  });

  it('shows a trade in place by itself, in figures that the service then says too', async () => {
    const token = await boat();
    const { page, complaints } = await visit('/?chain=base-sepolia');
    const row = rowOf(page, 'Paper Boat');
    const before = await row.locator('.mc').innerText();
    const order = await namesOf(page);
    await page.waitForTimeout(500);
    await world.buy(token.address, '700');
    await expect.poll(() => row.locator('.mc').innerText()).not.toBe(before);
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
    await pill.waitFor();
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
    await world.buy((await boat()).address, '500');
    await world.system.caughtUp();
    await page.goto(`${world.app}/?watched=1`);
    await page.getByText(/^\+\d+\.\d % since you last looked, \d+ s ago$/).waitFor();
    const star = page.getByRole('button', { name: 'Watch Paper Boat' });
    await star.click();
    // It can be taken back for as long as somebody is there.
    expect(await star.getAttribute('aria-pressed')).toBe('false');
    await leave(page);
    await page.getByText('Tokens that you star are listed here.').waitFor();
    await hasNoFault(page, 'nothing watched', [360]);
  });
});

describe('the leaderboard', () => {
  it('ranks as the service does, opens per chain without scripts, and pins who is signed in', async () => {
    const { leaderboard } = await world.api.getLeaderboard({ network_mode: 'testnet' });
    const { page: plain } = await visit('/leaderboard', { javaScriptEnabled: false });
    const lines = plain.getByRole('list').locator('details');
    expect(await lines.count()).toBe(leaderboard.length);
    const first = leaderboard[0];
    if (first === undefined) throw new Error('Nobody earned in the seed.');
    await lines.first().locator('summary').click();
    await lines.first().getByText(first.recipient_address).waitFor();
    for (const { balance } of first.chain_balances)
      expect(await lines.first().innerText()).toContain(`$${(Math.floor(balance * 100) / 100).toFixed(2)}`);

    const bob = await sessionOf('bob');
    const { page, context } = await visit('/leaderboard');
    await world.keep(context, { session: bob });
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
    const dave = await sessionOf('dave');
    // Only final trades count for a code.
    for (const { rpc } of world.system.chains) await rpc('anvil_mine', ['0x60']);
    await until(async () => {
      const { success } = await world.post<{ success: boolean }>(
        '/create-referral-code',
        { code: 'Dave2030', network_mode: 'testnet' },
        dave.accessToken,
      );
      return success;
    });
    const { page, context, complaints } = await visit('/join/dave2030');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Join with Dave2030');
    const text = await page.getByRole('main').innerText();
    expect(text).toContain(`${dave.address.slice(0, 6)}…${dave.address.slice(-4)} invites you`);
    expect(text).toContain('0.04 % of every trade back, which is 4 % of the trading fee');
    expect(text).toContain('0.1 % of every trade that you make');
    await page.getByRole('link', { name: 'Sign in and join' }).click();
    const carol = await sessionOf('carol');
    await world.keep(context, { session: carol });
    await page.getByText('Dave2030 refers you now: 4 % of the fees of your trades come back to you.').waitFor();
    const { data } = await world.post<{ data: { referral: { referredBy?: string } } }>('/me', {}, carol.accessToken);
    expect(data.referral.referredBy).toBeDefined();
    await page.reload();
    await page.locator('html[data-ready]').waitFor();
    expect(await page.getByText('refers you now').count()).toBe(0);
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });

  it('of one’s own code or of no code is said in words', async () => {
    const { page, context } = await visit('/join/dave2030');
    await world.keep(context, { session: await sessionOf('dave') });
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByText('Dave2030 is your own code.').waitFor();
    await hasNoFault(page, 'an invitation of oneself', [1280, 360]);
    const gone = await page.goto(`${world.app}/join/nobody99`);
    expect(gone?.status()).toBe(404);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Not found');
    await hasNoFault(page, 'not found', [1280, 360]);
    await page.context().setOffline(true);
    await page.getByText(/^No connection/).waitFor();
    await hasNoFault(page, 'without a network', [360]);
  });
});

describe('the pages', () => {
  const shown = ['/', '/leaderboard', '/join/dave2030', '/solvency'];
  it.each(shown)('have no fault that axe finds and no sideways scroll: %s', async (path) => {
    const { page, complaints } = await visit(path);
    if (path === '/solvency') await page.getByText('Every dollar is there').first().waitFor();
    if (path === '/leaderboard') await page.locator('summary').first().click();
    await hasNoFault(page, path);
    expect(complaints).toEqual([]);
  });
});

describe('what strangers write', () => {
  it('is text: forty planted scripts in names, symbols, descriptions, links and tags run nowhere', async () => {
    const { accessToken } = await sessionOf('bob');
    const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>window.hit=1</script></svg>';
    const image = `data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')}`;
    for (const { name, symbol, description, website, tag } of planted) {
      const token = { name, symbol, description, image, links: { website }, tags: [tag], chainSlug: 'base-sepolia' };
      const prepared = await world.post<{ error?: string; transactions: { to: Hex; data: Hex }[] }>(
        '/create-token-transaction',
        { ...token, userAddress: world.chain.accounts.bob.address },
        accessToken,
      );
      expect([name, prepared.error]).toEqual([name, undefined]);
      for (const { to, data } of prepared.transactions)
        await world.chain.wallet.send(world.chain.accounts.bob, { to, data });
    }
    await world.system.caughtUp();
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
