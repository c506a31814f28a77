import type { GetLeaderboardAnswer } from '@mintage/sdk';
import { read } from '../../lib/api.ts';
import type { Deployment } from '../../lib/deployment.ts';
import { ownKey } from '../../lib/session.ts';

export type Period = 'all' | '7d';
export type Line = GetLeaderboardAnswer['leaderboard'][number];

export interface Shown {
  period: Period;
  rows: number;
  network: Deployment['network'];
}

const most = 1_000;
export const rowsOfPage = 100;

export const shownBy = (search: URLSearchParams, { network }: Pick<Deployment, 'network'>): Shown => {
  const pages = Math.ceil(Number(search.get('rows')) / rowsOfPage);
  return {
    period: search.get('period') === '7d' ? '7d' : 'all',
    rows: Math.min(most, Math.max(1, Number.isInteger(pages) ? pages : 1) * rowsOfPage),
    network,
  };
};

export const hrefOf = (period: Period, rows = rowsOfPage): string => {
  const search = new URLSearchParams();
  if (period !== 'all') search.set('period', period);
  if (rows > rowsOfPage) search.set('rows', String(rows));
  return search.size === 0 ? '/leaderboard' : `/leaderboard?${search}`;
};

/** Dollars of test chains and real ones do not stand beside each other. */
const modeOf = (network: Deployment['network']) => (network === 'Mainnet' ? 'mainnet' : 'testnet');

export const leaderboard = ({ period, rows, network }: Shown) =>
  read(
    ['leaderboard', period, rows, network],
    (api, options) => api.getLeaderboard({ period, limit: rows, network_mode: modeOf(network) }, options),
    { staleTime: 10_000, refetchInterval: 60_000 },
  );

/** The line of the one who is signed in, among the first thousand; null: there is none. */
export const ownLine = ({ period, network }: Shown, userId: string | null) =>
  read(
    [ownKey, 'leaderboard', period, network, userId],
    async (api, options): Promise<Line | null> => {
      const asked = { period, limit: most, network_mode: modeOf(network) } as const;
      const { leaderboard: lines } = await api.getLeaderboard(asked, options);
      return lines.find((line) => line.user_id === userId) ?? null;
    },
    { staleTime: 60_000, enabled: userId !== null },
  );
