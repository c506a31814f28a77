import { read } from '../command/read.ts';
import { table } from '../output/table.ts';
import { ago, dollars, short } from '../output/words.ts';

export const holders = read({
  operation: 'getTokenHolders',
  words: { token: 'token_id' },
  show: ({ holders }) =>
    table(holders, [
      { head: '#', isNumber: true, of: ({ rank }) => rank },
      { head: 'wallet', of: ({ wallet }) => wallet },
      { head: 'chain', of: ({ chain }) => chain },
      { head: 'tokens', isNumber: true, of: ({ balance }) => short(balance) },
      { head: 'share', isNumber: true, of: ({ share_pct }) => `${short(share_pct, 2)} %` },
      { head: 'at the last price', isNumber: true, of: ({ value_usd }) => dollars(value_usd) },
      { head: 'since', isNumber: true, of: ({ first_acquired }) => ago(first_acquired) },
      { head: '', of: ({ is_creator }) => (is_creator ? 'creator' : '') },
    ]),
  follows: ({ token_id }) => ({ topic: 'walletBalances', tokenId: String(token_id) }),
});
