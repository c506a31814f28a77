import { posix } from 'node:path';

/** How a text of the site names another page. */
export const pageScheme = 'docs:';

/**
 * The text of a file of the repository with its links in the site's form: `streams.md` of `docs/` is a page, other files of
 * the repository stay as they are written.
 *
 * @param pathOf - Path of the page that shows a file, by the file's path from the root; undefined: none does.
 */
export const withPageLinks = (text: string, file: string, pathOf: (file: string) => string | undefined): string =>
  outsideFences(text, (part) =>
    part.replaceAll(/\]\(([^)\s]+)\)/g, (whole, target: string) => {
      if (/^[a-z]+:/.test(target) || target.startsWith('#')) return whole;
      const [named = '', fragment] = target.split('#');
      const path = pathOf(posix.normalize(posix.join(posix.dirname(file), named)));
      if (path === undefined) return whole;
      return `](${pageScheme}${path}${fragment === undefined ? '' : `#${fragment}`})`;
    }),
  );

/** The text with its links to pages as links to their Markdown files. Of one to a file that no page shows the words stay. */
export const withMarkdownLinks = (text: string, root: string): string =>
  outsideFences(text, (part) =>
    part
      .replaceAll(/(?<!!)\[([^\]]*)\]\((?![a-z]+:|#|\/)[^)\s]+\)/g, '$1')
      .replaceAll(/\]\(docs:([^)#\s]*)(#[^)]*)?\)/g, (_, path: string, fragment = '') => {
        const file = path === '' ? 'index' : path;
        return `](${root}/${file}${/\.\w+$/.test(file) ? '' : '.md'}${fragment})`;
      }),
  );

/**
 * Address in HTML of what a link names; null for files of the repository that no page shows.
 *
 * @param root - Path of the site on its host.
 */
export const addressIn = (root: string, target: string): string | null => {
  if (target.startsWith(pageScheme)) {
    const path = target.slice(pageScheme.length);
    return path === '' || path.startsWith('#') ? root + path : `${root}/${path}`;
  }
  return /^(https?:|#|\/)/.test(target) ? target : null;
};

const outsideFences = (text: string, change: (part: string) => string): string =>
  text
    .split(/(^```[\s\S]*?^```)/m)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('');
