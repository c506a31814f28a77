import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeApprove } from '@mintage/protocol';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { encodeFunctionData, erc20Abi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, describe, expect, it } from 'vitest';
import { pagePaths } from '../build/paths.ts';
import { openWebApp } from '../build/web.ts';
import { complaintsOf, type Device, hasNoFault, type KeptSession, newDevice, useWorld } from './world.ts';

/** Signing in and the account, in a real browser with its own authenticator, on a deployment of another name and look. */
const home = mkdtempSync(join(tmpdir(), 'account-test-'));
const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/></svg>';
writeFileSync(join(home, 'logo.svg'), logo);
const world = useWorld({
  env: {
    CHAINS: 'base-sepolia',
    PLATFORM_NAME: 'Kontor',
    BRAND_COLOR: '#2255cc',
    BRAND_LOGO: join(home, 'logo.svg'),
  },
});
afterAll(() => rmSync(home, { recursive: true }));

const open = async (context?: BrowserContext, path = '/account'): Promise<Page> =>
  (await world.visit(path, context)).page;

const lose = ({ id, devtools }: Device) =>
  devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: id });

const sessionOf = (page: Page): Promise<KeptSession | null> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('mintage session') ?? 'null') as never);

const userOf = async (page: Page): Promise<string> => (await sessionOf(page))?.userId ?? '';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

const isSignedIn = (page: Page) => page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();

const signOut = async (page: Page): Promise<void> => {
  await button(page, 'Sign out').click();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
};

const newAccount = async (page: Page): Promise<void> => {
  await button(page, 'New account with a passkey').click();
  await isSignedIn(page);
};

