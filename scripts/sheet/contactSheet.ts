export interface Shot {
  page: string;
  state: string;
  /** File names, one for each width and theme. */
  files: string[];
  /** Why it could not be brought about, or what is wrong with it. */
  failed?: string;
}

/** All pictures on one page, by page and state, each leading to itself in full size. */
export const contactSheet = (shots: readonly Shot[]): string => {
  const pages = [...new Set(shots.map(({ page }) => page))];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Every page in every state</title>
<style>
  body { margin: 24px; font: 14px/1.4 system-ui, sans-serif; background: #777; color: #fff; }
  nav { display: flex; flex-wrap: wrap; gap: 4px 16px; } a { color: inherit; }
  section { display: grid; grid-template-columns: 4fr 4fr 1.2fr 1.2fr; gap: 16px; align-items: start; margin-bottom: 40px; }
  section:has(> :nth-child(2):last-child) { grid-template-columns: 1.2fr 1.2fr 8fr; }
  img { width: 100%; display: block; }
  .failed { color: #ffd0d0; }
</style>
<h1>Every page in every state</h1>
<nav>${pages.map((page) => `<a href="#${page}">${page}</a>`).join(' ')}</nav>
${pages
  .map(
    (page) =>
      `<h2 id="${page}">${page}</h2>\n${shots
        .filter((shot) => shot.page === page)
        .map(row)
        .join('\n')}`,
  )
  .join('\n')}
</html>
`;
};

const row = ({ state, files, failed }: Shot): string =>
  `<h3>${state}</h3>${failed === undefined ? '' : `<p class="failed">${escaped(failed)}</p>`}
<section>${files.map((file) => `<a href="${file}"><img src="${file}" alt="${file}" loading="lazy"></a>`).join('')}</section>`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
