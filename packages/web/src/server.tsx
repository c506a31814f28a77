import { dehydrate } from '@tanstack/react-query';
import { renderToString } from 'preact-render-to-string';
import type { Manifest, Manifests, Render, RenderRequest } from '../build/rendering.ts';
import { App, loadPage } from './app.tsx';
import { embeddedAt, renderEmbed } from './embedPage.tsx';
import { setApi } from './lib/api.ts';
import { createQueries } from './lib/createQueries.ts';
import { escape, fontLinks, json, styleLinks } from './lib/html.ts';
import { filesOf } from './lib/manifest.ts';
import type { Head } from './lib/route.ts';
import * as t from './messages/en/common.ts';
import { matchRoute } from './routes/routes.ts';

/** @param manifests - Of the files that browsers load. */
export const createRender =
  (manifests: Manifests): Render =>
  async (request) => {
    const { path, search, deployment, api } = request;
    const embedded = embeddedAt(path);
    if (embedded !== null) return renderEmbed(embedded, request, manifests.embed);
    const client = createQueries();
    setApi(client, api);
    const wanted = await loadPage(path);
    const asked = { params: wanted.params, search: new URLSearchParams(search), deployment, client, api };
    const head = await wanted.page.prepare(asked);
    const first = head === null ? await loadPage('/not found') : wanted;
    const shownHead = head ?? { title: t.notFound.title, description: t.notFound.text, isHidden: true };
    const body = renderToString(<App deployment={deployment} client={client} first={first} at={{ path, search }} />);
    const html = document(request, shownHead, body, dehydrate(client), manifests.app);
    client.clear();
    return { status: head === null || matchRoute(path) === null ? 404 : 200, html };
  };

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
  const loaded = filesOf(manifest, ['src/client.tsx', ...(route === undefined ? [] : [route.file])]);
  const [entry, ...imported] = loaded.scripts;
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
${fontLinks(base, loaded)}
${styleLinks(base, loaded, brandTag)}
${imported.map((file) => `<link rel="modulepreload" href="${files}/${file}">`).join('\n')}
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
