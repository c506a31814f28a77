import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  allow,
  authorizeUrl,
  consentOn,
  discover,
  newBrowser,
  newPkce,
  newWallet,
  type OauthApi,
  oauthApi,
  openPage,
  redirectUri,
  register,
  signInOn,
  tokenOf,
} from './oauthFixture.ts';

let api: OauthApi;
beforeAll(async () => {
  api = await oauthApi();
});
afterAll(() => api.stop());

describe('a strange client', () => {
  it('default: walks the whole way over HTTP, from one process to the other', async () => {
    const [context] = api.contexts;
    const { resource } = context.oauth.addresses;
    const elsewhere = (url: string) => url.replace(api.urls[0], api.urls[1]);

    const { protectedResource, server } = await discover(resource);
    expect(protectedResource).toMatchObject({ resource, authorization_servers: [server.issuer] });
    const client = await register(server);
    const browser = newBrowser();
    const pkce = newPkce();
    const wallet = newWallet();
    const request = {
      client_id: client.client_id,
      resource,
      code_challenge: pkce.challenge,
      scope: 'read prepare execute',
    };
    const page = await openPage(browser, authorizeUrl(server, request));
    const shown = await (await browser.get(page)).text();
    expect(shown).toContain('Strange Client');
    await signInOn(browser, page, wallet);
    const choices = await (await browser.get(page)).text();
    expect(choices).toContain(wallet.address);
    const back = await consentOn(
      browser,
      page,
      allow({ scope: ['read', 'execute'], chain: 'base-sepolia', perTradeUsd: '5', perDayUsd: '20.50' }),
    );
    expect(back.href.startsWith(redirectUri)).toBe(true);
    expect(back.searchParams.get('state')).toBe('its own state');
    expect(back.searchParams.get('iss')).toBe(server.issuer);

    const exchange = {
      grant_type: 'authorization_code',
      client_id: client.client_id,
      code: back.searchParams.get('code') as string,
      redirect_uri: redirectUri,
      code_verifier: pkce.verifier,
      resource,
    };
    const tokens = await tokenOf({ token_endpoint: elsewhere(server.token_endpoint) }, exchange);
    expect(tokens.status).toBe(200);
    expect(tokens.body).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'read execute' });

    for (const { oauth } of api.contexts) {
      const caller = await oauth.verifyToolToken(tokens.body.access_token as string);
      expect(caller).toMatchObject({
        method: 'grant',
        scopes: ['read', 'execute'],
        wallets: [wallet.address.toLowerCase()],
      });
    }
  });
});
