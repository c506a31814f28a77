export * from './common.ts';

export const leaderboard = {
  title: 'Leaderboard',
  description: (name: string) => `Who earned the most fees on ${name}.`,
  text: 'Who earned the most: creators, builders and referrers, claimed or not.',
  period: 'Period',
  periods: { '7d': 'Seven days', all: 'All time' },
  heads: { rank: 'Rank', who: 'Who', chains: 'Chains', earned: 'Earned' },
  you: 'You',
  yourRank: 'Your place',
  notListed: 'You have not earned fees in this period.',
  chains: (count: number) => (count === 1 ? 'one chain' : `${count} chains`),
  byChain: 'All time, by chain',
  none: 'Nobody has earned in this period.',
  noneAct: 'Create a token',
  more: 'More',
  profile: 'Profile',
  proof: 'Look it up',
} as const;
