import { logo } from '@mintage/brand';
import type { Deployment } from '../deployment.ts';
import { siteRoot } from '../deployment.ts';

import type { ConsoleCall, Page, Section } from '../page.ts';
import { addressIn } from './links.ts';
import { escapeHtml } from './text.ts';
import { toHtml } from './toHtml.ts';

/** A page as HTML that reads without scripts; they add search and the console. */
export const layout = (page: Page, sections: readonly Section[], deployment: Deployment): string => {
  const root = siteRoot(deployment);
  const { html, headings } = toHtml(page.markdown(), (target) => addressIn(root, target));
  const name = escapeHtml(deployment.name);
  const title = escapeHtml(page.title);
  const here = sections.find(({ pages }) => pages.includes(page));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.path === '' ? `${name} documentation` : `${title} · ${name}`}</title>
<meta name="description" content="${escapeHtml(page.summary)}">
<link rel="icon" type="image/svg+xml" href="${root}/icon.svg">
<link rel="stylesheet" href="${root}/docs.css">
<link rel="alternate" type="text/markdown" href="${root}/${page.path || 'index'}.md">
<script type="module" src="${root}/docs.js"></script>
</head>
<body>
<a class="skip" href="#site-content">Skip to the text</a>
<header class="bar"><div>
<button class="menu" type="button" popovertarget="site-pages">Pages</button>
<a class="logo" href="${root}" aria-label="${name} documentation">${logo}<span>${name}</span></a>
<search class="search" data-search="${root}" hidden><label class="sr" for="site-search">Search the documentation</label><input id="site-search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="site-found" aria-autocomplete="list"><kbd aria-hidden="true">/</kbd><ul id="site-found" role="listbox" aria-label="Pages found" hidden></ul></search>
</div></header>
<div class="columns">
<nav class="pages" id="site-pages" popover aria-label="Pages">
${sections.map((section, at) => groupName(section, sections[at - 1]) + navigation(section, page, root, section === here)).join('\n')}
</nav>
<main id="site-content" tabindex="-1">
${here === undefined ? '' : `<p class="crumb">${escapeHtml(here.title)}</p>`}
<h1>${title}</h1>
${html}${page.console === undefined ? '' : consoleForm(page.console, deployment)}
<p class="as-text"><a href="${root}/${page.path || 'index'}.md">This page as Markdown</a></p>
</main>
${headings.length < 2 ? '' : `<nav class="headings" aria-label="On this page"><h2>On this page</h2><ul>${headings.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`).join('')}${page.console === undefined ? '' : '<li><a href="#site-try">Try it</a></li>'}</ul></nav>`}
</div>
</body>
</html>
`;
};

/** Before the first section of a group. */
const groupName = ({ group }: Section, before: Section | undefined): string =>
  group === before?.group ? '' : `<p class="group">${escapeHtml(group)}</p>`;

const navigation = ({ title, pages }: Section, current: Page, root: string, isOpen: boolean): string => {
  const link = (page: Page): string => {
    const mark = page === current ? ' aria-current="page"' : '';
    return `<li><a href="${root}${page.path === '' ? '' : `/${page.path}`}"${mark}>${escapeHtml(page.title)}</a></li>`;
  };
  return `<details class="section"${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>${pages.map(link).join('')}</ul></details>`;
};

/** Hidden until the script that can send it has come. The key stays in the page's memory. */
const consoleForm = ({ method, path, input, needsCredential }: ConsoleCall, deployment: Deployment): string => {
  const base = new URL(deployment.publicUrl).pathname.replace(/\/$/, '') + deployment.apiPath;
  const rows = Math.min(18, JSON.stringify(input, null, 2).split('\n').length + 1);
  return `
<section class="console" id="site-try" aria-labelledby="site-try-title" hidden data-method="${method}" data-path="${escapeHtml(base + path)}">
<h2 id="site-try-title">Try it</h2>
<form>
<p class="note">Sends a real call to this service${needsCredential ? ', in your name' : ''}. The key is kept in this page only and is gone when you leave it.</p>
<label for="site-key">API key or access token${needsCredential ? '' : ' (optional)'}</label>
<input id="site-key" type="password" autocomplete="off" spellcheck="false">
<label for="site-input">Input, JSON</label>
<textarea id="site-input" rows="${rows}" spellcheck="false">${escapeHtml(JSON.stringify(input, null, 2))}</textarea>
<button type="submit">Send</button>
</form>
<p class="status" role="status"></p>
<pre tabindex="0" aria-label="Answer" hidden><code></code></pre>
</section>
`;
};
