import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import { type DevChain, type System, startSystem } from '@mintage/devnet';
import { encodeMint, launchpadAbi, type Slug } from '@mintage/protocol';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { decodeFunctionData, encodeFunctionData, erc20Abi, formatUnits, type Hex, numberToHex, parseUnits } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './chromium.ts';
import { addTestWallet, type SentTransaction, type TestWallet } from './testWallet.ts';

/** Creating, the portfolio and claiming, as people do it: a real browser and the running service on local chains. */
let system: System;
let chain: DevChain;
let browser: Browser;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  [system, browser] = await Promise.all([
    startSystem({
      env: {
        CHAINS: 'base-sepolia,unichain-testnet',
        LOG_LEVEL: 'error',
        RATE_LIMITS: '{"anonymous": 100000, "authenticated": 100000, "signIn": 1000}',
      },
    }),
    chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] }),
  ]);
  chain = system.chains.find((one) => one.chain.slug === 'base-sepolia') as DevChain;
});
afterAll(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  await browser?.close();
  await system?.stop();
});

const url = (path: string): string => `http://localhost:${new URL(system.url ?? '').port}${path}`;

const post = async <Answer>(path: string, body: object, token?: string): Promise<Answer> => {
  const answer = await fetch(`${system.url}/functions/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Answer;
};

interface Person {
  context: BrowserContext;
  page: Page;
  /** What the page complained of, a broken policy for content included. */
  complaints: string[];
  userId: string;
  accessToken: string;
}

const picture = {
  name: 'fern.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/** Signed in as the browser keeps it; how that comes about is another page's matter. */
const open = async (
  signedIn: { accessToken: string; refreshToken?: string },
  more: { rdns?: string; context?: BrowserContext } = {},
): Promise<Person> => {
  const { data } = await post<{ data: { userId: string } }>('/me', {}, signedIn.accessToken);
  const context = more.context ?? (await browser.newContext({ locale: 'en-US', acceptDownloads: true }));
  contexts.push(context);
  const kept = {
    'mintage session': { ...signedIn, userId: data.userId, by: 'wallet' },
    ...(more.rdns !== undefined && { 'mintage wallet': more.rdns }),
  };
  await context.addInitScript((items: object) => {
    for (const [name, value] of Object.entries(items)) localStorage.setItem(name, JSON.stringify(value));
  }, kept);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { context, page, complaints, userId: data.userId, accessToken: signedIn.accessToken };
};

const signIn = async (account: PrivateKeyAccount): Promise<{ accessToken: string; refreshToken: string }> => {
  const { message } = await post<{ message: string }>('/auth/challenge', { address: account.address });
  return post('/auth/login', { message, signature: await account.signMessage({ message }) });
};

/** Somebody with a wallet of their own, gas on both chains and 10,000 dollars on the first. */
const withWallet = async (): Promise<Person & { wallet: TestWallet }> => {
  const account = privateKeyToAccount(generatePrivateKey());
  for (const { rpc } of system.chains) await rpc('anvil_setBalance', [account.address, numberToHex(10n ** 20n)]);
  await chain.wallet.send(chain.accounts.faucet, {
    to: chain.deployment.usd,
    data: encodeMint(account.address, parseUnits('10000', chain.deployment.usdDecimals)),
  });
  const context = await browser.newContext({ locale: 'en-US', acceptDownloads: true });
  const rpcUrls = new Map(system.chains.map((one) => [one.chain.chainId, one.rpcUrl]));
  const wallet = await addTestWallet(context, account, rpcUrls, chain.chain.chainId);
  const person = await open(await signIn(account), { rdns: 'test.wallet', context });
  // Connected once, as on an earlier visit.
  await person.page.goto(url('/portfolio'));
  await person.page.evaluate("testWallet({ method: 'eth_requestAccounts' })");
  return { ...person, wallet };
};

/** Somebody without a wallet, whose embedded one has gas. */
const withoutWallet = async (name: string): Promise<Person> => {
  const accessToken = await (await fetch(`${system.issuerUrl}/token?name=${name}`)).text();
  const person = await open({ accessToken });
  await expect
    .poll(
      async () => {
        const { data } = await post<{ data: { balances: { native: { balanceRaw: string } }[] } }>(
          '/me',
          {},
          accessToken,
        );
        return data.balances.every(({ native }) => BigInt(native.balanceRaw ?? 0) > 0n);
      },
      { timeout: 20_000, interval: 300 },
    )
    .toBe(true);
  return person;
};

const ready = (page: Page): Promise<unknown> => page.waitForSelector('html[data-ready]');

const fill = async (page: Page, name: string, symbol: string): Promise<void> => {
  await page.locator('input[type=file]').first().setInputFiles(picture);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Symbol', { exact: true }).fill(symbol);
  await page.getByLabel('Description').fill('A small token for people who restore woodland.');
};

const balanceOf = async (token: string, owner: string): Promise<bigint> => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner as Hex] });
  return BigInt((await chain.rpc('eth_call', [{ to: token, data }, 'latest'])) as string);
};

/** What a transaction to the Launchpad calls: each call of a multicall. */
const calledIn = ({ data }: SentTransaction): { functionName: string; args: readonly unknown[] }[] => {
  const { functionName, args = [] } = decodeFunctionData({ abi: launchpadAbi, data });
  return functionName === 'multicall'
    ? (args[0] as Hex[]).flatMap((inner) => calledIn({ to: '0x', data: inner }))
    : [{ functionName, args }];
};

const tokenBySlug = async (slug: string): Promise<string> => {
  const found = await post<{ token: { token_addresses: { address: string; chain: Slug }[] } }>('/search-token', {
    input: slug,
  });
  return found.token.token_addresses[0]?.address ?? '';
};

const deferred = () => Promise.withResolvers<void>();

let person: Awaited<ReturnType<typeof withWallet>>;
beforeAll(async () => {
  person = await withWallet();
});

describe('with a wallet', () => {
  let token = '';

  it('creates a token over a refusal and a reload, buys and announces it, and sends nothing twice', async () => {
    const { page, wallet, complaints } = person;
    await page.goto(url('/create'));
    await ready(page);
    await fill(page, 'Fiddlehead', 'FERN');
    await page.getByText('Links, banner, tags').click();
    await page.getByRole('group', { name: 'Announce it' }).getByText('Unichain Sepolia').click();
    await page.getByRole('switch', { name: 'Buy some yourself' }).click();
    await page.getByLabel('Dollars', { exact: true }).fill('50');
    await page
      .getByText(/^About [\d.]+M FERN$/)
      .first()
      .waitFor();

    // What is written outlives the page.
    await page.reload();
    await ready(page);
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Fiddlehead');
    await page.getByText('fern.png').waitFor();

    wallet.refuses.add('eth_sendTransaction');
    await page.getByRole('button', { name: 'Create on Base Sepolia' }).click();
    await page.getByRole('alert').filter({ hasText: 'refused' }).waitFor();
    expect(wallet.sent()).toHaveLength(1);
    wallet.refuses.clear();

    // The page goes away while the wallet asks its person, who then signs.
    const held = deferred();
    wallet.holdTrade = held.promise;
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(() => wallet.sent().length).toBe(2);
    await page.goto(url('/portfolio'));
    held.resolve();
    wallet.holdTrade = Promise.resolve();
    const created = wallet.sent()[1] as SentTransaction;
    expect(calledIn(created)).toMatchObject([
      { functionName: 'create', args: [{ name: 'Fiddlehead', symbol: 'FERN', poolType: 7 }] },
    ]);
    await expect
      .poll(async () => (await chain.rpc('eth_getTransactionCount', [wallet.account.address, 'latest'])) as string)
      .toBe('0x1');

    await page.goto(url('/create'));
    await page.waitForURL('**/token/fiddlehead*', { timeout: 60_000 });
    token = await tokenBySlug(new URL(page.url()).pathname.slice('/token/'.length));
    const [, , approval, buy, announcement, ...more] = wallet.sent();
    expect(more).toEqual([]);
    expect(decodeFunctionData({ abi: erc20Abi, data: approval?.data ?? '0x' })).toMatchObject({
      functionName: 'approve',
      args: [expect.any(String), parseUnits('50', chain.deployment.usdDecimals)],
    });
    expect(calledIn(buy as SentTransaction).map(({ functionName }) => functionName)).toEqual(['buyExactIn']);
    expect(announcement?.to.toLowerCase()).toBe(chain.deployment.tokenBridge?.toLowerCase());
    // 50 dollars at 1 % fee; at the opening fee they buy less than a million.
    expect(await balanceOf(token, wallet.account.address)).toBeGreaterThan(parseUnits('4000000', 18));
    expect(complaints).toEqual([]);
  }, 120_000);

  it('shows what the chain says in the portfolio and in its CSV', async () => {
    const { page, wallet, complaints } = person;
    await page.goto(url('/portfolio'));
    const row = page.getByRole('row').filter({ hasText: 'Fiddlehead' });
    await row.waitFor();
    const held = formatUnits(await balanceOf(token, wallet.account.address), 18);
    expect(await row.locator('td').nth(1).locator('[title]').first().getAttribute('title')).toBe(held);
    await row.getByRole('button').click();
    await page
      .locator('tr.sub')
      .filter({ hasText: wallet.account.address.slice(2, 6).toLowerCase() })
      .waitFor();

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const [head, ...lines] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    expect(head?.startsWith('\ufeffToken,Symbol,Chain,Contract,Amount')).toBe(true);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.startsWith(`Fiddlehead,FERN,base-sepolia,${token.toLowerCase()},${held},`)).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('claims what the creator earned, after a refusal too, and leads to the transaction', async () => {
    const { page, wallet, complaints } = person;
    const before = await balanceOf(chain.deployment.usd, wallet.account.address);
    await page.goto(url('/rewards'));
    await page.getByText('From tokens you created').waitFor();
    expect(await page.locator('.big [title]').getAttribute('title')).toBe('0.25 USD');
    wallet.refuses.add('eth_sendTransaction');
    await page.getByRole('button', { name: 'Claim all, 1 transaction' }).click();
    await page.getByRole('alert').filter({ hasText: 'refused' }).waitFor();
    wallet.refuses.clear();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('Claimed', { exact: true }).waitFor();
    expect(await balanceOf(chain.deployment.usd, wallet.account.address)).toBe(
      before + parseUnits('0.25', chain.deployment.usdDecimals),
    );
    const proof = await page.locator('.claim').getByRole('link').getAttribute('href');
    const receipt = (await chain.rpc('eth_getTransactionReceipt', [proof?.split('/').at(-1)])) as { status: string };
    expect(receipt.status).toBe('0x1');
    await expect.poll(() => page.locator('.big [title]').getAttribute('title'), { timeout: 30_000 }).toBe('0 USD');
    expect(await page.locator('.history tbody tr').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('enters a code once, and says why one is refused', async () => {
    const { page, complaints } = person;
    const inviter = await signIn(privateKeyToAccount(generatePrivateKey()));
    const { data } = await post<{ data: { userId: string } }>('/me', {}, inviter.accessToken);
    await system.db
      .insertInto('referral_code')
      .values({ network: 'testnet', code_key: 'marlow', code: 'Marlow', user_id: data.userId, created_at: new Date() })
      .execute();
    await page.getByLabel('Code', { exact: true }).fill('x');
    await page.getByRole('button', { name: 'Use' }).click();
    await page.getByText('Use 4 to 20 letters and digits.').waitFor();
    expect(complaints).toEqual([]);
    await page.getByLabel('Code', { exact: true }).fill('nobodys');
    await page.getByRole('button', { name: 'Use' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Code', { exact: true }).fill('MARLOW');
    await page.getByRole('button', { name: 'Use' }).click();
    await page.getByText('The code Marlow is yours now.').waitFor();
    await page.reload();
    await page.getByText('You were invited').waitFor();
  });
});

describe('without a wallet', () => {
  it('creates a token by keys alone; the service signs', async () => {
    const { page, complaints, context } = await withoutWallet('maker');
    page.on('filechooser', () => null); // from the first on it is a test that chooses
    await page.goto(url('/create'));
    await ready(page);
    await page.getByRole('button', { name: 'Create on Base Sepolia' }).waitFor();
    const tabTo = async (name: string | RegExp, role: 'button' | 'textbox' | 'radio' | 'switch'): Promise<void> => {
      const wanted = page.getByRole(role, { name, exact: true });
      for (let presses = 0; presses < 40; presses += 1) {
        if (await wanted.evaluate((element) => element.matches(':focus'))) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`No Tab leads to ${name}.`);
    };
    await tabTo('Choose: Picture', 'button');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
    await chooser.setFiles(picture);
    await tabTo('Name', 'textbox');
    await page.keyboard.type('Thimble');
    await tabTo('Symbol', 'textbox');
    await page.keyboard.type('THMB');
    await tabTo('Description', 'textbox');
    await page.keyboard.type('Sews.');
    await tabTo('Base Sepolia', 'radio');
    await page.keyboard.press('ArrowRight');
    await tabTo('Buy some yourself', 'switch');
    await page.keyboard.press('Space');
    await tabTo('Dollars', 'textbox');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('10');
    await tabTo(/^Once the fee is 1 %/, 'radio');
    await page.keyboard.press('ArrowDown');
    await page.getByText('$8.00 of it is fee').waitFor();
    await tabTo('Create on Unichain Sepolia', 'button');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/token/thimble*', { timeout: 60_000 });

    // What was bought is in the portfolio, at a loss by the opening fee; what it earned is claimed by the service too.
    await page.goto(url('/portfolio'));
    await page.getByRole('row').filter({ hasText: 'Thimble' }).getByText('Unichain Sepolia').waitFor();
    await page.goto(url('/rewards'));
    await page.getByRole('button', { name: 'Claim 0.05 USDC on Unichain Sepolia' }).click();
    await page.getByText('Claimed', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  }, 90_000);
});

describe('the pages', () => {
  it('have no fault that axe finds and no sideways scroll, wide and narrow, light and dark, signed in and out', async () => {
    const nobody = await browser.newContext({ locale: 'en-US' });
    contexts.push(nobody);
    const { context } = person;
    const look = async (
      from: BrowserContext,
      paths: readonly string[],
      width: number,
      colorScheme: 'light' | 'dark',
    ) => {
      const page = await from.newPage();
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      for (const path of paths) {
        await page.goto(url(path));
        await ready(page);
        if (path === '/create') {
          await page.getByText('Links, banner, tags').click();
          if ((await page.getByRole('switch').getAttribute('aria-checked')) === 'false')
            await page.getByRole('switch').click();
          await page
            .getByText(/^About /)
            .first()
            .waitFor();
        } else await expect.poll(() => page.locator('.blocks').count(), { timeout: 20_000 }).toBe(0);
        const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
        const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
        const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${path} ${width} ${id}: ${html}`));
        expect(found).toEqual([]);
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(overflow, `${path} ${width}`).toBeLessThanOrEqual(0);
      }
      await page.close();
    };
    // A draft is one for all pages of a browser: those of one person that change it follow each other.
    const inTurn = async (): Promise<void> => {
      await look(context, ['/create', '/portfolio', '/rewards'], 360, 'dark');
      await look(context, ['/create'], 1280, 'dark');
    };
    await Promise.all([
      look(nobody, ['/create', '/portfolio', '/rewards'], 360, 'light'),
      look(context, ['/portfolio', '/rewards'], 1280, 'light'),
      inTurn(),
    ]);
  });
});
