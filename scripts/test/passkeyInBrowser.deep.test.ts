import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AxeBuilder } from '@axe-core/playwright';
import type { System } from '@mintage/devnet';
import { chromiumPath } from '@mintage/devnet/chromium';
import { freePort } from '@mintage/devnet/freePort';
import { patientServer } from '@mintage/devnet/patientServer';
import { testSystem } from '@mintage/devnet/testSystem';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  authorizeUrl,
  codeForm,
  discover,
  newPkce,
  type Pkce,
  register,
  type ServerDocument,
  tokenOf,
} from '../../packages/server/test/api/oauth/oauthFixture.ts';

/** The OAuth pages in a real browser, with its own authenticator: what a person without a wallet does. */
let system: System;
let browser: Browser;
/** Where the application has the browser come back to. */
let application: Server;
let redirectUri: string;
let server: ServerDocument;
let clientId: string;

beforeAll(async () => {
  const port = await freePort();
  application = createServer(patientServer, (_request, response) =>
    response.setHeader('content-type', 'text/html').end('<p>Back.</p>'),
  );
  await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
  redirectUri = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`;
  const env = {
    CHAINS: 'base-sepolia',
    LOG_LEVEL: 'error',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
  };
  [system, browser] = await Promise.all([
    testSystem({ env: { ...env, BRAND_COLOR: '#3355ff', RATE_LIMITS: '{"signIn": 1000}' }, seed: false }),
    chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] }),
  ]);
  ({ server } = await discover(`http://localhost:${port}/functions/v1/mcp`));
  clientId = (await register(server, { redirect_uris: [redirectUri] })).client_id;
});
afterAll(async () => {
  await browser?.close();
  await system?.stop();
  await new Promise((resolve) => application.close(resolve));
});

interface Person {
  page: Page;
  devtools: CDPSession;
  /** What the page complained of, a broken policy for content included. */
  complaints: string[];
}

/** A browser with an authenticator in it that keeps passkeys and knows its user. */
const newPerson = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<Person> => {
  const page = await (await browser.newContext({ locale: 'en-US', ...options })).newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { page, devtools, complaints };
};

const connect = async ({ page }: Person, scope = 'read prepare'): Promise<Pkce> => {
  const pkce = newPkce();
  const resource = server.issuer.replace(/oauth$/, 'mcp');
  const request = { client_id: clientId, resource, redirect_uri: redirectUri, code_challenge: pkce.challenge, scope };
  await page.goto(authorizeUrl(server, request));
  return pkce;
};

/** Allows what is ticked; the token that the application gets. */
const allowedToken = async ({ page }: Person, pkce: Pkce): Promise<string> => {
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(`${redirectUri}?**`);
  const code = new URL(page.url()).searchParams.get('code') as string;
  const form = { ...codeForm({ clientId, code, pkce }), redirect_uri: redirectUri };
  const { body } = await tokenOf(server, form);
  return body.access_token as string;
};

/** The account that the application gets. */
const allowed = async (person: Person, pkce: Pkce): Promise<string> => {
  const caller = await system.api?.context.oauth.verifyToolToken(await allowedToken(person, pkce));
  return caller?.userId as string;
};

