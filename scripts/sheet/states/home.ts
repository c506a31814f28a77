import { always, offline, press, type Shown } from '../stage.ts';
import { newToken } from './trades.ts';

export const home: Shown = {
  path: '/',
  states: [
    ...always,
    { name: 'empty', path: '/?q=nothing-is-called-so' },
    { name: 'graduated', path: '/?stage=graduated' },
    { name: 'nothing watched', path: '/?watched=yes' },
    {
      name: 'searching',
      width: 1280,
      act: async ({ page }) => {
        await page.keyboard.press('/');
        await page.getByRole('combobox').first().fill('night');
        await page.getByRole('option').first().waitFor();
      },
    },
    {
      name: 'searching on a phone',
      width: 360,
      act: async ({ page }) => {
        await press(page, 'Search');
        await page.locator('#search-sheet').getByRole('combobox').fill('night');
        await page.getByRole('option').first().waitFor();
      },
    },
    {
      name: 'something new while a pointer is in the list',
      width: 1280,
      isAlone: true,
      act: async ({ page, chain }) => {
        await page.getByText('Harbour Works').first().hover();
        await newToken(chain);
        await page.locator('.new').waitFor();
      },
    },
    offline,
  ],
};
