import type { GetUserClaimsAnswer } from '@mintage/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../lib/api.ts';
import { chainName } from '../../lib/chainLooks.ts';
import { ownKey } from '../../lib/session.ts';
import * as t from '../../messages/en/rewards.ts';
import { Blocks, Empty } from '../../ui/Empty.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { isDollar } from './claims.ts';
import { Pages, pageRows } from './Pages.tsx';
import { type Payment, Payments } from './Payments.tsx';

type Claim = GetUserClaimsAnswer['claims'][number];

const page = (offset: number) =>
  read([ownKey, 'claims', offset], (api, options) => api.getUserClaims({ limit: pageRows, offset }, options), {
    staleTime: 2_000,
    refetchInterval: 5_000,
  });

/** Everything that was claimed, with the transaction that paid it. */
export const Claimed = ({ dollars }: { dollars: ReadonlyMap<string, string> }) => {
  const paymentOf = (claim: Claim): Payment => ({
    id: claim.id,
    at: claim.created_at,
    chain: claim.chain,
    what: chainName(claim.chain),
    amount: claim.amount_with_decimals,
    symbol: isDollar(dollars, claim) ? null : claim.currency_symbol,
    hash: claim.transaction_hash,
  });
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
        <Payments what={t.rewards.heads.chain} rows={data.claims.map(paymentOf)} />
      )}
      <Pages offset={offset} all={data?.total_count ?? 0} onTurn={setOffset} />
    </section>
  );
};