/** What the tool server answers to the application. */
const toolsWith = async (token: string): Promise<number> => {
  const answer = await fetch(server.issuer.replace(/oauth$/, 'mcp'), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  return answer.status;
};

const button = ({ page }: Person, name: string) => page.getByRole('button', { name });

describe('the OAuth pages', () => {
  it('default: makes an account by passkey, consents, comes back; later signs in to the same account', async () => {
    const person = await newPerson();
    const first = await connect(person);
    await button(person, 'Create an account with a passkey').click();
    await person.page.getByText('Signed in as Mintage').waitFor();
    const userId = await allowed(person, first);
    const second = await connect(person);
    await button(person, 'Sign in with passkey').click();
    await person.page.getByText(`Signed in as Mintage ${userId.slice(0, 8)}`).waitFor();
    expect(await allowed(person, second)).toBe(userId);
    expect(person.complaints).toEqual([]);
  });

  it('error: without a passkey the page says so, and goes on', async () => {
    const person = await newPerson();
    await connect(person);
    await button(person, 'Sign in with passkey').click();
    await person.page.getByText('There was no passkey, or you cancelled.').waitFor();
    await button(person, 'Create an account with a passkey').click();
    await person.page.getByText('Signed in as Mintage').waitFor();
    await button(person, 'use another account').click();
    await button(person, 'Sign in with passkey').waitFor();
  });

  it('behavior: a wallet that announces itself has a button, whose name is text', async () => {
    const person = await newPerson();
    await person.page.addInitScript(`
      const provider = { request: () => Promise.reject({ code: 4001 }) };
      for (const [uuid, name] of [['1', 'Fox <img src=x>'], ['1', 'Twice'], ['2', 'Rabbit']]) {
        const detail = { info: { uuid, name, icon: '', rdns: '' }, provider };
        const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
        window.addEventListener('eip6963:requestProvider', announce);
      }`);
    await connect(person);
    const names = await person.page.locator('#wallet button:visible').allTextContents();
    expect(names).toEqual(['Sign in with Fox <img src=x>', 'Sign in with Rabbit']);
    await button(person, 'Sign in with Rabbit').click();
    await person.page.getByText('Your wallet did not sign.').waitFor();
    expect(person.complaints).toEqual([]);
  });

  it('behavior: without passkeys in the browser the wallet alone is offered', async () => {
    const person = await newPerson();
    await person.page.addInitScript('delete window.PublicKeyCredential');
    await connect(person);
    expect(await person.page.locator('button:visible').allTextContents()).toEqual(['Sign in with wallet', 'Cancel']);
  });

  it.each([
    { width: 1280, scheme: 'light' as const },
    { width: 360, scheme: 'dark' as const },
  ])('have no fault that axe finds and no sideways scroll, $width px wide, $scheme', async ({ width, scheme }) => {
    const person = await newPerson({ viewport: { width, height: 800 }, colorScheme: scheme });
    const { page, complaints } = person;
    const check = async (name: string): Promise<void> => {
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      const { violations } = await new AxeBuilder({ page })
        .options({ resultTypes: ['violations'] })
        .setLegacyMode()
        .withTags(tags)
        .analyze();
      expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${name} ${id}: ${html}`))).toEqual([]);
      const scroll = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      expect(scroll, name).toBeLessThanOrEqual(0);
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}-${scheme}.png`, fullPage: true });
    };
    await connect(person, 'read prepare execute');
    await check('signIn');
    await button(person, 'Create an account with a passkey').click();
    await page.getByText('Signed in as Mintage').waitFor();
    await page.getByText('Execute transactions').click();
    await check('consent');
    await page.goto(`${server.issuer}/interaction/none`);
    await check('error');
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });
});

describe('the account page', () => {
  it('lists the application with what it may do, and whoever ends it there ends its token', async () => {
    const person = await newPerson();
    const { page } = person;
    const pkce = await connect(person, 'read');
    await button(person, 'Create an account with a passkey').click();
    await page.getByText('Signed in as Mintage').waitFor();
    const token = await allowedToken(person, pkce);
    expect(await toolsWith(token)).toBe(200);

    await page.goto(`${system.config.appUrl}/account`);
    await button(person, 'Sign in with a passkey').click();
    const applications = page.getByRole('region', { name: 'Applications' });
    const row = applications.getByRole('listitem').filter({ hasText: 'Strange Client' });
    await row.getByText(`answers to ${new URL(redirectUri).hostname}`).waitFor();
    expect(await row.innerText()).toMatch(/read · used/);
    expect(await row.innerText()).toContain('cannot spend');
    await button(person, 'End access Strange Client').click();
    await button(person, 'End access Strange Client: Yes, do it').click();
    await applications.getByText('No application acts for you.').waitFor();
    expect(await toolsWith(token)).toBe(401);
    expect(person.complaints).toEqual([]);
  });
});
