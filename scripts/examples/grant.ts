import type { PrivateKeyAccount } from 'viem';
import {
  allow,
  authorizeUrl,
  consentOn,
  discover,
  newBrowser,
  newPkce,
  openPage,
  redirectUri,
  register,
  signInOn,
  tokenOf,
} from '../../packages/server/test/api/oauth/oauthFixture.ts';

/** Gives an application access through the tool server, as its user does in a browser. */
export const giveAccess = async (url: string, wallet: PrivateKeyAccount): Promise<void> => {
  const resource = `${url}/functions/v1/mcp`;
  const { server } = await discover(resource);
  const { client_id: clientId } = await register(server, { client_name: 'Strange Client' });
  const [browser, pkce] = [newBrowser(), newPkce()];
  const request = { client_id: clientId, resource, code_challenge: pkce.challenge, scope: 'read prepare' };
  const page = await openPage(browser, authorizeUrl(server, request));
  const signed = await signInOn(browser, page, wallet);
  if (signed.status >= 400) throw new Error(`The page answered the sign-in with ${signed.status}.`);
  const answer = await consentOn(browser, page, allow());
  const { status } = await tokenOf(server, {
    grant_type: 'authorization_code',
    code: answer.searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: pkce.verifier,
    resource,
  });
  if (status !== 200) throw new Error(`The code was answered with ${status}.`);
};
