import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { newDevice, picture, useWorld } from './world.ts';

/** The whole story by keys alone: in a real browser, over the running service on local chains. Nothing is clicked. */
const world = useWorld();

type Role = 'button' | 'link' | 'textbox' | 'radio' | 'switch' | 'combobox' | 'tab' | 'checkbox';

/** In the page: why it cannot be seen where the focus is; null: it can. */
const faultOfFocus = `(() => {
  const element = document.activeElement;
  if (element === document.body) return 'Nothing has the focus.';
  // The page after another one was left, and a dialog: reading begins there, and no key does anything.
  if (element.matches('main, dialog')) return null;
  const name = element.outerHTML.slice(0, 160);
  const marked = [element, element.closest('label'), element.closest('.pay')].filter((one) => one !== null);
  if (!marked.some((one) => getComputedStyle(one).outlineStyle !== 'none')) return 'Not marked: ' + name;
  const { left, top, width, height } = marked.at(-1).getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  if (above === null) return 'Out of sight: ' + name;
  return marked.some((one) => one.contains(above)) || above.contains(element) ? null : 'Covered: ' + name;
})()`;
const focused = 'document.activeElement.localName';

/** Somebody who has nothing but keys. */
const typist = (page: Page) => {
  const { keyboard } = page;
  const seesFocus = async (): Promise<void> => expect(await page.evaluate(faultOfFocus)).toBeNull();
  const to = async (wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
    await wanted.waitFor();
    for (let presses = 0; presses < 120; presses += 1) {
      if (await wanted.evaluate((element) => element.matches(':focus'))) return seesFocus();
      await keyboard.press(key);
      // Beyond the last part is the browser's own bar.
      if ((await page.evaluate(focused)) !== 'body') await seesFocus();
    }
    throw new Error(`No ${key} leads to ${wanted}.`);
  };
  const by = (name: string | RegExp, role: Role, within: Page | Locator = page): Locator =>
    within.getByRole(role, { name, exact: true });
  return {
    keyboard,
    to: (name: string | RegExp, role: Role = 'button', within: Page | Locator = page, key?: 'Tab' | 'Shift+Tab') =>
      to(by(name, role, within), key),
    /** Goes there and presses Enter. */
    async press(name: string | RegExp, role: Role = 'button', within: Page | Locator = page): Promise<void> {
      const wanted = by(name, role, within);
      await to(wanted);
      // One that is off has the focus too.
      await expect.poll(() => wanted.getAttribute('aria-disabled')).toBeNull();
      await keyboard.press('Enter');
    },
    async write(name: string | RegExp, text: string, within: Page | Locator = page): Promise<void> {
      await to(by(name, 'textbox', within));
      await keyboard.press('ControlOrMeta+A');
      await keyboard.type(text);
    },
    /** What was done ended, and the focus is still somewhere. */
    async keepsFocus(): Promise<void> {
      await expect.poll(() => page.evaluate(faultOfFocus)).toBeNull();
    },
    /** A page of the app was gone to: it says its name, and reading begins at its beginning. */
    async isAt(title: string | RegExp): Promise<void> {
      await expect.poll(() => page.title()).toMatch(title);
      await expect.poll(() => page.evaluate(focused)).toBe('main');
    },
  };
};

