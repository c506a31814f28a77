import { read } from '../command/read.ts';
import { table } from '../output/table.ts';

export const chains = read({
  operation: 'chains',
  show: ({ chains: served }) =>
    table(served, [
      { head: 'chain', of: ({ slug }) => slug },
      { head: 'id', isNumber: true, of: ({ chainId }) => chainId },
      { head: 'state', of: ({ status }) => ({ text: status, tone: status === 'live' ? 'up' : 'down' }) },
      { head: 'indexed', isNumber: true, of: ({ indexed }) => indexed },
      { head: 'head', isNumber: true, of: ({ head }) => head },
      { head: 'dollar', of: ({ dollarToken }) => dollarToken.symbol },
      { head: 'pools', of: ({ venue }) => venue },
      { head: '', of: ({ testnet }) => (testnet ? 'test' : '') },
    ]),
});
