import { read } from '../command/read.ts';
import { facts, table } from '../output/table.ts';
import { dollars, short } from '../output/words.ts';

export const me = read({
  operation: 'me',
  show: ({ data }) => {
    const rows = data.balances.flatMap(({ chainSlug, native, usd, wallets }) =>
      wallets.map((wallet) => ({ chainSlug, symbols: [native.symbol, usd.symbol], ...wallet })),
    );
    return [
      facts([
        ['User', data.userId],
        ['Signed in by', data.authMethod],
        ...data.wallets.map(({ address, embedded }) => ['Wallet', address, embedded ? 'embedded' : 'own'] as const),
        ['Embedded wallet', data.execution.paused ? { text: 'paused: it signs nothing', tone: 'down' } : 'signs'],
        ['Traded', dollars(data.referral.tradedVolumeUsd)],
        ['Referral code', data.referral.code],
        ['Referred by', data.referral.referredBy],
      ]),
      table(rows, [
        { head: 'chain', of: ({ chainSlug }) => chainSlug },
        { head: 'wallet', of: ({ address }) => address },
        { head: 'coin', isNumber: true, of: ({ native }) => short(native.balance, 6) },
        { head: '', of: ({ symbols }) => symbols[0] },
        { head: 'dollars', isNumber: true, of: ({ usd }) => short(usd.balance, 2) },
        { head: '', of: ({ symbols }) => symbols[1] },
      ]),
    ].join('\n\n');
  },
});
