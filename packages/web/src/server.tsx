import { dehydrate } from '@tanstack/react-query';
import { renderToString } from 'preact-render-to-string';
import type { Manifest, Render, RenderRequest } from '../build/rendering.ts';
import { App, loadPage } from './app.tsx';
import { setApi } from './lib/api.ts';
import { createQueries } from './lib/createQueries.ts';
import { filesOf } from './lib/manifest.ts';
import type { Head } from './lib/route.ts';
import { t } from './messages/t.ts';
import { matchRoute } from './routes/routes.ts';

/** @param manifest - Of the files that browsers load. */
export const createRender =
  (manifest: Manifest): Render =>
  async (request) => {
    const { path, search, deployment, api } = request;
    const client = createQueries();
    setApi(client, api);
    const wanted = await loadPage(path);
    const asked = { params: wanted.params, search: new URLSearchParams(search), deployment, client, api };
    const head = await wanted.page.prepare(asked);
    const first = head === null ? await loadPage('/not found') : wanted;
    const shownHead = head ?? { title: t.notFound.title, description: t.notFound.text, isHidden: true };
    const body = renderToString(<App deployment={deployment} client={client} first={first} at={{ path, search }} />);
    const html = document(request, shownHead, body, dehydrate(client), manifest);
    client.clear();
    return { status: head === null || matchRoute(path) === null ? 404 : 200, html };
  };

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (one) => entities[one] ?? '');

/** JSON that no script's end can hide in. */
const json = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;

const document = (
  { path, deployment, brandTag }: RenderRequest,
  head: Head,
  body: string,
  data: unknown,
  manifest: Manifest,
): string => {
  const { base, name, appUrl } = deployment;
  const files = `${base}/app`;
  const route = matchRoute(path)?.route;
  const { scripts, styles, fonts } = filesOf(manifest, ['src/client.tsx', ...(route === undefined ? [] : [route.file])]);
  const [entry] = scripts;
  const title = escape(t.title(head.title, name));
  const description = escape(head.description);
  const address = escape(appUrl + (head.canonical ?? path));
  const picture = head.picture === undefined ? '' : escape(appUrl + head.picture);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${description}">
${head.isHidden ? '<meta name="robots" content="noindex">' : `<link rel="canonical" href="${address}">`}
<meta property="og:type" content="website">
<meta property="og:site_name" content="${escape(name)}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${address}">
${
  picture === ''
    ? '<meta name="twitter:card" content="summary">'
    : `<meta property="og:image" content="${picture}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
<meta name="twitter:image" content="${picture}">`
}
<meta name="twitter:title" content="${title}">
<meta name="twitter:description" content="${description}">
<link rel="icon" type="image/svg+xml" href="${base}/icon.svg">
<script src="${files}/${manifest['src/theme.ts']?.file}"></script>
${fonts.map((file) => `<link rel="preload" as="font" type="font/woff2" href="${files}/${file}" crossorigin>`).join('\n')}
${styles.map((file) => `<link rel="stylesheet" href="${files}/${file}">`).join('\n')}
<link rel="stylesheet" href="${base}/app/brand.css?${brandTag}">
${scripts
  .slice(1)
  .map((file) => `<link rel="modulepreload" href="${files}/${file}">`)
  .join('\n')}
<script type="module" src="${files}/${entry}"></script>
</head>
<body>
<div id="app">${body}</div>
${json('deployment', deployment)}
${json('data', data)}
</body>
</html>
`;
};
