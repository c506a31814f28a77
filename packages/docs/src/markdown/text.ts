/** Text in a cell of a Markdown table. */
export const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

/** A Markdown table; nothing when there are no rows. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  if (rows.length === 0) return '';
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
};

export const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

/** Parts of a page with a blank line between them; empty ones are left out. */
export const parts = (...texts: (string | false | undefined)[]): string =>
  texts.filter((text) => typeof text === 'string' && text !== '').join('\n\n');

/** A heading with what stands below it; nothing when that is nothing. */
export const under = (heading: string, text: string): string => (text === '' ? '' : `${heading}\n\n${text}`);

/** A sentence without Markdown's marks. */
export const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** `## How it works` → `how-it-works`. */
export const slugOf = (heading: string): string =>
  plain(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
