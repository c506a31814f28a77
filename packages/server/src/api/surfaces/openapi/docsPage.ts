import { createHash } from 'node:crypto';
import type { Content } from '@mintage/protocol';
import type { Config } from '../../../config.ts';
import { basePath } from '../../wire/limits.ts';

/** The docs page. Script and description come from this server, nothing from elsewhere. */
export const docsPage = (config: Pick<Config, 'platformName' | 'publicUrl'>): Content => {
  const base = new URL(config.publicUrl).pathname.replace(/\/$/, '') + basePath;
  const settings = {
    url: `${base}/openapi.json`,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    operationTitleSource: 'path',
    mcp: { disabled: true },
    agent: { disabled: true },
  };
  const start = `Scalar.createApiReference('#reference', ${JSON.stringify(settings)})`;
  const startHash = createHash('sha256').update(start).digest('base64');
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${config.platformName} API</title>
</head>
<body>
<div id="reference"></div>
<script src="${base}/docs/reference.js"></script>
<script>${start}</script>
</body>
</html>
`;
  return {
    body,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': [
        "default-src 'none'",
        `script-src 'self' 'sha256-${startHash}'`,
        "style-src 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    },
  };
};
