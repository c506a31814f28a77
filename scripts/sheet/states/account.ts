import { addPasskeys } from '../people.ts';
import { ofPerson, open, press, type Shown, type Stage, type State } from '../stage.ts';

const askToSign = async ({ page }: Stage): Promise<void> => {
  await press(page, 'Demo wallet');
  await page.getByRole('dialog', { name: /^Demo wallet/ }).waitFor();
};

export const signIn: Shown = {
  path: '/account',
  states: [
    { name: 'as it is' },
    {
      name: 'in a dialog',
      path: '/',
      act: async ({ page }) => {
        await page.getByRole('link', { name: 'Sign in' }).first().click();
        await page.getByRole('dialog').waitFor();
      },
    },
    { name: 'the wallet asks', act: askToSign },
    {
      name: 'refused',
      act: async (stage) => {
        await askToSign(stage);
        await press(stage.page, 'Refuse');
        await stage.page.getByText('You said no').waitFor();
      },
    },
    { name: 'an answer of nobody', path: '/account?code=stolen&state=nobodys' },
    {
      name: 'at the identity provider',
      act: async ({ page }) => {
        await press(page, /^Continue with/);
        await page.getByLabel('Name').waitFor();
      },
    },
  ],
};

/** Somebody without a wallet: the account has one. */
const byPasskey = async (stage: Stage): Promise<void> => {
  await addPasskeys(stage.page);
  await press(stage.page, 'New account with a passkey');
  await stage.page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  await stage.page.getByText('1,000 USDC').first().waitFor();
};

const inDialog = (name: string, button: string, fill?: (stage: Stage) => Promise<unknown>): State => ({
  name,
  who: 'newcomer',
  act: async (stage) => {
    await stage.page.getByText('1,000 USDC').first().waitFor();
    await press(stage.page, button);
    await stage.page.getByRole('dialog').waitFor();
    await fill?.(stage);
  },
});

const fillKey = async ({ page }: Stage): Promise<void> => {
  await page.getByLabel('Name').fill('My trading bot');
  await page.getByLabel('Dollars a trade').fill('25');
  await page.getByLabel('Dollars a day').fill('200');
  await press(page, 'Create key');
  await page.getByText('Copy the key now').waitFor();
};

export const account: Shown = {
  path: '/account',
  states: [
    ...ofPerson,
    { name: 'by passkey, one way in', act: byPasskey },
    inDialog('new key', 'New key'),
    inDialog('new key, wrong', 'New key', ({ page }) => press(page, 'Create key')),
    inDialog('new key, made', 'New key', fillKey),
    inDialog('with a key that is about to be revoked', 'New key', async (stage) => {
      await fillKey(stage);
      await press(stage.page, 'I have it');
      await press(stage.page, 'Revoke My trading bot');
    }),
    inDialog('send out', 'Send out'),
    inDialog('send out, once more', 'Send out', async ({ page }) => {
      await page.getByLabel('Amount').fill('12.5');
      await page.getByLabel('To the address').fill(`0x${'12ab'.repeat(10)}`);
      await press(page, 'Continue');
      await page.getByText('This cannot be taken back').waitFor();
    }),
    inDialog('add a passkey', 'Add a passkey'),
    inDialog('link a wallet', 'Link a wallet'),
    {
      name: 'paused',
      who: 'newcomer',
      act: async ({ page }) => {
        await page.getByRole('switch', { name: 'Your wallet here may sign' }).click();
        await page.getByText('Signing is paused').waitFor();
      },
    },
    {
      name: 'a second way in before the first buy',
      act: async (stage) => {
        await byPasskey(stage);
        await open(stage, '/token/paper-boat');
        await press(stage.page, /^Buy [\d,.]+/);
        await stage.page.getByRole('dialog').waitFor();
      },
    },
  ],
};
