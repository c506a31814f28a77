import type { Logger } from 'pino';
import type { Auth } from '../auth/auth.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/db.ts';
import type { HostRules } from '../outgoing/publicHost.ts';
import { type Addresses, addressesOf } from './addresses.ts';
import { createToolTokens, type ToolTokens } from './toolTokens.ts';

/** The authorization server of the tool server. */
export interface Oauth extends ToolTokens {
  addresses: Addresses;
}

/** How documents of clients are fetched; in tests with names of their own. */
export type OauthOptions = HostRules;

export interface OauthParts {
  config: Config;
  db: Db;
  auth: Pick<Auth, 'signingKeys'>;
  log: Logger;
  now: () => number;
}

export const createOauth = ({ config, db, auth, now }: OauthParts, _options: OauthOptions = {}): Oauth => {
  const addresses = addressesOf(config);
  return { addresses, ...createToolTokens({ db, keys: auth.signingKeys, addresses, now }) };
};