const call = async (
  path: string,
  bearer: string,
  body: object,
): Promise<{ status: number; body: Record<string, never> }> => {
  const answer = await fetch(`${world.system.url}/functions/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, never> };
};

interface Me {
  userId: string;
  wallets: { address: `0x${string}`; embedded: boolean }[];
  signIn: { passkeys: number; wallets: number };
}

const meOf = async (page: Page): Promise<Me> => {
  const { body } = await call('/me', (await sessionOf(page))?.accessToken ?? '', {});
  return body.data as unknown as Me;
};

const embeddedOf = async (page: Page) => (await meOf(page)).wallets.find(({ embedded }) => embedded)?.address;

describe('a wallet', () => {
  it('signs in by a text of this page, from the dialog of any page, and its other account is offered', async () => {
    const [first, second] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())];
    const context = await world.newContext();
    const wallet = await world.addWallet(context, first);
    const page = await open(context, '/');
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    // Its icon is an address of somebody's server, which is not asked.
    expect(await dialog.getByRole('button', { name: 'Test wallet' }).locator('img').count()).toBe(0);

    wallet.refuses.add('personal_sign');
    await dialog.getByRole('button', { name: 'Test wallet' }).click();
    await dialog.getByText('You said no, so nothing happened.').waitFor();
    await hasNoFault(page, 'the dialog to sign in, after a refusal');
    expect(await sessionOf(page)).toBeNull();
    wallet.refuses.clear();
    await dialog.getByRole('button', { name: 'Test wallet' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const text = wallet.texts().at(-1) ?? '';
    expect(text).toContain(
      `${new URL(world.app).host} wants you to sign in with your Ethereum account:\n${first.address}\n`,
    );
    const one = await userOf(page);

    await page
      .getByRole('banner')
      .getByRole('link', { name: /^Account/ })
      .click();
    await isSignedIn(page);
    await page.getByRole('region', { name: 'Ways in' }).getByText(/^0x/).waitFor();
    await wallet.goTo(page, second);
    await page.getByText(/^Your wallet is now 0x/).waitFor();
    await hasNoFault(page, 'the account, with another account in the wallet', [360]);
    // What the first account owns is gone from the page before anything of the second is there.
    const own = page.getByRole('region', { name: 'Ways in' });
    await page.route('**/functions/v1/me', () => undefined);
    await button(page, /^Sign in as 0x/).click();
    await expect.poll(() => userOf(page)).not.toBe(one);
    await own.getByText(/^0x/).waitFor({ state: 'hidden' });
    await page.unroute('**/functions/v1/me');
    await page.reload();
    await own.getByTitle(second.address, { exact: false }).or(own.getByTitle(second.address.toLowerCase())).waitFor();
    expect(await own.getByText(/^0x/).count()).toBe(1);
    expect((await meOf(page)).wallets[0]?.address.toLowerCase()).toBe(second.address.toLowerCase());
  });
});

describe('a passkey', () => {
  it('makes an account whose address for money is shown once there is a second way in; the loss of one is borne', async () => {
    const page = await open();
    const lost = await newDevice(page);
    await newAccount(page);
    const user = await userOf(page);
    const embedded = (await embeddedOf(page)) ?? '';
    const here = page.getByRole('region', { name: 'Your wallet here' });
    await here.getByText('this account has one way in').waitFor();
    expect(await here.getByText(embedded).count()).toBe(0);

    // The last way in stays.
    await button(page, 'Remove Passkey').click();
    await button(page, 'Remove Passkey: Yes, do it').click();
    await page.getByText('This is the last way into your account.').waitFor();

    // The second is on another device.
    await lose(lost);
    await newDevice(page);
    await page.getByRole('region', { name: 'Ways in' }).getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
    await dialog.getByLabel('Name of the passkey').fill('Second device');
    await hasNoFault(page, 'a new passkey', [360]);
    await dialog.getByRole('button', { name: 'Create passkey' }).click();
    await here.getByText(embedded).waitFor();

    await signOut(page);
    await button(page, 'Sign in with a passkey').click();
    await isSignedIn(page);
    expect(await userOf(page)).toBe(user);
    expect(await embeddedOf(page)).toBe(embedded);
    await button(page, 'Remove Passkey').click();
    await button(page, 'Remove Passkey: Yes, do it').click();
    await button(page, 'Remove Passkey').waitFor({ state: 'hidden' });
    expect((await meOf(page)).signIn).toMatchObject({ passkeys: 1, wallets: 0 });
    await page.reload();
    await button(page, 'Remove Second device').waitFor();
  });

  it('is offered a second way in before its first buy, once', async () => {
    const page = await open();
    await newDevice(page);
    await newAccount(page);
    await page.getByText('1,000 USDC').first().waitFor();
    await page.goto(`${world.app}/token/paper-boat`);
    const box = page.getByRole('region', { name: 'Trade' });
    await box.getByRole('textbox').first().fill('10');
    await box.getByRole('button', { name: /^Buy [\d,]/ }).click();
    const offer = page.getByRole('dialog', { name: 'Add a second way in first' });
    await offer.getByRole('button', { name: 'Go on without' }).waitFor();
    await hasNoFault(page, 'a second way in', [1280]);
    await offer.getByRole('button', { name: 'Go on without' }).click();
    await box
      .getByText(/^(Sent|Block|Final|sent|block|final)/)
      .first()
      .waitFor();
    await box.getByRole('textbox').first().fill('11');
    await box.getByRole('button', { name: /^Buy [\d,]/ }).click();
    await expect.poll(async () => (await meOf(page)).signIn.passkeys).toBe(1);
    expect(await offer.count()).toBe(0);
  });

  it('is joined by a wallet, which then signs in to the same account', async () => {
    const context = await world.newContext();
    const account = privateKeyToAccount(generatePrivateKey());
    const wallet = await world.addWallet(context, account);
    const page = await open(context);
    await newDevice(page);
    await newAccount(page);
    const user = await userOf(page);
    await page.getByRole('region', { name: 'Ways in' }).getByRole('button', { name: 'Link a wallet' }).click();
    await page.getByRole('dialog', { name: 'Link a wallet' }).getByRole('button', { name: 'Test wallet' }).waitFor();
    await hasNoFault(page, 'link a wallet', [360]);
    await page.getByRole('dialog', { name: 'Link a wallet' }).getByRole('button', { name: 'Test wallet' }).click();
    await page.getByRole('dialog', { name: 'Link a wallet' }).waitFor({ state: 'hidden' });
    expect(wallet.texts()[0]).toMatch(/link/i);
    expect((await meOf(page)).signIn).toMatchObject({ passkeys: 1, wallets: 1 });
    await signOut(page);
    await button(page, 'Test wallet').click();
    await isSignedIn(page);
    expect(await userOf(page)).toBe(user);
  });
});

describe('an identity provider', () => {
  it('signs in whoever comes back from it with what this tab asked for, and nobody else', async () => {
    const page = await open(await world.newContext(), '/account?next=/%3Fstage=new');
    const provider = new URL(world.system.issuerUrl ?? '').host;
    await button(page, 'Continue with Local account').click();
    await page.waitForURL((url) => url.host === provider);
    await page.getByLabel('Name').fill('ada');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${world.app}/?stage=new`);
    const signedIn = await sessionOf(page);
    expect(signedIn).toMatchObject({ by: 'issuer' });
    const token = await (await fetch(`${world.system.issuerUrl}/token?name=ada`)).text();
    expect((await call('/me', token, {})).body.data).toMatchObject({ userId: signedIn?.userId });

    const other = await open(await world.newContext(), '/account?code=stolen&state=somebody-elses');
    await other.getByText('Signing in there did not end here.').waitFor();
    expect(await sessionOf(other)).toBeNull();
    // Nor does a tab that is away for a sign-in of its own take somebody else's.
    const theirs = new URL(`${world.system.issuerUrl}/authorize`);
    await button(other, 'Continue with Local account').click();
    await other.waitForURL((url) => url.host === provider);
    theirs.search = new URL(other.url()).search;
    theirs.searchParams.set('name', 'mallory');
    theirs.searchParams.set('state', 'somebody-elses');
    await other.goto(theirs.href);
    await other.getByText('Signing in there did not end here.').waitFor();
    expect(await sessionOf(other)).toBeNull();
  });

  it('gives nothing for a code without its verifier, twice, or to a page of another machine', async () => {
    const asked = new URLSearchParams({
      client_id: 'kontor',
      response_type: 'code',
      redirect_uri: `${world.app}/account`,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      state: 's',
      name: 'ada',
    });
    const authorize = async (changes: Record<string, string> = {}) =>
      fetch(
        `${world.system.issuerUrl}/authorize?${new URLSearchParams({ ...Object.fromEntries(asked), ...changes })}`,
        {
          redirect: 'manual',
        },
      );
    const codeOf = async () =>
      new URL((await authorize()).headers.get('location') ?? '').searchParams.get('code') ?? '';
    const exchange = async (code: string, verifier: string) =>
      (
        await fetch(`${world.system.issuerUrl}/token`, {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'authorization_code',
            code,
            client_id: 'kontor',
            redirect_uri: `${world.app}/account`,
            code_verifier: verifier,
          }),
        })
      ).status;
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    expect((await authorize({ redirect_uri: 'https://elsewhere.example/' })).status).toBe(400);
    expect(await exchange(await codeOf(), 'another')).toBe(400);
    const code = await codeOf();
    expect(await exchange(code, verifier)).toBe(200);
    expect(await exchange(code, verifier)).toBe(400);
  });
});

