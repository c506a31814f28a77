import type { GetUserFeeHistoryAnswer } from '@mintage/sdk';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, apiOf, read } from '../../lib/api.ts';
import { csvOf, download } from '../../lib/csv.ts';
import { ownKey } from '../../lib/session.ts';
import * as t from '../../messages/en/rewards.ts';
import { Button } from '../../ui/Button.tsx';
import { Blocks, Empty } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { isDollar } from './claims.ts';
import { Pages, pageRows } from './Pages.tsx';
import { type Payment, Payments } from './Payments.tsx';

type FeeDistribution = GetUserFeeHistoryAnswer['distributions'][number];

const page = (offset: number) =>
  read([ownKey, 'fee history', offset], (api, options) => api.getUserFeeHistory({ limit: pageRows, offset }, options), {
    staleTime: 2_000,
    refetchInterval: 5_000,
  });

/** Every credit with the transaction that made it. */
export const History = ({ dollars }: { dollars: ReadonlyMap<string, string> }) => {
  const client = useQueryClient();
  const [offset, setOffset] = useState(0);
  const [failed, setFailed] = useState<unknown>(null);
  const { data, error, refetch } = useQuery({ ...page(offset), placeholderData: keepPreviousData });
  const all = data?.total_count ?? 0;
  const symbolOf = (one: FeeDistribution): string | null => (isDollar(dollars, one) ? null : (one.token?.symbol ?? ''));
  const paymentOf = (one: FeeDistribution): Payment => ({
    id: one.id,
    at: one.created_at,
    chain: one.chain,
    what: t.rewards.kinds[one.distribution_type] ?? t.rewards.kinds.unknown,
    token: one.token,
    amount: one.amount_with_decimals,
    symbol: symbolOf(one),
    hash: one.transaction_hash,
  });
  const save = async (): Promise<void> => {
    setFailed(null);
    try {
      download('rewards.csv', csvOf(historyRows(await allCredits(apiOf(client)), symbolOf)));
    } catch (thrown) {
      setFailed(thrown);
    }
  };
  return (
    <section className="card" aria-label={t.rewards.history}>
      <div className="head">
        <h2>{t.rewards.history}</h2>
        {all > 0 && (
          <Button kind="bare" size="s" onClick={() => void save()}>
            <Icon name="download" />
            {t.money.csv}
          </Button>
        )}
      </div>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {failed !== null && <Problem error={failed} onRetry={() => void save()} />}
      {data === undefined ? (
        error === null && <Blocks count={5} height={48} />
      ) : data.distributions.length === 0 ? (
        <Empty>{t.rewards.noHistory}</Empty>
      ) : (
        <Payments what={t.rewards.heads.as} rows={data.distributions.map(paymentOf)} />
      )}
      <Pages offset={offset} all={all} onTurn={setOffset} />
    </section>
  );
};

/** As far back as the service lists. */
const allCredits = async (api: Api): Promise<FeeDistribution[]> => {
  const credits: FeeDistribution[] = [];
  for (let offset = 0; offset <= 10_000; offset += 100) {
    const { distributions } = await api.getUserFeeHistory({ limit: 100, offset });
    credits.push(...distributions);
    if (distributions.length < 100) break;
  }
  return credits;
};

const historyRows = (
  credits: readonly FeeDistribution[],
  symbolOf: (one: FeeDistribution) => string | null,
): string[][] => [
  ['Time', 'For', 'Token', 'Chain', 'Amount', 'Currency', 'Contract of the currency', 'Wallet', 'Transaction'],
  ...credits.map((one) => [
    one.created_at,
    t.rewards.kinds[one.distribution_type] ?? one.distribution_type,
    one.token?.symbol ?? '',
    one.chain,
    one.amount_with_decimals,
    symbolOf(one) ?? 'USD',
    one.currency_address,
    one.recipient_address,
    one.transaction_hash,
  ]),
];
