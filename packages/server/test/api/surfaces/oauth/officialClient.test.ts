import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  allow,
  consentOn,
  newBrowser,
  newWallet,
  type OauthApi,
  oauthApi,
  openPage,
  redirectUri,
  signInOn,
} from '../../oauth/oauthFixture.ts';

let api: OauthApi;
beforeAll(async () => {
  api = await oauthApi();
});
afterAll(() => api.stop());

/** Storage for the official client; opens no browser, but records the address it would open. */
class Keeper implements OAuthClientProvider {
  opened: URL | undefined;
  kept: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string; discovery?: never } = {};
  readonly redirectUrl = redirectUri;
  readonly clientMetadata = { client_name: 'Official Client', redirect_uris: [redirectUri] };

  clientInformation = () => this.kept.client;
  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.kept.client = client;
  }
  tokens = () => this.kept.tokens;
  saveTokens(tokens: OAuthTokens): void {
    this.kept.tokens = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.opened = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.kept.verifier = verifier;
  }
  codeVerifier = () => this.kept.verifier ?? '';
}

it("default: the protocol's official client connects with nothing but the address, and goes on by refreshing", async () => {
  const [{ oauth }] = api.contexts;
  const keeper = new Keeper();
  const url = new URL(oauth.addresses.resource);
  const connect = async () => {
    const client = new Client({ name: 'official', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const transport = new StreamableHTTPClientTransport(url, { authProvider: keeper });
    return {
      client,
      transport,
      connected: await client.connect(transport).then(
        () => true,
        (error: unknown) => error,
      ),
    };
  };

  const first = await connect();
  expect(first.connected).toBeInstanceOf(UnauthorizedError);
  expect(keeper.opened?.searchParams.get('resource')).toBe(url.href);

  const browser = newBrowser();
  const page = await openPage(browser, keeper.opened?.href as string);
  await signInOn(browser, page, newWallet());
  const back = await consentOn(browser, page, allow());
  await first.transport.finishAuth(back.searchParams);
  const second = await connect();
  expect(second.connected).toBe(true);
  const { tools } = await second.client.listTools();
  expect(tools.map(({ name }) => name)).toContain('trade_token');
  await second.client.close();

  api.clock.ms += 601_000;
  const old = keeper.kept.tokens as OAuthTokens;
  const third = await connect();
  expect(third.connected).toBe(true);
  expect(keeper.kept.tokens?.refresh_token).not.toBe(old.refresh_token);
  await third.client.close();
});