it('the whole story by keys: find, sign in, buy, sell, send, create, own, claim, a key, pause, sign out', async () => {
  const { page, complaints } = await world.visit('/');
  await newDevice(page);
  page.on('filechooser', () => null); // from the first on it is a test that chooses
  const keys = typist(page);
  const { keyboard } = keys;
  const menu = page.getByRole('navigation', { name: 'Main', exact: true });

  // The first key leads past the bar.
  await keyboard.press('Tab');
  await keys.keepsFocus();
  await keyboard.press('Enter');
  await expect.poll(() => page.evaluate(focused)).toBe('main');

  await keys.to('Search tokens', 'combobox', page, 'Shift+Tab');
  await keyboard.type('night');
  await page.getByRole('option').first().waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await keys.isAt(/^Night Train/);

  await keys.press('Sign in', 'link', page.getByRole('banner'));
  const signIn = page.getByRole('dialog', { name: 'Sign in' });
  await keys.to('Close', 'button', signIn);
  await keyboard.press('Escape');
  await signIn.waitFor({ state: 'hidden' });
  await keys.to('Sign in', 'link', page.getByRole('banner')); // where it was
  await keyboard.press('Enter');
  await keys.press('New account with a passkey', 'button', signIn);
  await signIn.waitFor({ state: 'hidden' });
  await keys.keepsFocus();

  const box = page.getByRole('region', { name: 'Trade', exact: true });
  await keys.write(/.*/, '20', box);
  await keys.press(/^Buy [\d,]+ NIGHT/, 'button', box);
  await keys.press('Go on without', 'button', page.getByRole('dialog', { name: 'Add a second way in first' }));
  /** A chain that mines each second soon calls it final. */
  const isMined = (side: string): Promise<void> =>
    page
      .locator('.own li', { hasText: side })
      .getByText(/^(block [\d,]+|final)$/)
      .waitFor();
  await isMined('Buy of');
  await keys.keepsFocus();

  await keys.to('Buy', 'tab', box, 'Shift+Tab');
  await keyboard.press('ArrowRight');
  await keys.to('50 %', 'button', box);
  await keyboard.press('Space');
  await keys.press(/^Sell [\d,.]+ NIGHT/, 'button', box);
  await isMined('Sell of');
  await keys.keepsFocus();

  await keys.press('Send to another chain');
  const send = page.getByRole('dialog', { name: /^Send/ });
  await keys.to('To', 'combobox', send);
  await keyboard.press('u');
  await keys.write('Amount', '100', send);
  await keyboard.press('Enter');
  await keys.press('Send 100 NIGHT', 'button', send);
  await send.waitFor({ state: 'hidden' });
  await page.locator('.crossing').waitFor();
  await keys.keepsFocus();

  await keys.press('Create', 'link', menu);
  await keys.isAt(/^Create/);
  await keys.to('Choose: Picture');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keyboard.press('Enter')]);
  await chooser.setFiles(picture);
  await keys.write('Name', 'Thimble');
  await keys.write('Symbol', 'THMB');
  await keys.write('Description', 'Sews.');
  await keys.to('Base Sepolia', 'radio');
  await keyboard.press('ArrowRight');
  await keys.to('Buy some yourself', 'switch');
  await keyboard.press('Space');
  await keys.write('Dollars', '10');
  await keys.to(/^Once the fee is 1 %/, 'radio');
  await keyboard.press('ArrowDown');
  await page.getByText('$8.00 of it is fee').waitFor();
  await keys.press('Create on Unichain Sepolia');
  await page.waitForURL('**/token/thimble*');
  await keys.isAt(/^Thimble/);

  // What was bought is in the portfolio, at a loss by the opening fee; what it earned is claimed by the service too.
  await keys.press('Portfolio', 'link', menu);
  await keys.isAt(/^Portfolio/);
  await page.getByRole('row').filter({ hasText: 'Thimble' }).getByText('Unichain Sepolia').waitFor();
  await keys.to('Held', 'tab');
  await keyboard.press('ArrowRight');
  await keys.keepsFocus();

  await keys.press('Rewards', 'link', menu);
  await keys.isAt(/^Rewards/);
  await keys.press('Claim 0.05 USDC on Unichain Sepolia');
  await page.getByRole('status').filter({ hasText: 'Claimed' }).waitFor();
  await page.getByRole('region', { name: 'Claimed' }).getByText('+0.0500').waitFor();
  await keys.keepsFocus();

  await keys.press(/^Account/, 'link', page.getByRole('banner'));
  await keys.isAt(/^Account/);
  await keys.press('New key');
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await keys.write('Name', 'bot', dialog);
  await keys.write('Dollars a trade', '12', dialog);
  await keys.write('Dollars a day', '15', dialog);
  await keys.press('Create key', 'button', dialog);
  await dialog.locator('code').waitFor();
  await keys.keepsFocus();
  await keys.press('I have it', 'button', dialog);
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('New key');
  await keys.press('Revoke bot');
  await keys.press('Keep');
  await keys.keepsFocus();
  await keys.press('Revoke bot');
  await keys.press('Revoke bot: Yes, do it');
  await page.getByText('No program acts for you yet.').waitFor();
  await keys.keepsFocus();

  await keys.to('Your wallet here may sign', 'switch');
  await keyboard.press('Space');
  await page.getByRole('heading', { name: 'Signing is paused' }).waitFor();
  await keys.keepsFocus();
  await keys.press('Sign out');
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await keys.keepsFocus();
  // What is not yet known, or not any more, is asked for all the same.
  expect(complaints.filter((text) => !/\b40[14]\b/.test(text))).toEqual([]);
});
