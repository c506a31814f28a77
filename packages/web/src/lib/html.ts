import type { PageFiles } from './manifest.ts';

/** Parts of documents that are text: of the server only. */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escape = (text: string): string => text.replace(/[&<>"']/g, (one) => entities[one] ?? '');

/** JSON that no script's end can hide in. */
export const json = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;

export const fontLinks = (base: string, { fonts }: PageFiles): string =>
  fonts
    .map((file) => `<link rel="preload" as="font" type="font/woff2" href="${base}/app/${file}" crossorigin>`)
    .join('\n');

/** The deployment's colours come last. */
export const styleLinks = (base: string, { styles }: PageFiles, brandTag: string): string =>
  [...styles, `brand.css?${brandTag}`].map((file) => `<link rel="stylesheet" href="${base}/app/${file}">`).join('\n');
