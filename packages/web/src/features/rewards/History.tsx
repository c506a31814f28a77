import type { GetUserFeeHistoryAnswer } from '@mintage/sdk';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Api, apiOf, read } from '../../lib/api.ts';
import { csvOf, download } from '../../lib/csv.ts';
import { ownKey } from '../../lib/session.ts';
import * as t from '../../messages/en/rewards.ts';
import { Ago } from '../../ui/Ago.tsx';
import { Button } from '../../ui/Button.tsx';
import { ChainMark } from '../../ui/chains.tsx';
import { Blocks, Empty } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Proof } from '../../ui/Proof.tsx';
import { Credit } from './Credit.tsx';
import { Pages, pageRows } from './Pages.tsx';

type FeeDistribution = GetUserFeeHistoryAnswer['distributions'][number];

const page = (offset: number) =>
  read(
    [ownKey, 'fee history', offset],
    (api, options) => api.getUserFeeHistory({ limit: pageRows, offset }, options),
    { staleTime: 2_000, refetchInterval: 5_000 },
  );

/** Every credit with the transaction that made it. */
export const History = ({ dollars }: { dollars: ReadonlyMap<string, string> }) => {
  const client = useQueryClient();
  const [offset, setOffset] = useState(0);
  const [failed, setFailed] = useState<unknown>(null);
  const { data, error, refetch } = useQuery({ ...page(offset), placeholderData: keepPreviousData });
  const all = data?.total_count ?? 0;
  const symbolOf = ({ chain, currency_address, token }: FeeDistribution): string | null =>
    dollars.get(chain)?.toLowerCase() === currency_address.toLowerCase() ? null : (token?.symbol ?? '');
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
        <table className="data history">
          <thead>
            <tr>
              <th scope="col">{t.rewards.heads.when}</th>
              <th scope="col">{t.rewards.heads.as}</th>
              <th scope="col" className="wide">{t.rewards.heads.token}</th>
              <th scope="col" className="right">{t.rewards.heads.amount}</th>
              <th scope="col" className="right">
                <span className="sr">{t.rewards.heads.proof}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.distributions.map((one) => (
              <tr key={one.id}>
                <td className="soft">
                  <Ago at={one.created_at} />
                </td>
                <td>
                  <span className="row">
                    <ChainMark slug={one.chain} />
                    {t.rewards.kinds[one.distribution_type] ?? t.rewards.kinds.unknown}
                  </span>
                </td>
                <td className="wide">
                  {one.token !== null && (
                    <Link className="link" href={`/token/${one.token.slug}`}>
                      {one.token.symbol}
                    </Link>
                  )}
                </td>
                <td className="right">
                  <Credit amount={one.amount_with_decimals} symbol={symbolOf(one)} />
                </td>
                <td className="right">
                  <Proof chain={one.chain} hash={one.transaction_hash} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
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

const historyRows = (credits: readonly FeeDistribution[], symbolOf: (one: FeeDistribution) => string | null): string[][] => [
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
