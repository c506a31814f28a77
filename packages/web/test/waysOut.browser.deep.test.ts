import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TestWallet } from './testWallet.ts';
import { hasNoFault, picture, runs, useWorld, type Visit } from './world.ts';

/** Dead ends of pages: wallets that never answer, and what people press when nothing seems to happen. */
const world = useWorld();

const withWallet = async (path: string): Promise<Visit & { wallet: TestWallet }> => {
  const context = await world.newContext();
  const { wallet } = await world.addUser(context);
  return { ...(await world.visit(path, context)), wallet };
};

const deferred = () => Promise.withResolvers<void>();

const fill = async (page: Page, name: string, symbol: string): Promise<void> => {
  await page.locator('input[type=file]').first().setInputFiles(picture);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Symbol', { exact: true }).fill(symbol);
  await page.getByLabel('Description').fill('A small token.');
};

const unsaid = 'Your wallet hasn’t said whether it signed.';

describe('a wallet that never answers', () => {
  it('behavior: row 4, a creation can be discarded while its window is open, after a reload and in another tab; nothing comes back', async () => {
    const { page, context, wallet, complaints } = await withWallet('/create');
    await fill(page, 'Woodruff', 'WOOD');
    const held = deferred();
    wallet.holdTrade = held.promise;
    const create = page.getByRole('button', { name: 'Create on Base Sepolia' });
    const discard = page.getByRole('button', { name: 'Discard' });
    await create.click();
    await expect.poll(() => wallet.sent().length).toBe(1);
    // Its window was closed, and it says nothing: the way out is there, with what it means.
    await page.getByText(unsaid).waitFor();
    await hasNoFault(page, 'a creation that a wallet is asked for', [1280, 360]);
    await discard.click();
    await create.waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Woodruff');

    // Asked anew, and the tab is killed.
    await create.click();
    await expect.poll(() => wallet.sent().length).toBe(2);
    await page.reload();
    await runs(page);
    await page.getByText(unsaid).first().waitFor();
    await discard.click();
    await create.waitFor();

    // Asked anew, and given up in another tab.
    await create.click();
    await expect.poll(() => wallet.sent().length).toBe(3);
    const { page: other } = await world.visit('/create', context);
    await other.getByText(unsaid).first().waitFor();
    await other.getByRole('button', { name: 'Discard' }).click();
    await create.waitFor();
    await other.getByRole('button', { name: 'Create on Base Sepolia' }).waitFor();
    await other.close();

    // Answers that come late neither bring a creation back nor ask for its next steps.
    held.resolve();
    await expect.poll(() => world.chain.rpc('eth_getTransactionCount', [wallet.account.address, 'latest'])).toBe('0x1');
    await page.reload();
    await runs(page);
    await create.waitFor();
    expect(wallet.sent()).toHaveLength(3);
    expect(complaints).toEqual([]);
  });

  it('behavior: row 4, a trade can be discarded while its window is open and after a reload; a late approval asks for nothing', async () => {
    const { page, wallet, complaints } = await withWallet('/token/paper-boat');
    const act = page.locator('section.trade [data-step]');
    const discard = page.getByRole('button', { name: 'Discard' });
    const approval = deferred();
    wallet.holdApproval = approval.promise;
    await page.getByRole('button', { name: /^Approve exactly / }).click();
    await expect.poll(() => wallet.sent().length).toBe(1);
    await page.getByText(unsaid).waitFor();
    await hasNoFault(page, 'a trade that a wallet is asked for', [1280, 360]);
    await discard.click();
    await page.getByRole('button', { name: /^Approve exactly / }).waitFor();
    approval.resolve();
    wallet.holdApproval = Promise.resolve();
    // The approval is there, and no trade was asked for after it.
    await page.locator('.btn[data-step="trade"]').waitFor();
    expect(wallet.sent()).toHaveLength(1);

    const trade = deferred();
    wallet.holdTrade = trade.promise;
    await act.click();
    await expect.poll(() => wallet.sent().length).toBe(2);
    await page.reload();
    await runs(page);
    await page.getByText(unsaid).waitFor();
    await hasNoFault(page, 'a trade that a wallet has not answered, after a reload', [1280]);
    await discard.click();
    await expect.poll(() => page.evaluate("localStorage.getItem('mintage trades')")).toBe('[]');
    trade.resolve();
    expect(complaints).toEqual([]);
  });

  it('behavior: row 4, with another account than began it there is a way out', async () => {
    const { page, wallet, complaints } = await withWallet('/create');
    await fill(page, 'Sorrel', 'SORR');
    wallet.refuses.add('eth_sendTransaction');
    await page.getByRole('button', { name: 'Create on Base Sepolia' }).click();
    await page.getByRole('alert').filter({ hasText: 'refused' }).waitFor();
    await wallet.goTo(page, world.chain.accounts.carol);
    await page.getByText(/^Connect the wallet /).waitFor();
    expect(await page.getByRole('button', { name: 'Go on' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Create on Base Sepolia' }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a wallet that does not know a chain', () => {
  it.each<[how: string, error: object]>([
    [
      '-32603 with 4902 inside',
      { code: -32603, message: 'Internal JSON-RPC error.', data: { originalError: { code: 4902 } } },
    ],
    ['-32601', { code: -32601, message: 'The method wallet_switchEthereumChain does not exist/is not available' }],
    ['a text alone', { message: 'Unrecognized chain ID "0x515".' }],
  ])('behavior: row 10, and says so by %s, is told of it and asked again', async (_, error) => {
    const { page, wallet, complaints } = await withWallet('/create');
    await fill(page, 'Yarrow', 'YARR');
    await page.getByRole('radio', { name: 'Unichain Sepolia' }).check({ force: true });
    wallet.unknown.add(1301);
    wallet.unknownError = error;
    wallet.refuses.add('eth_sendTransaction');
    await page.getByRole('button', { name: 'Create on Unichain Sepolia' }).click();
    await expect.poll(() => wallet.sent().length).toBe(1);
    const chainCalls = wallet.asked.map(({ method }) => method).filter((method) => /EthereumChain/.test(method));
    expect(chainCalls).toEqual(['wallet_switchEthereumChain', 'wallet_addEthereumChain', 'wallet_switchEthereumChain']);
    await page.getByRole('alert').filter({ hasText: 'refused' }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a creation that is done', () => {
  it('behavior: row 20, the form stays filled and without an error until the page of the token is there', async () => {
    const { page, complaints } = await withWallet('/create');
    const held = deferred();
    await fill(page, 'Tansy', 'TANSY');
    // The page of the token is slow to come.
    await page.route('**/app/token-*.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Create on Base Sepolia' }).click();
    await page.waitForURL('**/token/tansy*');
    await page.getByText('Its page opens in a moment.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Tansy');
    expect(await page.locator('form [aria-invalid=true], form .down').count()).toBe(0);
    held.resolve();
    await page.getByRole('heading', { name: 'Tansy' }).first().waitFor();
    // The next one begins with nothing.
    await world.go(page, '/create');
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('');
    expect(complaints).toEqual([]);
  });
});

describe('Back', () => {
  it('behavior: row 20, leads to where a list was left', async () => {
    const { page, complaints } = await world.visit('/', { viewport: { width: 1280, height: 420 } });
    await page.evaluate('scrollTo(0, 500)');
    await expect.poll(() => page.evaluate('scrollY')).toBe(500);
    // What the wheel leaves in view.
    await page.evaluate(
      `[...document.querySelectorAll('main a[href*="/token/"]')].find((one) => one.getBoundingClientRect().top > 120).click()`,
    );
    await page.waitForURL('**/token/**');
    await page.getByRole('tab').first().waitFor();
    await expect.poll(() => page.evaluate('scrollY')).toBe(0);
    await page.goBack();
    await page.waitForURL(`${world.app}/`);
    await expect.poll(() => page.evaluate('scrollY')).toBe(500);
    // And forward to the beginning of the page that was left there.
    await page.goForward();
    await expect.poll(() => page.evaluate('scrollY')).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe('the trade box', () => {
  it('behavior: row 20, a second press after a trade buys nothing', async () => {
    const { page, wallet, complaints } = await withWallet('/token/paper-boat');
    const act = page.locator('section.trade [data-step]');
    await page.getByRole('button', { name: /^Approve exactly / }).waitFor();
    await page.evaluate(`{
      const act = document.querySelector('section.trade [data-step]');
      act.click();
      act.click();
    }`);
    await expect.poll(() => act.textContent()).toBe('Enter an amount');
    expect(await act.isDisabled()).toBe(true);
    await act.click({ force: true });
    expect(wallet.sent()).toHaveLength(2);
    await hasNoFault(page, 'the box after a trade', [1280, 360]);
    expect(complaints).toEqual([]);
  });

  it('behavior: row 9, what is no amount stays and is said in words, and a comma is read by the locale', async () => {
    const { page, complaints } = await world.visit('/token/paper-boat');
    const field = page.locator('.pay input');
    for (const [text, words] of [
      ['$25', 'Enter the amount in digits, e.g. 12.50.'],
      ['1e3', 'Enter the amount in digits, e.g. 12.50.'],
      ['1,125', '1,125 can be read in two ways. Enter 1125 or 1.1250.'],
    ] as const) {
      await field.fill(text);
      await page.getByText(words).waitFor();
      expect(await field.inputValue()).toBe(text);
    }
    await hasNoFault(page, 'an amount that is none', [1280, 360]);
    const limit = (one: Page) => one.locator('.least .v[data-limit]').getAttribute('data-limit');
    await field.fill('1234.56');
    await expect.poll(() => limit(page)).not.toBe(null);
    const wanted = await limit(page);
    for (const text of ['1.234,56', '１２３４．５６', '1,234.56']) {
      await field.fill('1');
      await expect.poll(() => limit(page)).not.toBe(wanted);
      await field.fill(text);
      await expect.poll(() => limit(page)).toBe(wanted);
    }
    const { page: german } = await world.visit('/token/paper-boat', { locale: 'de-DE' });
    await german.locator('.pay input').fill('1.125');
    await german.getByText('1.125 can be read in two ways. Enter 1125 or 1,1250.').waitFor();
    await german.locator('.pay input').fill('1,125');
    await expect.poll(() => limit(german)).not.toBe(null);
    expect(complaints).toEqual([]);
  });

  it('behavior: row 20, Escape and a press beside it close the slippage menu, which covers no button', async () => {
    const { page, complaints } = await world.visit('/token/paper-boat', { viewport: { width: 360, height: 740 } });
    await page.getByRole('button', { name: 'Buy', exact: true }).click();
    const menu = page.locator('details.slippage');
    const isOpen = () => menu.evaluate((details) => (details as unknown as { open: boolean }).open);
    const open = async () => {
      await menu.locator('summary').click();
      expect(await isOpen()).toBe(true);
    };
    await open();
    const choices = await menu.locator('fieldset').boundingBox();
    const act = await page.locator('[data-step]').boundingBox();
    expect((choices?.y ?? 0) + (choices?.height ?? 0)).toBeLessThanOrEqual(act?.y ?? 0);
    expect(choices?.y).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    expect(await isOpen()).toBe(false);
    // The sheet is still there.
    await open();
    await page.getByText('Price impact', { exact: true }).click();
    expect(await isOpen()).toBe(false);
    await page.getByRole('dialog').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('without a network', () => {
  it('behavior: row 20, an address leads to a page in our words, and to the page itself once the network is back', async () => {
    const { page, context } = await world.visit('/');
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await context.setOffline(true);
    await page.goto(`${world.app}/leaderboard`);
    await page.getByRole('heading', { name: 'No connection' }).waitFor();
    await hasNoFault(page, 'the page without a network', [1280, 360]);
    await context.setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await runs(page);
    expect(new URL(page.url()).pathname).toBe('/leaderboard');
    // Nothing is kept of any page.
    expect(await page.evaluate('caches.keys()')).toEqual([]);
  });
});
