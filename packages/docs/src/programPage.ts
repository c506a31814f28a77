import { pathOfFile } from './handWritten.ts';
import { fence, parts } from './markdown/text.ts';
import type { Page } from './page.ts';

/**
 * The page of a program that begins with a block comment: what it does, then how it is started and what it reads.
 *
 * @throws When the file begins with something else.
 */
export const programPage = (file: string, text: string): Page => {
  const [, comment] = /^\/\*\*\n([\s\S]*?)\n \*\/\n/.exec(text) ?? [];
  if (comment === undefined) throw new Error(`${file} does not begin with a comment.`);
  const [does = ''] = comment.replaceAll(/^ \*( |$)/gm, '').split('\n\n');
  const name = file.replace(/^.*\//, '').replace(/\.ts$/, '');
  const summary = does.replaceAll('\n', ' ').replace(/:$/, '.');
  return {
    path: pathOfFile(file),
    title: name,
    summary,
    markdown: () => parts(summary, `In the repository: \`${file}\`.`, fence('ts', text.trimEnd())),
  };
};
