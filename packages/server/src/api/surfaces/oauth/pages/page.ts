import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';
import { style } from './style.ts';

export interface Page {
  html: string;
  headers: Record<string, string>;
}

export interface PageOptions {
  title: string;
  body: Html;
  /** The page's one script. */
  script?: string;
  /** Where a form of the page may lead beside to ourselves: browsers hold redirects to the policy too. */
  redirectUri?: string;
}

/** A page with nothing from elsewhere, that nobody can frame and that runs no script but its own. */
export const page = ({ title, body, script, redirectUri }: PageOptions): Page => {
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
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
${body}
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
      // Not `no-referrer`: a form would then say that it comes from nowhere, and we ask where it comes from.
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    },
  };
};

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** As a source of the policy; a literal IPv6 address cannot be one, so its scheme stands for it. */
const sourceOf = (uri: string): string => {
  const { protocol, hostname, origin } = new URL(uri);
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol;
};
