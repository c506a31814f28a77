import { KeyObject, webcrypto } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import Provider, {
  type Configuration,
  ExternalSigningKey,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import type { Logger } from 'pino';
import type { Config } from '../../../config.ts';
import { scopes, type UserScope } from '../../accounts/caller.ts';
import { grantDays, isAllowedSomething } from '../../accounts/grants.ts';
import type { Accounts } from '../../accounts/rowSeals.ts';
import { type SigningKeys, signingAlgorithm } from '../../accounts/signingKeys.ts';
import { accountOf } from '../../accounts/users.ts';
import { toMintageError } from '../../wire/errorAnswer.ts';
import { type Addresses, oauthPath, routes } from './addresses.ts';
import { type ClientDocumentOptions, createDocumentFetch } from './clientDocuments.ts';
import { redirectHostOf, takeClient } from './clients.ts';
import { createItems } from './items.ts';
import { errorPage } from './pages/errorPage.ts';
import { toolTokenSeconds } from './toolTokens.ts';

export const codeSeconds = 60;
const interactionSeconds = 600;
const refreshDays = 30;
const daySeconds = 24 * 3_600;

export interface AuthorizationServerParts extends Accounts {
  config: Config;
  keys: SigningKeys;
  addresses: Addresses;
  documents: ClientDocumentOptions;
  log: Logger;
  now: () => number;
}

/** Builds the configured library; builds it again when the newest signing key changes. */
export const createAuthorizationServer = (parts: AuthorizationServerParts): (() => Promise<Provider>) => {
  let built: { kid: string; provider: Provider } | undefined;
  return async () => {
    const key = await parts.keys.newest();
    if (built?.kid !== key.kid) built = { kid: key.kid, provider: buildProvider(parts, new TokenKey(key)) };
    return built.provider;
  };
};

type SigningKey = Awaited<ReturnType<SigningKeys['newest']>>;

/** Our signing key as an external key, so that the library can sign without seeing it. */
class TokenKey extends ExternalSigningKey {
  readonly #key: SigningKey;

  constructor(key: SigningKey) {
    super();
    this.#key = key;
    Object.assign(this, { kid: key.kid, alg: signingAlgorithm });
  }

  override keyObject(): KeyObject {
    return KeyObject.from(this.#key.publicKey as webcrypto.CryptoKey);
  }

  override async sign(data: Uint8Array): Promise<Uint8Array> {
    const { privateKey } = this.#key;
    return new Uint8Array(await webcrypto.subtle.sign('Ed25519', privateKey as webcrypto.CryptoKey, Buffer.from(data)));
  }
}

const buildProvider = (
  { config, db, seals, addresses, documents, log, now }: AuthorizationServerParts,
  key: TokenKey,
): Provider => {
  const secure = config.publicUrl.startsWith('https:');
  // Cookies are not signed: their content is a random id that either exists in the database or does not.
  const cookie = { httpOnly: true, sameSite: 'lax', signed: false, secure } as const;
  const names = {
    session: `${config.platformSlug}_oauth_session`,
    interaction: `${config.platformSlug}_oauth`,
    resume: `${config.platformSlug}_oauth_resume`,
  };
  const off = { enabled: false };

  const configuration: Configuration = {
    adapter: createItems({ db, seals }, now),
    clientAuthMethods: ['none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: signingAlgorithm,
      token_endpoint_auth_method: 'none',
    },
    extraClientMetadata: {
      // The validator runs once per client, with or without a `software_id`, and reduces the description before the
      // library uses it.
      properties: ['software_id'],
      validator: (_context, _key, _value, metadata) => takeClient(metadata),
    },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => true,
    claims: {},
    clockTolerance: 0,
    cookies: { names, long: cookie, short: cookie },
    extraTokenClaims: (_context, token) => ('grantId' in token ? { grant: token.grantId } : undefined),
    expiresWithSession: () => false,
    features: {
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02', cacheDuration: { min: 30, max: 3_600 } },
      devInteractions: off,
      dPoP: off,
      externalSigningSupport: { enabled: true, ack: 'experimental-01' },
      pushedAuthorizationRequests: off,
      registration: { enabled: true, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => addresses.resource,
        useGrantedResource: () => true,
        getResourceServerInfo(_context, indicator) {
          if (indicator !== addresses.resource) throw new errors.InvalidTarget();
          return {
            scope: scopes.join(' '),
            audience: addresses.resource,
            accessTokenTTL: toolTokenSeconds,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: signingAlgorithm } },
          };
        },
      },
      revocation: { enabled: true, allowedPolicy: (_context, client, token) => token.clientId === client.clientId },
      rpInitiatedLogout: off,
      userinfo: off,
    },
    fetch: createDocumentFetch(documents),
    async findAccount(_context, userId) {
      if ((await accountOf(db, userId)) === null) return undefined;
      return { accountId: userId, claims: () => ({ sub: userId }) };
    },
    formats: {
      customizers: {
        // Times are from our clock, as everywhere else.
        jwt(_context, _token, jwt) {
          const issuedAt = Math.floor(now() / 1000);
          Object.assign(jwt.payload, { iat: issuedAt, exp: issuedAt + toolTokenSeconds });
        },
      },
    },
    interactions: {
      policy: everyFlowAsks(),
      url: (_context, interaction) => `${oauthPath}/interaction/${interaction.uid}`,
    },
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    jwks: { keys: [key] },
    loadExistingGrant: async ({ oidc }) => {
      const grantId = consentOf(oidc)?.grantId;
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
    },
    pkce: { required: () => true },
    renderError: (context, out) => showError(context, config, out.error_description ?? out.error),
    responseTypes: ['code'],
    revokeGrantPolicy: () => true,
    rotateRefreshToken: true,
    routes,
    scopes: [],
    ttl: {
      AccessToken: toolTokenSeconds,
      AuthorizationCode: codeSeconds,
      Grant: grantDays * daySeconds,
      Interaction: interactionSeconds,
      RefreshToken: refreshDays * daySeconds,
      Session: interactionSeconds,
    },
  };

  const provider = new Provider(addresses.issuer, configuration);
  // The caller sets these headers to the public address (`serveOauth`), whatever the client sent.
  provider.proxy = true;
  provider.use(withoutSession(names.session));
  provider.use(
    askedFirst(async (clientId, redirectUri) => {
      return isAllowedSomething(db, { clientId, redirectHost: redirectHostOf(redirectUri) }, now());
    }, config),
  );
  provider.on('server_error', (context, err) => {
    log.error({ err }, 'The authorization server failed.');
    if (toMintageError(err, '').kind.status !== 503) return;
    context.status = 503;
    context.set('retry-after', '2');
  });
  const emitter: EventEmitter = provider;
  emitter.on('error', (err) => log.warn({ err }, 'The authorization server could not answer.'));
  return provider;
};

