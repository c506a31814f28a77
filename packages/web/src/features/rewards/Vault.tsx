import { useQuery } from '@tanstack/react-query';
import { read } from '../../lib/api.ts';
import { useDeployment } from '../../lib/deployment.ts';
import { differenceOf, sumOf } from '../../lib/exact.ts';
import { decimal } from '../../lib/format.ts';
import * as t from '../../messages/en/rewards.ts';
import { Stamp } from '../../ui/Stamp.tsx';

const solvency = () =>
  read(['solvency', 'sums'], (api, options) => api.solvency({ limit: 0 }, options), { staleTime: 60_000 });

/** Whether what people can claim is there, on the chains that answer. */
export const Vault = () => {
  const { base } = useDeployment();
  const { data } = useQuery(solvency());
  const books = data?.chains.flatMap((chain) => chain.books ?? []) ?? [];
  if (books.length === 0) return null;
  const held = sumOf(books.map(({ heldUsd }) => heldUsd));
  const surplus = sumOf(books.map(({ surplusUsd }) => surplusUsd));
  const isSolvent = books.every(({ solvent }) => solvent);
  return (
    <section className="card pad">
      <div className="row between">
        <Stamp isKnown={isSolvent} />
        <div className="grow">{isSolvent ? t.rewards.vault : t.rewards.vaultBroken}</div>
        <a className="link" href={`${base}/solvency`}>
          {t.rewards.check}
        </a>
      </div>
      <div className="hint vault">{t.rewards.vaultText(decimal(held, 2), decimal(differenceOf(held, surplus), 2))}</div>
    </section>
  );
};
