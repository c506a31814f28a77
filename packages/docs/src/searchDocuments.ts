import { type Deployment, siteRoot } from './deployment.ts';
import { plain, slugOf } from './markdown/text.ts';
import type { Page, Section } from './page.ts';

/** One thing that a search finds: a page, or a part of a long one. */
export interface SearchDocument {
  id: number;
  address: string;
  title: string;
  /** Of which section or page it is a part. */
  within: string;
  text: string;
}

/** Pages of the reference are found whole; hand-written ones by their second-level headings too. */
export const searchDocuments = (sections: readonly Section[], deployment: Deployment): SearchDocument[] => {
  const root = siteRoot(deployment);
  const found = sections.flatMap(({ title, pages }) => pages.flatMap((page) => documentsOf(page, title, root)));
  return found.map((document, id) => ({ id, ...document }));
};

const documentsOf = (page: Page, section: string, root: string): Omit<SearchDocument, 'id'>[] => {
  const address = page.path === '' ? root : `${root}/${page.path}`;
  const markdown = page.markdown();
  const [, ...below] = outsideCode(markdown).split(/^## /m);
  const whole = { address, title: page.title, within: section, text: `${plain(page.summary)} ${codeWords(markdown)}` };
  const headed = below.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    const text = plain(lines.join(' ').replaceAll(/[|]|-{3,}/g, ' ')).slice(0, longestText);
    return { address: `${address}#${slugOf(heading)}`, title: plain(heading), within: page.title, text };
  });
  return /^(guides|operate)\//.test(page.path) ? [whole, ...headed] : [whole];
};

/** Characters of a part that are searched: an index of everything would take longer to load than to read. */
const longestText = 600;

const outsideCode = (markdown: string): string => markdown.replaceAll(/^```[\s\S]*?^```/gm, '');

/** Names of fields and functions on the page, each once. */
const codeWords = (markdown: string): string => {
  const words = [...outsideCode(markdown).matchAll(/`([\w.[\]<>]{2,60})`/g)].map(([, word = '']) => word);
  return [...new Set(words.flatMap((word) => word.split(/[.[\]<>]+/)))].filter((word) => word !== '').join(' ');
};
