import type Provider from 'oidc-provider';
import type { Logger } from 'pino';
import type { Config } from '../../../config.ts';
import type { Auth } from '../../accounts/auth.ts';
import type { Accounts } from '../../accounts/rowSeals.ts';
import type { Context } from '../../handlers/context.ts';
import type { Limiter } from '../../limits/limiter.ts';
import { type Addresses, addressesOf } from './addresses.ts';
import { createAuthorizationServer } from './authorizationServer.ts';
import type { ClientDocumentOptions } from './clientDocuments.ts';
import { createToolTokens, type ToolTokens } from './toolTokens.ts';

/** The authorization server of the tool server, and the verification of its tokens. */
export interface Oauth extends ToolTokens {
  addresses: Addresses;
  /** The configured library. It keeps no state of its own, so any process can continue any flow. */
  authorizationServer(): Promise<Provider>;
}

/** What its routes and pages use. */
export interface OauthContext extends Context {
  limiter: Limiter;
  oauth: Oauth;
}

export type OauthOptions = ClientDocumentOptions;

export interface OauthParts extends Accounts {
  config: Config;
  auth: Pick<Auth, 'signingKeys'>;
  log: Logger;
  now: () => number;
}

export const createOauth = ({ config, db, seals, auth, log, now }: OauthParts, documents: OauthOptions = {}): Oauth => {
  const addresses = addressesOf(config);
  const keys = auth.signingKeys;
  return {
    addresses,
    authorizationServer: createAuthorizationServer({ config, db, seals, keys, addresses, documents, log, now }),
    ...createToolTokens({ db, seals, keys, addresses, newAccessDelayHours: config.newAccessDelayHours, now }),
  };
};
