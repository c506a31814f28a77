import type { ChainSlug } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import { Transaction } from '../features/transaction/Transaction.tsx';
import { read } from '../lib/api.ts';
import { chainLooks, chainName } from '../lib/chainLooks.ts';
import { short } from '../lib/format.ts';
import { isHashOn } from '../lib/onChain.ts';
import type { PageModule } from '../lib/route.ts';
import * as t from '../messages/en/transaction.ts';
import { Blocks, Empty } from '../ui/Empty.tsx';
import { Problem } from '../ui/Problem.tsx';

const transaction = (chain: string, hash: string) =>
  // A hash that is not one, and a chain that is none, are refused by the service.
  read(
    ['transaction', chain, hash],
    (api, options) => api.getTransaction({ chainSlug: chain as ChainSlug, hash }, options),
    {
      staleTime: 2_000,
      refetchInterval: 5_000,
    },
  );

/** Any transaction of a served chain: the proof of a number where the chain has no explorer. */
const TransactionPage: PageModule['default'] = ({ params }) => {
  const { chain = '', hash = '' } = params;
  const { data, error, refetch } = useQuery(transaction(chain, hash));
  const isUnknown = (error as { code?: unknown } | null)?.code === 'TRANSACTION_NOT_FOUND';
  return (
    <div className="tx">
      <h1>{t.tx.title}</h1>
      <p className="mono" style={{ overflowWrap: 'anywhere' }}>
        {hash}
      </p>
      {data !== undefined && <Transaction transaction={data} />}
      {data === undefined && error === null && <Blocks count={6} height={40} />}
      {data === undefined && isUnknown && <Empty>{t.tx.notThere}</Empty>}
      {data === undefined && error !== null && !isUnknown && <Problem error={error} onRetry={() => void refetch()} />}
    </div>
  );
};
export default TransactionPage;

export const prepare: PageModule['prepare'] = ({ params }) => {
  const { chain = '', hash = '' } = params;
  if (chainLooks(chain) === null || !isHashOn(chain, hash)) return null;
  return { title: t.tx.short(short(hash)), description: `${t.tx.title} ${hash}, ${chainName(chain)}`, isHidden: true };
};
