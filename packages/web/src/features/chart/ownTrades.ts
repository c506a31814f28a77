import { read } from '../../lib/api.ts';
import { ofToken } from '../../lib/tokenQueries.ts';

interface OwnTrade {
  at: string;
  side: 'buy' | 'sell';
}

/** The connected wallet's newest trades of this token. */
export const ownTrades = (id: string, wallet: string | null) =>
  read(
    [...ofToken(id), 'trades of', wallet],
    async (api, options): Promise<OwnTrade[]> => {
      const { activities } = await api.getWalletTrades({ wallet: wallet ?? '', limit: 100 }, options);
      return activities
        .filter(({ token }) => token.id === id)
        .map(({ evt_block_time: at, trade_type: side }) => ({ at, side }));
    },
    { enabled: wallet !== null },
  );
