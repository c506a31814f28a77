import type { Config } from '../../../config.ts';
import { type Scope, scopes } from '../../accounts/caller.ts';
import { basePath } from '../../wire/limits.ts';

/** Path of the authorization server below the public address. The tool server's path is where its tokens are used. */
export const oauthPath = `${basePath}/oauth`;
export const toolsPath = `${basePath}/mcp`;

/** Paths below the issuer. */
export const routes = {
  authorization: '/authorize',
  token: '/token',
  registration: '/register',
  revocation: '/revoke',
  jwks: '/jwks',
} as const;

export interface Addresses {
  /** The authorization server: `iss` of its tokens. */
  issuer: string;
  /** The tool server: `aud` of the tokens. */
  resource: string;
  /** Where the tool server says who issues its tokens (RFC 9728); named in its 401. */
  resourceMetadata: string;
}

export const addressesOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): Addresses => {
  const resource = publicUrl + toolsPath;
  return { issuer: publicUrl + oauthPath, resource, resourceMetadata: wellKnown('oauth-protected-resource', resource) };
};

/**
 * A well-known document's path stands between the host and the path of the address it describes (RFC 8414, RFC 9728).
 */
export const wellKnown = (document: string, address: string): string => {
  const { origin, pathname } = new URL(address);
  return `${origin}/.well-known/${document}${pathname}`;
};

/** RFC 9728. */
export interface ResourceMetadata {
  resource: string;
  authorization_servers: string[];
  scopes_supported: readonly Scope[];
  bearer_methods_supported: string[];
  resource_name: string;
  resource_documentation: string;
}

export const resourceMetadata = (config: Config): ResourceMetadata => {
  const { issuer, resource } = addressesOf(config);
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: config.platformName,
    resource_documentation: `${config.publicUrl}/docs`,
  };
};

/** RFC 8414: lists only the features that are switched on; a test compares it with the library's own document. */
export const serverMetadata = (config: Config) => {
  const { issuer } = addressesOf(config);
  return {
    issuer,
    authorization_endpoint: issuer + routes.authorization,
    token_endpoint: issuer + routes.token,
    registration_endpoint: issuer + routes.registration,
    revocation_endpoint: issuer + routes.revocation,
    jwks_uri: `${config.publicUrl}${basePath}/.well-known/jwks.json`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${config.publicUrl}/docs`,
  };
};