describe('the account', () => {
  it('makes a key that spends within its budget, pauses and resumes signing, and revokes the key', async () => {
    const page = await open();
    await newDevice(page);
    await newAccount(page);
    await page.getByText('1,000 USDC').first().waitFor();
    await button(page, 'New key').click();
    const dialog = page.getByRole('dialog', { name: 'New API key' });
    await dialog.getByLabel('Name').fill('bot');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    expect(await dialog.getByText('Write dollars, as 25 or 12.50.').count()).toBe(2);
    await dialog.getByLabel('Dollars a trade').fill('12');
    await dialog.getByLabel('Dollars a day').fill('15.50');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = (await dialog.locator('code').textContent()) ?? '';
    await hasNoFault(page, 'the key that was made', [360]);
    expect(key).toMatch(/^kontor_test_/);
    await dialog.getByRole('button', { name: 'I have it' }).click();
    expect(await page.content()).not.toContain(key);

    const { token } = (await call('/search-token', key, { input: 'paper-boat' })).body as unknown as {
      token: { id: string };
    };
    const buy = (dollars: number) =>
      call('/trade-token', key, {
        tokenId: token.id,
        chainSlug: 'base-sepolia',
        direction: 'buy',
        buyAmountUSD: dollars,
        execute: true,
      });
    const keys = page.getByRole('region', { name: 'API keys' });
    expect(await buy(10)).toMatchObject({ status: 200, body: { executed: true } });
    await keys.getByText('$10.00').waitFor();
    expect(await keys.getByText('of $15.50 a day').count()).toBe(1);
    expect(await buy(10)).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('the budget of 15.5 a day') },
    });

    const power = page.getByRole('switch', { name: 'Your wallet here may sign' });
    await power.click();
    await page.getByRole('heading', { name: 'Signing is paused' }).waitFor();
    await hasNoFault(page, 'an account with a key, paused', [1280]);
    expect(await buy(2)).toMatchObject({ status: 403, body: { error: expect.stringContaining('paused') } });
    await power.click();
    await page.getByRole('heading', { name: 'Signing is on' }).waitFor();
    expect(await buy(2)).toMatchObject({ status: 200, body: { executed: true } });

    await button(page, 'Revoke bot').click();
    await button(page, 'Revoke bot: Yes, do it').click();
    await page.getByText('No program acts for you yet.').waitFor();
    await expect.poll(async () => (await buy(1)).status).toBe(401);
  });

  it('turns single keys off', async () => {
    const page = await open();
    await newDevice(page);
    await newAccount(page);
    const search = page.getByRole('banner').getByRole('combobox');
    const isFocused = (): Promise<boolean> => search.evaluate((field) => field.matches(':focus'));
    await page.keyboard.press('/');
    expect(await isFocused()).toBe(true);
    await page.getByRole('switch', { name: 'Keyboard shortcuts' }).click();
    await page.keyboard.press('/');
    expect(await isFocused()).toBe(false);
  });

  it('sends dollars out of the wallet here, after they were shown once more', async () => {
    const page = await open();
    await newDevice(page);
    await newAccount(page);
    await page.getByText('1,000 USDC').first().waitFor();
    await button(page, 'Send out').click();
    const dialog = page.getByRole('dialog', { name: 'Send out' });
    const to = privateKeyToAccount(generatePrivateKey()).address;
    await dialog.getByLabel('Amount').fill('1,000.01');
    await dialog.getByLabel('To the address').fill(to);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('There is less than that.').waitFor();
    await hasNoFault(page, 'send out, with what is wrong', [360]);
    // What may be a thousand or one is neither.
    await dialog.getByLabel('Amount').fill('1,000');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('1,000 can be read in two ways. Enter 1000 or 1.0000.').waitFor();
    await dialog.getByLabel('Amount').fill('1000');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText(to).waitFor();
    expect(await dialog.locator('dd.num').innerText()).toBe('1,000 USDC');
    await hasNoFault(page, 'send out, once more', [360]);
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await dialog.getByText(/^Done/).waitFor();
    const { usd, usdDecimals } = world.chain.deployment;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [to] });
    const has = BigInt((await world.chain.rpc('eth_call', [{ to: usd, data }, 'latest'])) as string);
    expect(has).toBe(1_000n * 10n ** BigInt(usdDecimals));
  });

  it('behavior: row 4, sends out once, also where the answer was lost and the page was loaded again', async () => {
    const page = await open();
    await newDevice(page);
    await newAccount(page);
    await page.getByText('1,000 USDC').first().waitFor();
    const { usd, usdDecimals } = world.chain.deployment;
    const to = privateKeyToAccount(generatePrivateKey()).address;
    const dialog = page.getByRole('dialog', { name: 'Send out' });
    const sends: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/send-transaction')) sends.push(request.headers()['idempotency-key']);
    });
    const order = async (amount: string) => {
      await button(page, 'Send out').click();
      await dialog.getByLabel('Amount').fill(amount);
      await dialog.getByLabel('To the address').fill(to);
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.getByText(to).waitFor();
    };

    // The service has it, and the page goes away before the answer.
    await order('300');
    await page.route('**/send-transaction', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await dialog.getByText(/^The answer to “Send now” was lost\./).waitFor();
    await hasNoFault(page, 'send out, whose answer was lost', [1280, 360]);
    await page.unroute('**/send-transaction');
    await page.reload();
    await button(page, 'Send out').click();
    await dialog.getByText(/^Done/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    expect(new Set(sends).size).toBe(1);

    // The service has not: what is pressed again has the same key.
    await order('200');
    await page.route('**/send-transaction', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await dialog.getByText(/^The answer to “Send now” was lost\./).waitFor();
    await page.unroute('**/send-transaction');
    await page.reload();
    await button(page, 'Send out').click();
    await dialog.getByText(/^The answer to “Send now” was lost\./).waitFor();
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await dialog.getByText(/^Done/).waitFor();
    expect(new Set(sends).size).toBe(2);
    expect(await world.balanceOf(usd, to)).toBe(500n * 10n ** BigInt(usdDecimals));
  });
});

