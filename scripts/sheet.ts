/**
 * `npm run sheet -- <folder>`: every page in every state at two widths in two themes, as pictures on one sheet, `index.html`.
 * The states are real: of a service and chains that are started for it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type DevChain, devAccounts, devKey, type System, startSystem } from '@mintage/devnet';
import { chromiumPath } from '@mintage/devnet/chromium';
import { createReader, signIn } from '@mintage/sdk';
import { embedPaths, pagePaths } from '@mintage/web/paths';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { missingOn, type Shown, type State, shownPages } from './sheet/states.ts';

const widths = [1280, 360] as const;
const themes = ['light', 'dark'] as const;
/** Pages that are taken at once. */
const atOnce = 2;

interface Shot {
  page: string;
  state: string;
  /** One for each width and theme; undefined: it could not be brought about, and why. */
  files: string[];
  failed?: string;
}

const folder = resolve(process.argv[2] ?? 'sheet');
/** Only this page; absent: all. */
const only = process.argv[3];

const main = async (): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const limits = JSON.stringify({ anonymous: 1e6, authenticated: 1e6, signIn: 1e4 });
  const [system, browser] = await Promise.all([
    startSystem({ env: { CHAINS: 'base-sepolia,unichain-testnet', LOG_LEVEL: 'error', RATE_LIMITS: limits } }),
    chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] }),
  ]);
  try {
    const pages = shownPages(await minedOf(system));
    const known = [...Object.keys(pagePaths), ...Object.keys(embedPaths)] as Parameters<typeof missingOn>[1];
    const missing = missingOn(pages, known);
    if (missing.length > 0) throw new Error(`The sheet has no example of ${missing.join(', ')} (sheet/states.ts).`);
    const shown = Object.entries(pages).filter(([name]) => known.some((one) => one === name) || name === 'notFound');
    const wanted = shown.flatMap(([name, page]) => page.states.map((state) => ({ name, page, state })));
    const work = wanted.filter(({ name }) => only === undefined || name === only);
    const shots: Shot[] = [];
    const takeNext = async (): Promise<void> => {
      for (let next = work.shift(); next !== undefined; next = work.shift()) {
        const shot = await take(system, browser, next.name, next.page, next.state);
        console.log(`${shot.page}, ${shot.state}${shot.failed === undefined ? '' : `: FAILED, ${shot.failed}`}`);
        shots.push(shot);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, takeNext));
    const order = wanted.map(({ name, state }) => `${name} ${state.name}`);
    const place = ({ page, state }: Shot): number => order.indexOf(`${page} ${state}`);
    await writeFile(join(folder, 'index.html'), sheet(shots.toSorted((one, other) => place(one) - place(other))));
    console.log(`${shots.flatMap(({ files }) => files).length} pictures: ${join(folder, 'index.html')}`);
    if (shots.some(({ failed }) => failed !== undefined)) process.exitCode = 1;
  } finally {
    await browser.close();
    await system.stop();
  }
};

const take = async (system: System, browser: Browser, name: string, shown: Shown, state: State): Promise<Shot> => {
  const shot: Shot = { page: name, state: state.name, files: [] };
  try {
    for (const width of widths)
      for (const theme of themes) {
        const context = await browser.newContext({
          viewport: { width, height: width === 360 ? 780 : 900 },
          colorScheme: theme,
          locale: 'en-US',
          timezoneId: 'UTC',
        });
        try {
          const page = await bringAbout(system, context, state, state.path ?? shown.path);
          const file = `${name}-${state.name}-${width}-${theme}.png`.replaceAll(/[^a-zA-Z0-9.-]+/g, '-');
          await page.screenshot({ path: join(folder, file), fullPage: true });
          shot.files.push(file);
        } finally {
          await context.close();
        }
      }
  } catch (error) {
    shot.failed = (error as Error).message.split('\n')[0] ?? '';
  }
  return shot;
};

const bringAbout = async (system: System, context: BrowserContext, state: State, path: string): Promise<Page> => {
  const url = system.config.appUrl;
  const chain = system.chains[0] as DevChain;
  if (state.who !== undefined) await comeAs(context, url, state.who);
  const page = await context.newPage();
  if (state.answers === undefined) {
    const answer = await page.goto(url + path);
    if ((answer?.status() ?? 500) >= 500) throw new Error(`The page is answered by ${answer?.status()}.`);
    // A frame that only says that there is nothing runs no script.
    if (answer?.ok()) await page.locator('html[data-ready]').waitFor({ timeout: 10_000 });
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
  await state.act?.({ page, context, url, chain });
  // What comes a moment after the page.
  await page.waitForTimeout(1_200);
  return page;
};

/** Signs somebody in, as a browser keeps it. */
const comeAs = async (context: BrowserContext, url: string, who: NonNullable<State['who']>): Promise<void> => {
  const key = who === 'alice' ? devKey('alice') : generatePrivateKey();
  const account = who === 'alice' ? devAccounts().alice : privateKeyToAccount(key);
  const signedIn = (await signIn(createReader({ baseUrl: url }), account)) as { userId?: string };
  const kept = {
    'mintage session': JSON.stringify({ ...signedIn, by: 'wallet' }),
    'mintage demo wallet': JSON.stringify(key),
  };
  await context.addInitScript(
    `for (const [name, text] of Object.entries(${JSON.stringify(kept)})) localStorage.setItem(name, text)`,
  );
};

/** A transaction that the index knows. */
const minedOf = async ({ config, chains }: System): Promise<{ chain: string; hash: string }> => {
  const [chain] = chains;
  const slug = chain?.chain.slug ?? '';
  const { token } = await createReader({ baseUrl: config.appUrl }).getTokenAbout({ token_id: 'paper-boat' });
  const hash = token.token_addresses.find((one) => one.chain === slug)?.tx_hash;
  if (hash === undefined || hash === null) throw new Error('The seed has no transaction to show.');
  return { chain: slug, hash };
};

const sheet = (shots: readonly Shot[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Every page in every state</title>
<style>
  body { margin: 24px; font: 14px/1.4 system-ui, sans-serif; background: #777; color: #fff; }
  section { display: grid; grid-template-columns: 4fr 4fr 1.2fr 1.2fr; gap: 16px; align-items: start; margin-bottom: 40px; }
  img { width: 100%; display: block; }
  .failed { color: #ffd0d0; }
</style>
<h1>Every page in every state</h1>
${shots.map(row).join('\n')}
</html>
`;

const row = ({ page, state, files, failed }: Shot): string =>
  `<h2>${page}: ${state}</h2>${failed === undefined ? '' : `<p class="failed">${escaped(failed)}</p>`}
<section>${files.map((file) => `<a href="${file}"><img src="${file}" alt="${file}" loading="lazy"></a>`).join('')}</section>`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

await main();
