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
<link rel="stylesheet" href="${root}/docs.css">
<link rel="alternate" type="text/markdown" href="${root}/${page.path || 'index'}.md">
<script type="module" src="${root}/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="bar"><div>
<button class="menu" type="button" popovertarget="pages">Pages</button>
<a class="logo" href="${root}">${logo}<span>${name}</span></a>
<search class="search" data-search="${root}" hidden><label class="sr" for="search">Search the documentation</label><input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list"><kbd aria-hidden="true">/</kbd><ul id="found" role="listbox" aria-label="Pages found" hidden></ul></search>
</div></header>
<div class="columns">
<nav class="pages" id="pages" popover aria-label="Pages">
${sections.map((section) => navigation(section, page, root, section === here)).join('\n')}
</nav>
<main id="content" tabindex="-1">
${here === undefined ? '' : `<p class="crumb">${escapeHtml(here.title)}</p>`}
<h1>${title}</h1>
${html}${page.console === undefined ? '' : consoleForm(page.console, deployment)}
<p class="as-text"><a href="${root}/${page.path || 'index'}.md">This page as Markdown</a></p>
</main>
${headings.length < 2 ? '' : `<nav class="headings" aria-label="On this page"><h2>On this page</h2><ul>${headings.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`).join('')}${page.console === undefined ? '' : '<li><a href="#try">Try it</a></li>'}</ul></nav>`}
</div>
</body>
</html>
`;
};

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
<section class="console" id="try" aria-labelledby="try-title" hidden data-method="${method}" data-path="${escapeHtml(base + path)}">
<h2 id="try-title">Try it</h2>
<form>
<p class="note">Sends a real call to this service${needsCredential ? ', in your name' : ''}. The key is kept in this page only and is gone when you leave it.</p>
<label for="key">API key or access token${needsCredential ? '' : ' (optional)'}</label>
<input id="key" type="password" autocomplete="off" spellcheck="false">
<label for="input">Input, JSON</label>
<textarea id="input" rows="${rows}" spellcheck="false">${escapeHtml(JSON.stringify(input, null, 2))}</textarea>
<button type="submit">Send</button>
</form>
<p class="status" role="status"></p>
<pre tabindex="0" aria-label="Answer" hidden><code></code></pre>
</section>
`;
};

/** A coin with a reeded edge. */
const logo =
  '<svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true"><path d="M28.60 16.00L31.00 16.00M28.28 18.80L30.62 19.34M27.35 21.47L29.51 22.51M25.85 23.86L27.73 25.35M23.86 25.85L25.35 27.73M21.47 27.35L22.51 29.51M18.80 28.28L19.34 30.62M16.00 28.60L16.00 31.00M13.20 28.28L12.66 30.62M10.53 27.35L9.49 29.51M8.14 25.85L6.65 27.73M6.15 23.86L4.27 25.35M4.65 21.47L2.49 22.51M3.72 18.80L1.38 19.34M3.40 16.00L1.00 16.00M3.72 13.20L1.38 12.66M4.65 10.53L2.49 9.49M6.15 8.14L4.27 6.65M8.14 6.15L6.65 4.27M10.53 4.65L9.49 2.49M13.20 3.72L12.66 1.38M16.00 3.40L16.00 1.00M18.80 3.72L19.34 1.38M21.47 4.65L22.51 2.49M23.86 6.15L25.35 4.27M25.85 8.14L27.73 6.65M27.35 10.53L29.51 9.49M28.28 13.20L30.62 12.66" stroke="currentColor" stroke-width="1.7" fill="none" stroke-linecap="round"/><path fill="currentColor" fill-rule="evenodd" d="M16 5.2a10.8 10.8 0 1 0 0 21.600a10.800 10.800 0 0 0 0-21.600Zm-5.600 5.300h3.100l2.500 4.300 2.500-4.300h3.100v11h-2.900v-6.300l-2.700 4.500-2.700-4.500v6.300h-2.900Z"/></svg>';