describe('the demo wallet', () => {
  it('says in words what it is asked to sign, and goes to another account', async () => {
    const page = await open();
    await button(page, 'Demo wallet').click();
    await page
      .getByRole('dialog', { name: 'Demo wallet: Sign this text' })
      .getByText(/wants you to sign in/)
      .waitFor();
    await hasNoFault(page, 'the demo wallet, a text', [360]);
    await button(page, 'Sign').click();
    await isSignedIn(page);
    const first = await userOf(page);
    const data = encodeApprove(`0x${'2'.repeat(40)}`, 25_000_000n);
    const sending = page.evaluate(`new Promise((resolve, reject) => {
      addEventListener('eip6963:announceProvider', ({ detail: { info, provider } }) => {
        if (info.name !== 'Demo wallet') return;
        const params = [{ to: '0x${'1'.repeat(40)}', data: '${data}' }];
        provider.request({ method: 'eth_sendTransaction', params }).then(resolve, reject);
      });
      dispatchEvent(new Event('eip6963:requestProvider'));
    }).catch(({ code }) => code)`);
    const asked = page.getByRole('dialog', { name: 'Demo wallet: Send this transaction' });
    await asked.getByText('Lets a contract take this token from you, up to an amount.').waitFor();
    await asked.getByText('25,000,000').waitFor();
    await hasNoFault(page, 'the demo wallet, a transaction', [1280, 360]);
    await button(page, 'Refuse').click();
    expect(await sending).toBe(4001);

    await button(page, 'Use another account of the wallet').click();
    await button(page, 'A new account').click();
    await button(page, /^Sign in as 0x/).click();
    await button(page, 'Sign').click();
    await expect.poll(() => userOf(page)).not.toBe(first);
  });
});

