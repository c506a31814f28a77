import { AxeBuilder } from '@axe-core/playwright';
import type { DevChain, Receipt, System, SystemOptions } from '@mintage/devnet';
import { chromiumPath } from '@mintage/devnet/chromium';
import { testSystem } from '@mintage/devnet/testSystem';
import { encodeApprove, encodeMint, encodeOrder, launchpadAbi, type Slug } from '@mintage/protocol';
import { createReader, type Reader, signIn } from '@mintage/sdk';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Frame,
  type Page,
} from 'playwright-core';
import {
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  numberToHex,
  type PrivateKeyAccount,
  parseUnits,
  zeroAddress,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { faultsOfStillness, faultsOfStructure, faultsOfText } from './look.ts';
import { addTestWallet, type TestWallet, testWalletName } from './testWallet.ts';

export interface Visit {
  page: Page;
  context: BrowserContext;
  complaints: readonly string[];
}

/** What a browser keeps of who is signed in. */
export interface KeptSession {
  accessToken: string;
  refreshToken?: string;
  userId: string;
  by: 'wallet' | 'passkey' | 'issuer';
}

/** A running service with its chains and the app, and a browser before it. One for all tests of a file. */
export interface World {
  readonly system: System;
  readonly browser: Browser;
  /** Of Base Sepolia. */
  readonly chain: DevChain;
  /** Where the app is. */
  readonly app: string;
  readonly api: Reader;
  chainOf(slug: Slug): DevChain;
  /** A browser of its own, that is closed after the test. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** A page of the context, or of a new one; shown when it runs, or at once where it runs no scripts. */
  visit(path: string, options?: BrowserContextOptions | BrowserContext): Promise<Visit>;
  /** To another page of the app, once it runs there. */
  go(page: Page, path: string): Promise<void>;
  /** Asks the service, without SDK. */
  post<Answer>(path: string, body: object, bearer?: string): Promise<Answer>;
  /** Signs in by a wallet's key, outside of the browser. */
  sessionOf(account: PrivateKeyAccount): Promise<KeptSession>;
  /** A user of the local issuer, who has no wallet of their own. */
  issuedTo(name: string): Promise<KeptSession>;
  /** Keeps things in a browser as another tab of the app does: name and value. */
  keep(context: BrowserContext, items: Record<string, unknown>): Promise<void>;
  /** Money for the network's fees on all chains, and dollars on the first or this one. */
  fund(address: Hex, dollars?: string, chain?: DevChain): Promise<void>;
  /** The test wallet in the context's pages, with money; on the first chain. */
  addWallet(context: BrowserContext, account?: PrivateKeyAccount): Promise<TestWallet>;
  /** As `addWallet`, connected and signed in as on an earlier visit. */
  addUser(context: BrowserContext, account?: PrivateKeyAccount): Promise<{ wallet: TestWallet; session: KeptSession }>;
  /** A buy outside of the page, on the chain itself. */
  buy(token: Hex, dollars: string, account?: PrivateKeyAccount): Promise<Receipt>;
  /** Buys for so many dollars, by which the token's curve is full, and has it graduate where the buy did not. */
  graduate(token: Hex, dollars: string, account?: PrivateKeyAccount): Promise<void>;
  /** Of an ERC-20 token, base units; on the first chain or this one. */
  balanceOf(token: Hex, owner: Hex, chain?: DevChain): Promise<bigint>;
}

/** Of a token, as somebody has it on their disk. */
export const picture = {
  name: 'fern.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/** For what a page does; a poll's in vitest.config.ts. */
const longestMs = 90_000;

interface WorldOptions extends Omit<SystemOptions, 'env'> {
  env?: Record<string, string>;
}

/** Prints what a page shows, for who has to explain why a test failed. */
const tell = async (page: Page): Promise<void> => {
  const text = await page.locator('body').innerText({ timeout: 5_000 }).catch(String);
  console.log(`${page.url()} shows:\n${text.replaceAll(/\n\s*\n/g, '\n')}`);
};

/** Starts a world before the tests of a file, and ends it after them. */
export const useWorld = ({ env, ...options }: WorldOptions = {}): World => {
  let system: System;
  let browser: Browser;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    const limits = '{"anonymous": 1000000, "authenticated": 1000000, "signIn": 10000}';
    const standard = { CHAINS: 'base-sepolia,unichain-testnet', LOG_LEVEL: 'error', RATE_LIMITS: limits };
    const browserStarts = chromiumPath().then((executablePath) =>
      chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-software-rasterizer'] }),
    );
    const [startedSystem, startedBrowser] = await Promise.allSettled([
      testSystem({ ...options, env: { ...standard, ...env } }),
      browserStarts,
    ]);
    if (startedSystem.status === 'fulfilled') system = startedSystem.value;
    if (startedBrowser.status === 'fulfilled') browser = startedBrowser.value;
    if (startedSystem.status === 'rejected') throw startedSystem.reason;
    if (startedBrowser.status === 'rejected') throw startedBrowser.reason;
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') for (const page of contexts.flatMap((one) => one.pages())) await tell(page);
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });

  const world: World = {
    get system() {
      return system;
    },
    get browser() {
      return browser;
    },
    get chain() {
      return world.chainOf('base-sepolia');
    },
    get app() {
      return system.config.appUrl;
    },
    get api() {
      return createReader({ baseUrl: world.app });
    },
    chainOf(slug) {
      const found = system.chains.find(({ chain }) => chain.slug === slug);
      if (found === undefined) throw new Error(`This world has no ${slug}.`);
      return found;
    },
    async newContext(options) {
      const context = await newContext(browser, options);
      contexts.push(context);
      return context;
    },
    async visit(path, options = {}) {
      const context = 'newPage' in options ? options : await world.newContext(options);
      const page = await context.newPage();
      const complaints = complaintsOf(page);
      await page.goto(world.app + path);
      if (!('javaScriptEnabled' in options) || options.javaScriptEnabled !== false) await runs(page);
      return { page, context, complaints };
    },
    async go(page, path) {
      await page.goto(world.app + path);
      await runs(page);
    },
    async post(path, body, bearer) {
      const headers = { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) };
      const answer = await fetch(`${system.url}/functions/v1${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return (await answer.json()) as never;
    },
    sessionOf: async (account) => ({ ...(await signIn(world.api, account)), by: 'wallet' }),
    async issuedTo(name) {
      const accessToken = await (await fetch(`${system.issuerUrl}/token?name=${name}`)).text();
      const { data } = await world.post<{ data: { userId: string } }>('/me', {}, accessToken);
      return { accessToken, userId: data.userId, by: 'issuer' };
    },
    async keep(context, items) {
      const page = await context.newPage();
      // A document of the same origin that does not run the app.
      await page.goto(`${world.app}/functions/v1/health`);
      const texts = Object.entries(items).map(([name, value]) => [`mintage ${name}`, JSON.stringify(value)] as const);
      await page.evaluate((kept) => {
        for (const [name, value] of kept) localStorage.setItem(name, value);
      }, texts);
      await page.close();
    },
    async fund(address, dollars = '10000', { deployment, wallet, accounts } = world.chain) {
      for (const { rpc } of system.chains) await rpc('anvil_setBalance', [address, numberToHex(10n ** 20n)]);
      const data = encodeMint(address, parseUnits(dollars, deployment.usdDecimals));
      await wallet.send(accounts.faucet, { to: deployment.usd, data });
    },
    async addWallet(context, account = privateKeyToAccount(generatePrivateKey())) {
      await world.fund(account.address);
      const rpcUrls = new Map(system.chains.map((one) => [one.chain.chainId, one.rpcUrl]));
      return addTestWallet(context, account, rpcUrls, world.chain.chain.chainId);
    },
    async addUser(context, account = privateKeyToAccount(generatePrivateKey())) {
      const wallet = await world.addWallet(context, account);
      wallet.isConnected = true;
      const session = await world.sessionOf(account);
      await world.keep(context, { session, wallet: testWalletName });
      return { wallet, session };
    },
    async buy(token, dollars, account = world.chain.accounts.dave) {
      const { wallet, accounts, deployment } = world.chain;
      const { usd, launchpad, usdDecimals } = deployment;
      const amount = parseUnits(dollars, usdDecimals);
      await wallet.send(accounts.faucet, { to: usd, data: encodeMint(account.address, amount) });
      await wallet.send(account, { to: usd, data: encodeApprove(launchpad, amount) });
      const nobody = { builder: zeroAddress, builderBps: 0n, referral: zeroAddress, deadline: maxUint256 };
      const data = encodeOrder('buyExactIn', { token, amount, limit: 0n, recipient: account.address, ...nobody });
      return wallet.send(account, { to: launchpad, data });
    },
    async graduate(token, dollars, account) {
      await world.buy(token, dollars, account);
      const { rpc, wallet, accounts, deployment } = world.chain;
      const data = encodeFunctionData({ abi: launchpadAbi, functionName: 'graduate', args: [token] });
      const call = { to: deployment.launchpad, data, gas: 9_000_000n };
      const isDue = await rpc('eth_call', [{ to: call.to, data }, 'latest']).then(
        () => true,
        () => false,
      );
      if (isDue) await wallet.send(accounts.faucet, call);
    },
    async balanceOf(token, owner, { rpc } = world.chain) {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] });
      const answer = (await rpc('eth_call', [{ to: token, data }, 'latest'])) as Hex;
      return answer === '0x' ? 0n : BigInt(answer);
    },
  };
  return world;
};

const newContext = async (browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> => {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options });
  context.setDefaultTimeout(longestMs);
  return context;
};

export interface Device {
  /** Id of the authenticator. */
  id: string;
  devtools: CDPSession;
}

/** A device that keeps passkeys and knows its user. */
export const newDevice = async (page: Page): Promise<Device> => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2' as const,
    transport: 'internal' as const,
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  };
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
  return { id: authenticatorId, devtools };
};

/** What a page complains of from now on: errors of scripts, answers that are errors, a broken policy for content. */
export const complaintsOf = (page: Page): readonly string[] => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`.trim());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
};

/** Waits until the page runs, not only shows. */
export const runs = (page: Page | Frame): Promise<unknown> => page.locator('html[data-ready]').waitFor();

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What another theme can change. */
const rulesOfColor = ['color-contrast', 'link-in-text-block'];

/**
 * Looks at what a page shows now, in both themes, wide, as at 200 % zoom, and narrow: no fault that axe finds, no sideways scroll,
 * nothing that moves for who wants no motion, no text that is cut or lies on another, and none where letters are twice as big.
 * While a dialog is open it is about the dialog: nothing else can be reached.
 *
 * @param what - For the message: where we are.
 */
export const hasNoFault = async (page: Page, what: string, widths = [1280, 640, 360]): Promise<void> => {
  const before = page.viewportSize();
  const look = async (how: string, faults: string): Promise<void> =>
    expect.soft(await page.evaluate<string[]>(faults), `${what}, ${how}`).toEqual([]);
  const isSideways = `[document.documentElement.scrollWidth - innerWidth].filter((over) => over > 0)`;
  const isDialog = await page.evaluate<boolean>("document.querySelector('dialog:modal') !== null");
  let isThere = false;
  const axe = (): AxeBuilder => {
    // The page keeps axe after the first look: it would be read there twice more for each.
    const all = new AxeBuilder({ page, ...(isThere && { axeSource: 'void 0' }) });
    isThere = true;
    // What passed is not told, and no page of its own adds up the frames, of which there are none: both cost more than the rules.
    all.options({ resultTypes: ['violations'] }).setLegacyMode();
    return isDialog ? all.include('dialog:modal') : all;
  };

  await look('its structure', faultsOfStructure);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await look('no motion', faultsOfStillness);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await look(`${width} px, sideways`, isSideways);
    await look(`${width} px, texts`, faultsOfText);
    if (width === 640) continue; // axe finds there what it finds at the other widths
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const found = await (colorScheme === 'light' ? axe().withTags(rules) : axe().withRules(rulesOfColor)).analyze();
      const violations = found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
      expect(violations, `${what}, ${width} px, ${colorScheme}`).toEqual([]);
    }
  }
  const devtools = await page.context().newCDPSession(page);
  const letters = async (standard: number): Promise<void> => {
    await devtools.send('Page.setFontSizes', { fontSizes: { standard } });
    // What depends on the width in letters follows in the next frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  };
  await page.setViewportSize({ width: 1280, height: 800 });
  await letters(32);
  await look('big letters, sideways', isSideways);
  await look('big letters, texts', faultsOfText);
  await letters(16);
  await page.emulateMedia({ reducedMotion: null, colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
};
