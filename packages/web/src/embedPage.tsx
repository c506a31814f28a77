import { renderToString } from 'preact-render-to-string';
import { type EmbedKind, embedPaths } from '../build/paths.ts';
import type { Manifest, Rendered, RenderRequest } from '../build/rendering.ts';
import { Embed, type EmbedProps } from './features/embed/Embed.tsx';
import { readMarket } from './features/embed/embedMarket.ts';
import { escape, fontLinks, json, styleLinks } from './lib/html.ts';
import { filesOf } from './lib/manifest.ts';
import { isAddress } from './lib/onChain.ts';
import { pathParams } from './lib/pathParams.ts';
import { framed as words } from './messages/en/embed.ts';

/** What the script of a framed page starts with. */
export interface EmbedGiven extends Omit<EmbedProps, 'read'> {
  /** Path of the pages on their host. */
  base: string;
}

export interface Embedded {
  kind: EmbedKind;
  /** How the token is named in the address. */
  token: string;
}

/** What a path frames; null: it is no framed page. */
export const embeddedAt = (path: string): Embedded | null => {
  for (const [kind, pattern] of Object.entries(embedPaths)) {
    const token = pathParams(pattern, path)?.token;
    if (token !== undefined) return { kind: kind as EmbedKind, token };
  }
  return null;
};

/** @param manifest - Of the files that framed pages load. */
export const renderEmbed = async (
  { kind, token }: Embedded,
  request: RenderRequest,
  manifest: Manifest,
): Promise<Rendered> => {
  const { deployment, api, search } = request;
  const asked = new URLSearchParams(search);
  const first = await readMarket(api, token, kind === 'trade').catch((error: { code?: unknown }) => {
    if (error.code === 'TOKEN_NOT_FOUND' || error.code === 'INVALID_PARAMETERS') return null;
    throw error;
  });
  const theme = asked.get('theme');
  const look: Pick<Look, 'theme' | 'manifest'> = {
    theme: theme === 'light' || theme === 'dark' ? theme : null,
    manifest,
  };
  if (first === null) {
    const body = `<main class="embed"><h1 class="sr">${words.noSuchToken}</h1><p>${words.noSuchToken} <a class="link" href="${escape(deployment.appUrl)}/" target="_blank" rel="noopener">${words.openMarket}</a></p></main>`;
    return { status: 404, html: document(request, { ...look, title: words.noSuchToken, body, given: null }) };
  }
  const given: EmbedGiven = {
    kind,
    first,
    appUrl: deployment.appUrl,
    name: deployment.name,
    referral: addressIn(asked.get('ref')),
    base: deployment.base,
  };
  const { base: _, ...props } = given;
  const body = renderToString(<Embed {...props} />);
  return { status: 200, html: document(request, { ...look, title: first.about.name, body, given }) };
};

const addressIn = (text: string | null): string | null => (isAddress(text ?? '') ? text : null);

interface Look {
  theme: 'light' | 'dark' | null;
  manifest: Manifest;
  title: string;
  body: string;
  /** Null: nothing moves. */
  given: EmbedGiven | null;
}

const document = ({ deployment, brandTag }: RenderRequest, { theme, manifest, title, body, given }: Look): string => {
  const { base, name } = deployment;
  const files = filesOf(manifest, ['src/embed.tsx']);
  return `<!doctype html>
<html lang="en"${theme === null ? '' : ` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escape(words.title(title, name))}</title>
${fontLinks(base, files)}
${styleLinks(base, files, brandTag)}
${given === null ? '' : files.scripts.map((file) => `<script type="module" src="${base}/app/${file}"></script>`).join('\n')}
</head>
<body>
<div id="app">${body}</div>
${given === null ? '' : json('given', given)}
</body>
</html>
`;
};