describe('a session', () => {
  /** An access token whose time is over. */
  const ended = `e30.${Buffer.from('{"exp":1}').toString('base64url')}.e30`;

  it('is the same for what a page shows and for its calls, before it hears what another tab has done', async () => {
    const context = await world.newContext();
    const { page, complaints } = await world.visit('/', context);
    const session = await world.sessionOf(privateKeyToAccount(generatePrivateKey()));
    // The page that changes its storage is not told of it, as others are not yet.
    const keep = (text: string | null) =>
      page.evaluate((kept) => {
        if (kept === null) localStorage.removeItem('mintage session');
        else localStorage.setItem('mintage session', kept);
      }, text);
    const go = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).first().click();
    await keep(JSON.stringify(session));
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/get-user-pnl'));
    await go('Portfolio');
    expect((await answered).status()).toBe(200);
    await page.getByText('You hold no tokens').waitFor();
    await keep(null);
    await page.waitForTimeout(600); // what streams have read again comes a moment later
    await go('Rewards');
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
    await keep(JSON.stringify(session));
    await go('Portfolio');
    expect(complaints).toEqual([]);
  });

  it('that ends in one tab is asked for no more by another, which has a token open', async () => {
    const context = await world.newContext();
    await world.addUser(context);
    const { page: token } = await world.visit('/token/paper-boat', context);
    await token.getByRole('region', { name: 'Trade' }).getByText('10,000').waitFor();
    const page = await open(context);
    await isSignedIn(page);
    const asked: string[] = [];
    token.on('request', (request) => {
      const isOwn = /\/(me|get-user-balance)$/.test(request.url());
      if (isOwn && request.headers().authorization === undefined) asked.push(request.url());
    });
    await signOut(page);
    await token.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
    // Calls of the session pass here one by one, so those that were on their way are sent by now.
    await token.evaluate(() => navigator.locks.request('mintage session', () => null));
    expect(asked).toEqual([]);
  });

  it('goes on after a page was left while it refreshed, and lost the answer', async () => {
    const context = await world.newContext();
    const { session } = await world.addUser(context);
    await world.keep(context, { session: { ...session, accessToken: ended } });
    const page = await context.newPage();
    const answered = Promise.withResolvers<number>();
    // The service answers, and the page never hears of it.
    const swallow = async (route: Route) => answered.resolve((await route.fetch()).status());
    await page.route('**/auth/refresh', swallow, { times: 1 });
    await page.goto(`${world.app}/account`);
    expect(await answered.promise).toBe(200);
    await page.goto(`${world.app}/icon.svg`);
    expect((await sessionOf(page))?.refreshToken).toBe(session.refreshToken);
    await page.goto(`${world.app}/account`);
    await page.getByRole('heading', { name: 'Signing is on' }).waitFor();
    expect((await sessionOf(page))?.refreshToken).not.toBe(session.refreshToken);
  });

  it('is refreshed once for two tabs that need it at the same moment, and ends in both', async () => {
    const context = await world.newContext();
    await world.addWallet(context);
    const one = await open(context);
    await button(one, 'Test wallet').click();
    await isSignedIn(one);
    const two = await open(context);
    await isSignedIn(two);
    const before = await sessionOf(one);
    let refreshed = 0;
    context.on('request', (request) => {
      if (request.url().endsWith('/auth/refresh')) refreshed += 1;
    });
    // Nothing of the app runs meanwhile.
    await Promise.all([one, two].map((page) => page.goto(`${world.app}/icon.svg`)));
    await world.keep(context, { session: { ...before, accessToken: ended } });
    await Promise.all([one, two].map((page) => page.goto(`${world.app}/account`)));
    await Promise.all([one, two].map((page) => page.getByRole('heading', { name: 'Signing is on' }).waitFor()));
    const after = await sessionOf(two);
    expect(refreshed).toBe(1);
    expect(after?.accessToken).not.toBe(ended);
    expect(after?.refreshToken).not.toBe(before?.refreshToken);
    expect(await sessionOf(one)).toEqual(after);

    const ending = two.waitForResponse((answer) => answer.url().endsWith('/auth/logout'));
    await signOut(two);
    await one.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await ending;
    expect((await call('/auth/refresh', '', { refreshToken: after?.refreshToken })).status).toBe(401);
  });
});