const consentOf = (oidc: KoaContextWithOIDC['oidc']): { grantId?: string } | undefined =>
  oidc.result?.consent as { grantId?: string } | undefined;

/** No earlier sign-in or consent is reused: each flow asks for both, whichever client it is. */
const everyFlowAsks = (): interactionPolicy.DefaultPolicy => {
  const { base, Check, Prompt } = interactionPolicy;
  const policy = base();
  policy.clear();
  const askedFor = (what: 'login' | 'consent') =>
    new Check(`every_${what}`, `the user must ${what === 'login' ? 'sign in' : 'consent'}`, ({ oidc }) => {
      if (offeredScopes(oidc.params?.scope).length === 0) {
        throw new errors.InvalidScope('none of the scopes exists here', String(oidc.params?.scope));
      }
      return oidc.result?.[what] === undefined;
    });
  policy.add(new Prompt({ name: 'login', requestable: true }, askedFor('login')));
  policy.add(new Prompt({ name: 'consent', requestable: true }, askedFor('consent')));
  return policy;
};

/** The requested scopes that exist here. */
export const offeredScopes = (asked: unknown): UserScope[] => {
  const list = typeof asked === 'string' ? asked.split(' ') : [];
  return scopes.filter((scope) => list.includes(scope));
};

const showError = (context: KoaContextWithOIDC, config: Config, reason: string): void => {
  const { html, headers } = errorPage(config, reason);
  context.type = 'html';
  context.set(headers);
  context.body = html;
};

/**
 * Redirects nobody before a person has consented in this flow, because anyone can register any address and write a link
 * that fails. Earlier errors are shown on our own page, unless some user has allowed this client to use that address
 * before.
 */
const askedFirst =
  (isAllowed: (clientId: string, redirectUri: string) => Promise<boolean>, config: Config) =>
  async (context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const location = URL.parse(context.response.get('location'), config.publicUrl);
    if (location === null || location.origin === new URL(config.publicUrl).origin) return;
    const { entities, params } = context.oidc;
    const decided = entities.Interaction?.result;
    if (decided?.consent !== undefined || decided?.error !== undefined) return;
    if (await isAllowed(String(params?.client_id), String(params?.redirect_uri))) return;
    const answer = location.searchParams.size > 0 ? location.searchParams : new URLSearchParams(location.hash.slice(1));
    context.remove('location');
    context.status = 400;
    showError(context, config, answer.get('error_description') ?? answer.get('error') ?? 'the request is not valid');
  };

/** The library's session cookie is neither read nor set, so that no cookie outlives a flow. */
const withoutSession =
  (name: string) =>
  async (context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    const sent = (context.req.headers.cookie ?? '').split(/; */).filter(isOther(name));
    context.req.headers.cookie = sent.join('; ');
    await next();
    const set = context.response.headers['set-cookie'];
    const kept = (Array.isArray(set) ? set : []).filter(isOther(name));
    if (kept.length > 0) context.set('set-cookie', kept);
    else context.remove('set-cookie');
  };

/** Matches every cookie except the named one and its signature. */
const isOther = (name: string) => (cookie: string) =>
  !cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}.sig=`);
