import { createRequire } from 'node:module';
import { escapeHtml } from './text.ts';

interface Highlighter {
  registerLanguage(name: string, grammar: unknown): void;
  highlight(code: string, options: { language: string }): { value: string };
}

// Its declarations would bring a browser's types into every file of this repository.
const require = createRequire(import.meta.url);
const highlighter = require('highlight.js/lib/core') as Highlighter;
for (const name of ['bash', 'json', 'typescript']) {
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));
}

/** What writers call the languages. */
const languages: Readonly<Record<string, string>> = {
  bash: 'bash',
  sh: 'bash',
  shell: 'bash',
  json: 'json',
  jsonc: 'json',
  ts: 'typescript',
  typescript: 'typescript',
  js: 'typescript',
  mjs: 'typescript',
};

/** Longer than this, a highlighted text would be most of its page. */
const longest = 12_000;

/** The code as HTML; without colours where the language is not known. */
export const highlighted = (code: string, name: string): string => {
  const language = languages[name.split(/\s/)[0] ?? ''];
  if (language === undefined || code.length > longest) return escapeHtml(code);
  return highlighter.highlight(code, { language }).value;
};
