import type { Reading } from '../../tokens/reading.ts';

/** What a page may load and do, and who may frame it. Media of strangers come from our gateway alone. */
export const pagePolicy = (
  { config, chains }: Pick<Reading, 'config' | 'chains'>,
  mayBeFramed: boolean,
): Record<string, string> => {
  const api = new URL(config.publicUrl).origin;
  const providers = [...chains.values()].flatMap(({ publicRpcUrl }) =>
    publicRpcUrl === null ? [] : [new URL(publicRpcUrl).origin],
  );
  // The page itself exchanges the code of a sign-in elsewhere.
  const signIns = config.jwtIssuers.flatMap(({ login }) =>
    login === undefined ? [] : [new URL(login.tokenUrl).origin],
  );
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Widths of bars and colours of chains; no text of strangers is ever in a style.
    "style-src-attr 'unsafe-inline'",
    "font-src 'self'",
    `img-src 'self' data: blob: ${api}`,
    `media-src 'self' ${api}`,
    ['connect-src', "'self'", ...new Set([api, api.replace(/^http/, 'ws'), ...providers, ...signIns])].join(' '),
    // What a page shows of how others will frame it.
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${mayBeFramed ? '*' : "'none'"}`,
  ];
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'strict-origin-when-cross-origin',
    // Wallets open windows of their own.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  };
};
