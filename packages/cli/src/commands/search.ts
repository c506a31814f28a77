import { read } from '../command/read.ts';
import { addressOf } from '../output/addressOf.ts';
import { plain } from '../output/plain.ts';
import { facts } from '../output/table.ts';

export const search = read({
  operation: 'searchToken',
  words: { '<words...>': 'input' },
  show: ({ token, error }) =>
    token === null
      ? plain(`None. ${error ?? ''}`.trim())
      : facts([
          ['Name', token.name],
          ['Symbol', token.symbol],
          ['Id', token.id],
          ['Slug', token.slug],
          ['Address', addressOf(token)],
          ['Home', token.origin_chain],
          ['Stage', token.graduated ? 'graduated' : 'on the curve'],
        ]),
});
