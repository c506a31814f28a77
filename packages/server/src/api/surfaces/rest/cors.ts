/** Browsers of any origin may call: credentials travel in the Authorization header only, never in cookies (R8). */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'idempotent-replayed, ratelimit, ratelimit-policy, retry-after, www-authenticate, x-request-id',
} as const;

export const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers': [
    'authorization',
    'content-type',
    'apikey',
    'x-client-info',
    'x-info-signature',
    'x-info-nonce',
    'x-info-expires-after',
    'x-info-signature-chain-id',
    'idempotency-key',
    'mcp-method',
    'mcp-name',
    'mcp-protocol-version',
    'mcp-session-id',
    'last-event-id',
  ].join(', '),
  'access-control-max-age': '86400',
} as const;
