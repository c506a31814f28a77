import { createHash } from 'node:crypto';
import { logo } from '@mintage/brand';
import type { Config } from '../../../../config.ts';
import { Html, html } from './html.ts';
import { styleOf } from './style.ts';

export interface Page {
  html: string;
  headers: Record<string, string>;
}

export interface PageOptions {
  config: Pick<Config, 'platformName' | 'brandColor' | 'brandLogo' | 'publicUrl'>;
  title: string;
  body: Html;
  /** The page's one script. */
  script?: string;
  /**
   * Destination besides this site that a form of the page may redirect to: the content policy of browsers covers
   * redirects too.
   */
  redirectUri?: string;
}

/** A page that loads nothing but the deployment's logo, cannot be framed and runs no script but its own. */
export const page = ({ config, title, body, script, redirectUri }: PageOptions): Page => {
  const style = styleOf(config.brandColor);
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(config.brandLogo === null ? [] : ["img-src 'self'"]),
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`, "connect-src 'self'"]),
    `form-action 'self'${redirectUri === undefined ? '' : ` ${sourceOf(redirectUri)}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<p class="logo">${logoOf(config)}${config.platformName}</p>
<div class="card">
${body}
</div>
</main>
${script === undefined ? null : new Html(`<script>${script}</script>`)}
</body>
</html>
`.text;
  return {
    html: text,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      // Not `no-referrer`: a form would then send no origin, and we check the origin.
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    },
  };
};

/** The deployment's own, which the service has beside its pages, or ours. */
const logoOf = ({ brandLogo, publicUrl }: PageOptions['config']): Html =>
  brandLogo === null
    ? new Html(logo)
    : html`<img src="${new URL(publicUrl).pathname.replace(/\/$/, '')}/icon.svg" alt="" width="26" height="26">`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The address as a source of the content policy; a literal IPv6 address is not allowed there, so its scheme stands for
 * it.
 */
const sourceOf = (uri: string): string => {
  const { protocol, hostname, origin } = new URL(uri);
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol;
};
