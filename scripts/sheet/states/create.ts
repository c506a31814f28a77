import type { Page } from 'playwright-core';
import { holdBlocks, press, type Shown, sign } from '../stage.ts';

/** A fern as a file. */
const picture = {
  name: 'fern.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#1f4d33"/><path d="M32 54V12M32 24 20 16m12 8 12-8M32 34 18 26m14 8 14-8M32 44 20 36m12 8 12-8" stroke="#b9e3b0" stroke-width="4" fill="none" stroke-linecap="round"/></svg>',
  ),
};

const fill = async (page: Page, name: string): Promise<void> => {
  await page.locator('input[type=file]').first().setInputFiles(picture);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Symbol', { exact: true }).fill('FERN');
  await page.getByLabel('Description').fill('A small token for people who restore woodland. Fees go to the seed bank.');
  await page.getByText('fern.svg').waitFor();
};

const act = 'Create on Base Sepolia';

export const create: Shown = {
  path: '/create',
  states: [
    { name: 'nobody signed in' },
    { name: 'as it is', who: 'newcomer' },
    { name: 'loading', who: 'newcomer', answers: 'none' },
    { name: 'error', who: 'newcomer', answers: 'refused' },
    { name: 'nothing filled in', who: 'newcomer', act: ({ page }) => press(page, act) },
    { name: 'filled in', who: 'newcomer', act: ({ page }) => fill(page, 'Fiddlehead') },
    {
      name: 'filled in, all open, with a buy',
      who: 'alice',
      act: async ({ page }) => {
        await fill(page, 'Paper Boat');
        await page.getByLabel('Symbol', { exact: true }).fill('BOAT');
        await page.getByText('Links, banner').click();
        await page.getByRole('switch').click();
        await page
          .getByText(/^About [\d.]+M/)
          .first()
          .waitFor();
      },
    },
    {
      name: 'the wallet asks',
      who: 'alice',
      act: async ({ page }) => {
        await fill(page, 'Fiddlehead');
        await press(page, act);
        await page.getByRole('dialog', { name: /^Demo wallet/ }).waitFor();
      },
    },
    {
      name: 'refused in the wallet',
      who: 'alice',
      act: async ({ page }) => {
        await fill(page, 'Fiddlehead');
        await press(page, act);
        await press(page, 'Refuse');
        await page.getByRole('alert').waitFor();
      },
    },
    {
      name: 'pending, in no block yet',
      who: 'alice',
      isAlone: true,
      act: async (stage) => {
        const { page } = stage;
        await fill(page, 'Fiddlehead');
        await press(page, act);
        await holdBlocks(stage);
        await sign(page);
        await page.getByText('Sent').first().waitFor();
      },
    },
    {
      name: 'created, its page opens',
      who: 'alice',
      isAlone: true,
      act: async ({ page }) => {
        await fill(page, 'Fern Two');
        await press(page, act);
        await sign(page);
        await page.waitForURL('**/token/fern-two*');
        await page.getByRole('heading', { level: 1 }).waitFor();
      },
    },
  ],
};
