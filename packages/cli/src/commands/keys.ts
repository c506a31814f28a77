import { group } from '../command/group.ts';
import { read } from '../command/read.ts';
import { facts, table } from '../output/table.ts';
import { ago } from '../output/words.ts';

export const keys = group({
  list: [
    'Lists your API keys.',
    read({
      operation: 'listApiKeys',
      show: ({ keys: listed }) =>
        table(listed, [
          { head: 'id', of: ({ id }) => id },
          { head: 'name', of: ({ name }) => name },
          { head: 'begins with', of: ({ prefix }) => prefix },
          { head: 'may', of: ({ scopes }) => scopes.join(', ') },
          { head: 'a trade', isNumber: true, of: ({ budget }) => budget?.perTradeUsd },
          { head: 'a day', isNumber: true, of: ({ budget }) => budget?.perDayUsd },
          { head: 'made', isNumber: true, of: ({ createdAt }) => ago(createdAt) },
          { head: 'ends', isNumber: true, of: ({ expiresAt }) => ago(expiresAt) ?? 'never' },
        ]),
    }),
  ],
  create: [
    'Makes an API key, with a budget if one is given; it is shown once.',
    read({
      operation: 'createApiKey',
      show: ({ key, id, prefix }) =>
        facts([
          ['Key', { text: key, tone: 'bold' }, 'shown only now'],
          ['Id', id],
          ['Begins with', prefix],
        ]),
    }),
  ],
  revoke: [
    'Ends an API key within five seconds.',
    read({ operation: 'revokeApiKey', words: { id: 'id' }, show: () => 'Revoked.' }),
  ],
});
