/**
 * `npm run sheet -- <folder> [page]`: every page in every state at two widths in two themes, as pictures on one sheet, `index.html`.
 * The states are real: of a service and chains that are started for it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type DevChain, type System, startSystem } from '@mintage/devnet';
import { chromiumPath } from '@mintage/devnet/chromium';
import { freePort } from '@mintage/devnet/freePort';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { contactSheet, type Shot } from './sheet/contactSheet.ts';
import { comeAs } from './sheet/people.ts';
import { photograph, widths } from './sheet/photograph.ts';
import type { Shown, Stage, State } from './sheet/stage.ts';
import { missingOn, shownPages } from './sheet/states.ts';

/** States that are brought about at once. */
const atOnce = 2;
/** No state may take longer, milliseconds for each of its waits. */
const patienceMs = 20_000;

const folder = resolve(process.argv[2] ?? 'sheet');
/** Only this page; absent: all. */
const only = process.argv[3];

interface Wanted {
  name: string;
  shown: Shown;
  state: State;
}

const main = async (): Promise<void> => {
  const missing = missingOn(shownPages);
  if (missing.length > 0) throw new Error(`The sheet has no example of ${missing.join(', ')} (sheet/states).`);
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const env = {
    CHAINS: 'base-sepolia,unichain-testnet',
    LOG_LEVEL: 'error',
    RATE_LIMITS: JSON.stringify({ anonymous: 1e6, authenticated: 1e6, signIn: 1e4 }),
    PORT: String(port),
    // Browsers let a page of a name use passkeys, and of a number not.
    PUBLIC_URL: `http://localhost:${port}`,
  };
  const [system, browser] = await Promise.all([
    startSystem({ env }),
    chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] }),
  ]);
  try {
    const wanted = Object.entries(shownPages)
      .filter(([name]) => only === undefined || name === only)
      .flatMap(([name, shown]) => shown.states.map((state) => ({ name, shown, state })));
    const shots = new Map<Wanted, Shot>();
    const takeAll = async (work: Wanted[]): Promise<void> => {
      for (let next = work.shift(); next !== undefined; next = work.shift()) {
        const shot = await take(system, browser, next);
        console.log(`${shot.page}, ${shot.state}${shot.failed === undefined ? '' : `: FAILED, ${shot.failed}`}`);
        shots.set(next, shot);
      }
    };
    const together = wanted.filter(({ state }) => !state.isAlone);
    await Promise.all(Array.from({ length: atOnce }, () => takeAll(together)));
    await takeAll(wanted.filter(({ state }) => state.isAlone));
    const inOrder = wanted.flatMap((one) => shots.get(one) ?? []);
    await writeFile(join(folder, 'index.html'), contactSheet(inOrder));
    console.log(`${inOrder.flatMap(({ files }) => files).length} pictures: ${join(folder, 'index.html')}`);
    if (inOrder.some(({ failed }) => failed !== undefined)) process.exitCode = 1;
  } finally {
    await browser.close();
    await system.stop();
  }
};

const take = async (system: System, browser: Browser, { name, shown, state }: Wanted): Promise<Shot> => {
  const shot: Shot = { page: name, state: state.name, files: [] };
  const context = await browser.newContext({
    viewport: { width: state.width ?? widths[0], height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(patienceMs);
  const path = join(folder, `${name}-${state.name}`.replaceAll(/[^a-zA-Z0-9/-]+/g, '-'));
  const undo: Stage['undo'] = [];
  try {
    const stage = { ...(await comeTo(system, context, state, state.path ?? shown.path)), undo };
    await state.act?.(stage);
    // What comes a moment after the page.
    await stage.page.waitForTimeout(800);
    shot.files = (await photograph(stage.page, path, state.width)).map((file) => basename(file));
  } catch (error) {
    shot.failed = (error as Error).message.split('\n')[0] ?? '';
    await context
      .pages()
      .at(-1)
      ?.screenshot({ path: `${path}-failed.png` });
    shot.files = [basename(`${path}-failed.png`)];
  }
  for (const one of undo) await one();
  // What was held is in a block and in the index before anybody else looks.
  if (undo.length > 0) await setTimeout(2_000).then(() => system.caughtUp());
  await context.close();
  return shot;
};

const comeTo = async (
  system: System,
  context: BrowserContext,
  state: State,
  path: string,
): Promise<Omit<Stage, 'undo'>> => {
  const url = system.config.appUrl;
  if (state.who !== undefined) await comeAs(context, url, state.who);
  const page = await context.newPage();
  if (state.answers === undefined) {
    const answer = await page.goto(url + path);
    if ((answer?.status() ?? 500) >= 500) throw new Error(`The page is answered by ${answer?.status()}.`);
    // A frame that only says that there is nothing runs no script.
    if (answer?.ok()) await page.locator('html[data-ready]').waitFor();
  } else {
    // Some pages come with their data: they are gone to from one that has none.
    await page.goto(`${url}/token/there-is-no-such-token`);
    await page.locator('html[data-ready]').waitFor();
    await page.route('**/functions/v1/**', async (route) => {
      // One that waits is never answered; one that is refused is asked wrongly, so that the service itself says no.
      if (state.answers === 'refused') await route.continue({ method: 'POST', postData: '{' });
    });
    await page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
    );
  }
  return { page, context, url, system, chain: system.chains[0] as DevChain };
};

await main();