describe('sessions', () => {
  it('are listed with what began them; ending one or all others signs those out at their next call', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const [mine, other, third] = await Promise.all(
      ['', ' SamsungBrowser/24.0', ' Edg/140.0'].map(async (sign) => {
        const userAgent = `Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36${sign}`;
        const context = await world.newContext({ userAgent });
        await world.addWallet(context, account);
        const page = await open(context);
        await button(page, 'Test wallet').click();
        await isSignedIn(page);
        return page;
      }),
    );
    if (mine === undefined || other === undefined || third === undefined) throw new Error('three pages are open');
    const list = mine.getByRole('region', { name: 'Sessions' });
    await mine.reload();
    await list.getByText('Samsung Internet on Linux').waitFor();
    expect(await list.getByRole('listitem').count()).toBe(3);
    const current = list.getByRole('listitem').filter({ hasText: 'this one' });
    expect(await current.innerText()).toContain('Chrome on Linux');
    expect(await current.getByRole('button', { name: /^End/ }).count()).toBe(0);
    expect(await current.getByTitle(account.address.toLowerCase()).count()).toBe(1);

    await button(mine, 'End Samsung Internet on Linux').click();
    await button(mine, 'End Samsung Internet on Linux: Yes, do it').click();
    // It asks for its account every few seconds.
    await other.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    expect(await sessionOf(other)).toBeNull();
    await list.getByText('Samsung Internet on Linux').waitFor({ state: 'hidden' });
    expect(await sessionOf(third)).not.toBeNull();

    for (const _ of Array(4)) await world.sessionOf(account);
    await mine.reload();
    await button(mine, 'All 6 sessions').waitFor();
    expect(await list.getByRole('listitem').count()).toBe(5);
    await button(mine, 'All 6 sessions').click();
    expect(await list.getByRole('listitem').count()).toBe(6);

    await button(mine, 'Sign out everywhere else').click();
    await button(mine, 'Sign out everywhere else: Yes, do it').click();
    await third.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await list.getByText('Edge on Linux').waitFor({ state: 'hidden' });
    expect(await list.getByRole('listitem').count()).toBe(1);
    await mine.reload();
    await mine.getByRole('heading', { name: 'Signing is on' }).waitFor();
  });
});

