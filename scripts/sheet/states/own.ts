import { holdBlocks, offline, ofPerson, press, type Shown, sign } from '../stage.ts';

/** On what the pages of one's own are about, a wallet asks once for each chain. */
const claimAll = /^Claim all/;

export const portfolio: Shown = {
  path: '/portfolio',
  states: [
    ...ofPerson,
    {
      name: 'a token open, and how it is counted',
      who: 'alice',
      act: async ({ page }) => {
        await page.locator('td button[aria-expanded=false]').first().click();
        await page.getByText('How this is counted').click();
      },
    },
    { name: 'nothing sold', who: 'newcomer', act: ({ page }) => page.getByRole('tab', { name: 'Sold' }).click() },
    { ...offline, who: 'alice' },
  ],
};

export const notifications: Shown = { path: '/notifications', states: ofPerson };

export const rewards: Shown = {
  path: '/rewards',
  states: [
    ...ofPerson,
    {
      name: 'how they come about, a wrong code',
      who: 'newcomer',
      act: async ({ page }) => {
        await page.getByText('How rewards come about').click();
        await page.getByLabel('Code', { exact: true }).fill('nobodys');
        await press(page, 'Use');
        await page.getByRole('alert').waitFor();
      },
    },
    {
      name: 'the wallet asks',
      who: 'alice',
      act: async ({ page }) => {
        await press(page, claimAll);
        await page.getByRole('dialog', { name: /^Demo wallet/ }).waitFor();
      },
    },
    {
      name: 'refused in the wallet',
      who: 'alice',
      act: async ({ page, system }) => {
        await press(page, claimAll);
        for (const _ of system.chains) await press(page, 'Refuse');
        await page.getByRole('alert').first().waitFor();
      },
    },
    {
      name: 'pending, the first claim in no block yet',
      who: 'alice',
      isAlone: true,
      act: async (stage) => {
        const { page } = stage;
        await press(page, claimAll);
        await holdBlocks(stage);
        await sign(page);
        await page.getByText('Under way').first().waitFor();
      },
    },
    {
      name: 'claimed',
      who: 'alice',
      isAlone: true,
      act: async ({ page, system }) => {
        await system.caughtUp();
        await press(page, claimAll);
        await sign(page);
        await page.getByRole('region', { name: 'Claimed' }).getByRole('row').nth(1).waitFor();
      },
    },
  ],
};
