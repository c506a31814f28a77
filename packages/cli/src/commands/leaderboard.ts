import { read } from '../command/read.ts';
import { table } from '../output/table.ts';
import { dollars } from '../output/words.ts';

export const leaderboard = read({
  operation: 'getLeaderboard',
  show: ({ leaderboard: rows }) =>
    table(rows, [
      { head: '#', isNumber: true, of: ({ rank }) => rank },
      { head: 'who', of: ({ username }) => username },
      { head: 'wallet', of: ({ recipient_address }) => recipient_address },
      { head: 'earned', isNumber: true, of: ({ total_earned_all_tokens }) => dollars(total_earned_all_tokens) },
      { head: 'chains', isNumber: true, of: ({ unique_chains_count }) => unique_chains_count },
    ]),
});
