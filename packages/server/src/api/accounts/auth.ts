import { hash } from 'node:crypto';
import type { Address } from '@mintage/protocol';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { KeyEncryption } from '../../keys/keyEncryption.ts';
import { Remembered } from '../wire/remembered.ts';
import { type AccessTokens, createAccessTokens } from './accessTokens.ts';
import { verifyApiKey } from './apiKeys.ts';
import { type Caller, type CallerSession, scopes, waitingScopes, waitsUntil } from './caller.ts';
import { createForeignTokens } from './foreignTokens.ts';
import { isOperator } from './operators.ts';
import type { Accounts } from './rowSeals.ts';
import { isAlive } from './sessions.ts';
import { createSigningKeys, type PublicJwk, type SigningKeys } from './signingKeys.ts';
import { accountOf, userOfIdentity, wayOfWallet } from './users.ts';

export interface Auth {
  /** The caller that an Authorization header proves, null when it proves none. */
  verify(authorization: string): Promise<Caller | null>;
  /** The user of a wallet that signed; null when the wallet never registered. */
  callerOfWallet(wallet: Address): Promise<Caller | null>;
  /** An access token of this session. */
  issueAccessToken: AccessTokens['issue'];
  publicKeys(): Promise<PublicJwk[]>;
  /** Keys that sign this deployment's access tokens. */
  signingKeys: SigningKeys;
  /** `<platform-slug>_live` or `_test`: how API keys of this deployment start. */
  apiKeyBrand: string;
  /** Drops the cached credential of an API key, so that a revoked key stops working at once in this process. */
  forgetApiKey(id: string): void;
  /** Drops the cached credentials of a user whose list of wallets has changed. */
  forgetUser(userId: string): void;
}

/**
 * How long a verified credential is cached, milliseconds: a revoked key or a new wallet takes effect within this time.
 */
const believedMs = 4_000;
const mostRemembered = 20_000;
const longestToken = 4_096;

interface Verified {
  caller: Caller;
  untilMs: number;
  apiKeyId: string | null;
}

export const createAuth = (
  config: Config,
  accounts: Accounts,
  keys: KeyEncryption,
  now: () => number,
  log: Logger,
): Auth => {
  const { db } = accounts;
  const apiKeyBrand = `${config.platformSlug}_${config.network === 'Mainnet' ? 'live' : 'test'}`;
  const signingKeys = createSigningKeys(accounts, keys, now);
  const accessTokens = createAccessTokens(signingKeys, config.publicUrl, now);
  const verifyForeign = createForeignTokens(config.jwtIssuers, now, log);
  /** Verified credentials by hash, and wallets that signed by address. */
  const remembered = new Remembered<Verified>(mostRemembered, now);

  const verifyToken = async (token: string): Promise<Verified | null> => {
    if (token.split('.').length !== 3) return fromApiKey(token);
    const own = await accessTokens.verify(token);
    if (own) {
      if (!(await isAlive(db, own.sessionId))) return null;
      const { sessionId, confirmedAtMs } = own;
      return fromJwt(own.userId, { sessionId, confirmedAtMs }, own.expiresAtMs, own.actsFrom);
    }
    const foreign = await verifyForeign(token);
    if (!foreign) return null;
    const userId = await userOfIdentity(accounts, foreign.issuer, foreign.subject);
    const { issuedAtMs, expiresAtMs } = foreign;
    return fromJwt(userId, issuedAtMs === null ? null : { issuedAtMs }, expiresAtMs, null);
  };

  const fromJwt = async (
    userId: string,
    session: CallerSession | null,
    expiresAtMs: number,
    actsFrom: Date | null,
  ): Promise<Verified | null> => {
    const account = await accountOf(db, userId);
    if (!account) return null;
    const waitsUntilMs = waitsUntil(actsFrom, now());
    const ownScopes = isOperator(config, userId) ? ([...scopes, 'moderate'] as const) : scopes;
    const caller: Caller = {
      userId,
      ...account,
      method: 'jwt',
      scopes: waitsUntilMs === null ? ownScopes : waitingScopes,
      credential: null,
      session,
      waitsUntilMs,
      newUntilMs: null,
    };
    return { caller, untilMs: expiresAtMs, apiKeyId: null };
  };

  const fromApiKey = async (token: string): Promise<Verified | null> => {
    const key = await verifyApiKey(accounts, apiKeyBrand, token, now());
    const account = key && (await accountOf(db, key.userId));
    if (!key || !account) return null;
    const waitsUntilMs = waitsUntil(key.actsFrom, now());
    const caller: Caller = {
      userId: key.userId,
      ...account,
      method: 'apiKey',
      scopes:
        waitsUntilMs === null ? key.scopes : key.scopes.filter((scope) => waitingScopes.some((one) => one === scope)),
      credential: key.id,
      session: null,
      waitsUntilMs,
      newUntilMs: key.createdAtMs + config.newAccessDelayHours * 3_600_000,
    };
    return { caller, untilMs: key.expiresAtMs, apiKeyId: key.id };
  };

  const fromWallet = async (wallet: Address): Promise<Verified | null> => {
    const way = await wayOfWallet(accounts, wallet);
    const account = way && (await accountOf(db, way.userId));
    if (!way || !account) return null;
    const waitsUntilMs = waitsUntil(way.actsFrom, now());
    const caller: Caller = {
      userId: way.userId,
      ...account,
      method: 'wallet',
      scopes: waitsUntilMs === null ? scopes : waitingScopes,
      credential: null,
      session: null,
      waitsUntilMs,
      newUntilMs: null,
    };
    return { caller, untilMs: Number.POSITIVE_INFINITY, apiKeyId: null };
  };

  const rememberedOr = async (key: string, find: () => Promise<Verified | null>): Promise<Caller | null> => {
    const known = remembered.get(key);
    if (known) return known.caller;
    const startedMs = now();
    const verified = await find();
    if (!verified) return null;
    remembered.set(key, verified, Math.min(verified.untilMs, startedMs + believedMs));
    return verified.caller;
  };

  return {
    apiKeyBrand,
    signingKeys,
    issueAccessToken: accessTokens.issue,
    async publicKeys() {
      return (await signingKeys.all()).map((key) => key.publicJwk);
    },
    async verify(authorization) {
      const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
      if (token === undefined || token.length > longestToken) return null;
      return rememberedOr(hash('sha256', token, 'base64'), () => verifyToken(token));
    },
    callerOfWallet: (wallet) => rememberedOr(wallet, () => fromWallet(wallet)),
    forgetApiKey(id) {
      remembered.deleteWhere(({ apiKeyId }) => apiKeyId === id);
    },
    forgetUser(userId) {
      remembered.deleteWhere(({ caller }) => caller.userId === userId);
    },
  };
};
