import type { GetUserClaimsAnswer } from '@mintage/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../lib/api.ts';
import { chainName } from '../../lib/chainLooks.ts';
import { ownKey } from '../../lib/session.ts';
import * as t from '../../messages/en/rewards.ts';
import { Ago } from '../../ui/Ago.tsx';
import { ChainMark } from '../../ui/chains.tsx';
import { Blocks, Empty } from '../../ui/Empty.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Proof } from '../../ui/Proof.tsx';
import { Credit } from './Credit.tsx';
import { Pages, pageRows } from './Pages.tsx';

type Claim = GetUserClaimsAnswer['claims'][number];

const page = (offset: number) =>
  read(
    [ownKey, 'claims', offset],
    (api, options) => api.getUserClaims({ limit: pageRows, offset }, options),
    { staleTime: 2_000, refetchInterval: 5_000 },
  );

/** Everything that was claimed, with the transaction that paid it. */
export const Claimed = ({ dollars }: { dollars: ReadonlyMap<string, string> }) => {
  const isDollar = ({ chain, currency_address }: Claim): boolean =>
    dollars.get(chain)?.toLowerCase() === currency_address.toLowerCase();
  const [offset, setOffset] = useState(0);
  const { data, error, refetch } = useQuery({ ...page(offset), placeholderData: keepPreviousData });
  return (
    <section className="card" aria-label={t.rewards.claimed}>
      <div className="head">
        <h2>{t.rewards.claimed}</h2>
      </div>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Blocks count={2} height={48} />
      ) : data.claims.length === 0 ? (
        data.total_count === 0 && <Empty>{t.rewards.nothingClaimed}</Empty>
      ) : (
        <table className="data history">
          <thead>
            <tr>
              <th scope="col">{t.rewards.heads.when}</th>
              <th scope="col">{t.rewards.heads.chain}</th>
              <th scope="col" className="right">{t.rewards.heads.amount}</th>
              <th scope="col" className="right">
                <span className="sr">{t.rewards.heads.proof}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.claims.map((one) => (
              <tr key={one.id}>
                <td className="soft">
                  <Ago at={one.created_at} />
                </td>
                <td>
                  <span className="row">
                    <ChainMark slug={one.chain} />
                    {chainName(one.chain)}
                  </span>
                </td>
                <td className="right">
                  <Credit amount={one.amount_with_decimals} symbol={isDollar(one) ? null : one.currency_symbol} />
                </td>
                <td className="right">
                  <Proof chain={one.chain} hash={one.transaction_hash} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Pages offset={offset} all={data?.total_count ?? 0} onTurn={setOffset} />
    </section>
  );
};
