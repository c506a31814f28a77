import { Marked, type Tokens } from 'marked';
import { highlighted } from './highlight.ts';
import { escapeHtml, slugOf } from './text.ts';

export interface Heading {
  id: string;
  text: string;
}

export interface Html {
  html: string;
  /** Second-level headings, in order. */
  headings: Heading[];
}

/** @param linkTo - The address of a link; null: there is nothing to link to, and only its text is shown. */
export const toHtml = (markdown: string, linkTo: (target: string) => string | null): Html => {
  const headings: Heading[] = [];
  const taken = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      code: ({ text, lang = '' }) => code(text, lang),
      heading({ tokens, depth, text }) {
        const slug = slugOf(text);
        const count = taken.get(slug) ?? 0;
        taken.set(slug, count + 1);
        const id = count === 0 ? slug : `${slug}-${count}`;
        const inner = this.parser.parseInline(tokens);
        if (depth === 2) headings.push({ id, text: inner });
        return `<h${depth} id="${id}"><a href="#${id}">${inner}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const target = linkTo(href);
        return target === null ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
      },
      image({ href, text }) {
        const target = linkTo(href);
        if (target === null) return escapeHtml(text);
        const picture = `<img src="${escapeHtml(target)}" alt="${escapeHtml(text)}">`;
        // On a phone it scrolls inside itself: shrunk to the width its words could not be read.
        return `<span class="picture" tabindex="0" role="group" aria-label="Picture">${picture}</span>`;
      },
      table(token) {
        return tableOf(token, (tokens) => this.parser.parseInline(tokens));
      },
    },
  });
  return { html: marked.parse(markdown, { async: false }), headings };
};

/** A keyboard reaches what scrolls. Answers can be long, and scroll; programs are read from end to end. */
const code = (text: string, language: string): string =>
  `<pre tabindex="0"${language === 'json' ? ' class="data"' : ''}><code>${highlighted(text, language)}</code></pre>\n`;

/** Tables scroll inside themselves; where there is no room for columns, each cell says what it is. */
const tableOf = ({ header, rows }: Tokens.Table, inline: (tokens: Tokens.TableCell['tokens']) => string): string => {
  const head = header.map(({ tokens }) => `<th scope="col">${inline(tokens)}</th>`).join('');
  const cellOf = ({ tokens }: Tokens.TableCell, at: number): string =>
    `<td data-head="${escapeHtml(header[at]?.text ?? '')}">${inline(tokens)}</td>`;
  const body = rows.map((row) => `<tr>${row.map(cellOf).join('')}</tr>`);
  const table = `<table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table>`;
  return `<div class="table" tabindex="0" role="group" aria-label="Table">${table}</div>\n`;
};
