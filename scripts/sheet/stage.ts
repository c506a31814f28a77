import type { DevChain, System } from '@mintage/devnet';
import type { BrowserContext, Page } from 'playwright-core';
import type { Who } from './people.ts';

/** What a state is brought about with: the real service and its chains. */
export interface Stage {
  page: Page;
  context: BrowserContext;
  /** Address of the pages, without a slash at its end. */
  url: string;
  system: System;
  chain: DevChain;
  /** What is done at the end, so that nothing is in the way of the states that follow. */
  undo: (() => Promise<unknown>)[];
}

export interface State {
  name: string;
  /** Absent: nobody in particular. */
  who?: Who;
  /** Path of the page with its query. Absent: that of the page's example. */
  path?: string;
  /** What the service's answers to this visit are: none comes, or each is refused. Absent: as they are. */
  answers?: 'none' | 'refused';
  /** It changes what others see, so nobody else looks meanwhile. */
  isAlone?: true;
  /** It is there at one width alone. */
  width?: number;
  /** Brings it about, once the page is there. */
  act?(stage: Stage): Promise<unknown>;
}

/** A page's example, and the states that it is shown in. */
export interface Shown {
  path: string;
  states: readonly State[];
}

/** Each page as it is, while it waits, and when all that it asks is refused. */
export const always: readonly State[] = [
  { name: 'as it is' },
  { name: 'loading', answers: 'none' },
  { name: 'error', answers: 'refused' },
];

/** Of pages of one's own. */
export const ofPerson: readonly State[] = [
  { name: 'nobody signed in' },
  { name: 'as it is', who: 'alice' },
  { name: 'empty', who: 'newcomer' },
  { name: 'loading', who: 'alice', answers: 'none' },
  { name: 'error', who: 'alice', answers: 'refused' },
];

/** Until the page says that nothing answers. */
export const offline: State = {
  name: 'offline',
  act: async ({ page, context }) => {
    await context.setOffline(true);
    await page.locator('html[data-offline]').waitFor();
  },
};

/** No block comes any more while this state is looked at: what is sent waits. */
export const holdBlocks = async ({ undo, system }: Stage): Promise<void> => {
  for (const { rpc } of system.chains) {
    undo.push(() => rpc('evm_setIntervalMining', [1]));
    await rpc('evm_setAutomine', [false]);
    await rpc('evm_setIntervalMining', [0]);
  }
};

export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name, exact: true }).first().click();

export const open = async ({ page, url }: Stage, path: string): Promise<void> => {
  await page.goto(url + path);
  await page.locator('html[data-ready]').waitFor();
};

/** In the dialog of the demo wallet. */
export const sign = (page: Page): Promise<void> => press(page, 'Sign');