const colorsOnPage = `[...document.querySelectorAll('*')]
  .flatMap((element) => ['color', 'background-color', 'background-image', 'border-top-color', 'fill', 'stroke']
    .map((name) => getComputedStyle(element).getPropertyValue(name)))
  .join(' ')`;

describe('the pages', () => {
  it('have nothing of ours where the deployment has a name, a logo and a colour of its own', async () => {
    const page = await open();
    await newDevice(page);
    await newAccount(page);
    const bronze = ['oklch(0.52 0.108 62)', 'oklch(0.955 0.026 78)', 'oklch(0.61 0.122 64)'];
    for (const path of Object.values(pagePaths)) {
      const url = world.app + path.replace(/:token\b/, 'paper-boat').replaceAll(/:\w+/g, 'base-sepolia');
      const source = await (await fetch(url)).text();
      await page.goto(url);
      await page.waitForSelector('html[data-ready]');
      await page.waitForLoadState('networkidle');
      const shown = await page.content();
      for (const text of [source, shown]) {
        // Links name the folder of an API whose name is the operator's; what is ours is the name and the drawing.
        expect.soft(text, path).not.toMatch(/mintage/i);
        expect.soft(text, path).not.toContain('M28.60 16.00');
        expect.soft(text, path).toContain('Kontor');
      }
      const colors = await page.evaluate<string>(colorsOnPage);
      for (const color of bronze) expect.soft(colors, path).not.toContain(color);
    }
    expect(await (await fetch(`${world.app}/icon.svg`)).text()).toBe(logo);
  });

  it('have no fault that axe finds, no sideways scroll and no complaint, wide and narrow, light and dark', async () => {
    const page = await open(await world.newContext({ reducedMotion: 'reduce' }));
    const complaints = complaintsOf(page);
    await newDevice(page);
    await hasNoFault(page, 'signed out');
    await newAccount(page);
    await page.getByText('1,000 USDC').first().waitFor();
    await hasNoFault(page, 'account');
    await button(page, 'New key').click();
    await page.getByLabel('Dollars a day').waitFor();
    await hasNoFault(page, 'new key');
    expect(complaints).toEqual([]);
  });
});

describe('the build', () => {
  it('has the demo wallet in it for local chains alone', async () => {
    const signs = ['Demo wallet', 'anvil_setBalance'];
    const filesWith = async (variant: 'demo' | 'plain') => {
      const { files } = await openWebApp(variant);
      return [...files.values()].filter(({ body }) => signs.some((sign) => Buffer.from(body).includes(sign))).length;
    };
    expect(await filesWith('demo')).toBeGreaterThan(0);
    expect(await filesWith('plain')).toBe(0);
  });
});
