import { withPageLinks } from './markdown/links.ts';
import { plain } from './markdown/text.ts';
import type { Page } from './page.ts';

/**
 * `docs/guides/start.md` → `guides/start`, `docs/running.md` → `operate/running`, `packages/sdk/README.md` → `packages/sdk`,
 * `examples/trade.ts` → `examples/trade`.
 */
export const pathOfFile = (file: string): string =>
  file
    .replace(/^docs\/(?!guides\/)/, 'operate/')
    .replace(/^docs\//, '')
    .replace(/(\/README)?\.(md|ts)$/, '');

/**
 * The page of a Markdown file, whose first line is its title and whose first paragraph says what it is about.
 *
 * @throws When the file begins with something else.
 */
export const handWritten = (file: string, text: string, files: ReadonlySet<string>): Page => {
  const [, title, body = ''] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? [];
  if (title === undefined) throw new Error(`${file} does not begin with a heading.`);
  const linked = withPageLinks(body.trim(), file, (target) => (files.has(target) ? pathOfFile(target) : undefined));
  return { path: pathOfFile(file), title: plain(title), summary: firstSentence(body), markdown: () => linked };
};

/** Of the first paragraph that is text. */
const firstSentence = (body: string): string => {
  const paragraph = body.split(/\n\s*\n/).find((part) => /^[\w`*[“"]/.test(part.trim())) ?? '';
  const [sentence] = /^.*?[.:](?=\s|$)/.exec(plain(paragraph)) ?? [plain(paragraph)];
  return sentence.replace(/:$/, '.');
};
