import type { Page } from 'playwright-core';
import { always, holdBlocks, offline, open, press, type Shown, type Stage, type State, sign } from '../stage.ts';
import { addressOf, buyCall, newToken } from './trades.ts';

const box = (page: Page) => page.getByRole('region', { name: 'Trade' });
const buy = /^Buy [\d,.]+/;

/** Somebody buys, and the chain takes back the block that it is in. */
const takeBack = async ({ page, chain, url }: Stage): Promise<void> => {
  const { alice } = chain.accounts;
  const call = buyCall(chain, await addressOf(url, 'paper-boat'), alice.address, 60);
  // The chain counts the account's transactions itself: a wallet would go on from the one that is taken back.
  await chain.rpc('anvil_impersonateAccount', [alice.address]);
  await chain.rpc('eth_sendTransaction', [{ from: alice.address, ...call }]);
  await page.locator('.trades tbody tr').getByText('60.00').first().waitFor();
  await chain.rpc('anvil_reorg', [3, []]);
  await page.locator('[data-taken-back]').first().waitFor();
};

/** Up to the fee of the message. */
const priceSending = async ({ page }: Stage): Promise<void> => {
  await press(page, 'Send to another chain');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('1000.5');
  await press(page, 'See the message fee');
  await dialog.getByText('Message fee').waitFor();
};

const states: readonly State[] = [
  ...always,
  { name: 'with a wallet', who: 'alice' },
  { name: 'somebody new with a wallet', who: 'newcomer' },
  { name: 'graduated', path: '/token/lighthouse' },
  { name: 'without a trade', path: '/token/first-light' },
  { name: 'nearly full', path: '/token/tin-robot' },
  { name: 'selling', who: 'alice', act: ({ page }) => page.getByRole('tab', { name: 'Sell' }).click() },
  {
    name: 'the sheet of a phone',
    who: 'alice',
    width: 360,
    act: async ({ page }) => {
      await page.locator('.mine').getByRole('button', { name: 'Buy' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'a large buy, slippage open',
    who: 'alice',
    act: async ({ page }) => {
      await box(page).getByRole('textbox').fill('9000');
      await box(page).locator('.slippage summary').click();
    },
  },
  {
    name: 'more than there is',
    who: 'alice',
    act: ({ page }) => box(page).getByRole('textbox').fill('900000'),
  },
  {
    name: 'connected, to sign in',
    act: async ({ page }) => {
      // The one wallet that there is has to say so first.
      await page.waitForTimeout(1_000);
      await press(page, 'Connect');
      await box(page).locator('.btn[data-step=signIn]').waitFor();
    },
  },
  {
    name: 'the wallet asks',
    who: 'alice',
    act: async ({ page }) => {
      await box(page).getByRole('button', { name: buy }).click();
      await page.getByRole('dialog', { name: /^Demo wallet/ }).waitFor();
    },
  },
  {
    name: 'refused in the wallet',
    who: 'alice',
    act: async ({ page }) => {
      await box(page).getByRole('button', { name: buy }).click();
      await press(page, 'Refuse');
      await page.getByText('Your wallet refused').waitFor();
    },
  },
  {
    name: 'a proof',
    act: async ({ page }) => {
      await page.locator('.fact', { hasText: 'Ten largest holders' }).getByRole('link').click();
      await press(page, 'Ask now');
      await page.locator('dialog pre').nth(1).waitFor();
    },
  },
  { name: 'on your page', act: ({ page }) => press(page, 'Show it on your page') },
  {
    name: 'sending to another chain',
    who: 'alice',
    act: ({ page }) => press(page, 'Send to another chain'),
  },
  { name: 'sending to another chain, the fee', who: 'alice', act: priceSending },
  {
    name: 'pending, in no block yet',
    who: 'alice',
    isAlone: true,
    act: async (stage) => {
      const { page } = stage;
      await box(page).getByRole('button', { name: buy }).click();
      await holdBlocks(stage);
      await sign(page);
      await page.locator('.own li').getByText('sent').waitFor();
    },
  },
  {
    name: 'bought, in a block',
    who: 'alice',
    isAlone: true,
    act: async ({ page }) => {
      await box(page).getByRole('button', { name: buy }).click();
      await sign(page);
      await page
        .locator('.own li')
        .getByText(/^(block|final)/)
        .waitFor();
    },
  },
  {
    name: 'pending, on its way to another chain',
    who: 'alice',
    path: '/token/night-train',
    isAlone: true,
    act: async (stage) => {
      await priceSending(stage);
      await press(stage.page, /^Send 1,?000.5/);
      await holdBlocks(stage);
      await sign(stage.page);
      await stage.page.locator('.crossing').waitFor();
    },
  },
  { name: 'reorged, a trade of others', isAlone: true, act: takeBack },
  {
    name: 'reorged, an own trade',
    who: 'alice',
    isAlone: true,
    act: async ({ page, chain }) => {
      await box(page).getByRole('button', { name: buy }).click();
      await sign(page);
      await page
        .locator('.own li')
        .getByText(/^(block|final)/)
        .waitFor();
      await chain.rpc('anvil_reorg', [2, []]);
      await page.locator('.own [data-status=takenBack]').waitFor();
    },
  },
  {
    name: 'opening window',
    isAlone: true,
    act: async (stage) => {
      const { chain, system, page } = stage;
      await open(stage, '/token/paper-boat');
      const token = await newToken(chain);
      await holdBlocks(stage);
      await system.caughtUp();
      await open(stage, `/token/${token}`);
      await page.getByText('Opening fee', { exact: true }).waitFor();
    },
  },
  offline,
];

export const token: Shown = { path: '/token/paper-boat', states };
