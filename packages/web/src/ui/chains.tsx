import { chainLooks, chainName } from '../lib/chainLooks.ts';

/** The chain's letter on its colour; decoration beside its name. */
export const ChainMark = ({ slug }: { slug: string }) => {
  const look = chainLooks(slug);
  return (
    <i className="chain" style={{ background: look?.color ?? '#4b5578' }} aria-hidden="true">
      {look?.letter ?? slug.charAt(0).toUpperCase()}
    </i>
  );
};

export const ChainName = ({ slug }: { slug: string }) => (
  <span className="row nowrap" style={{ gap: 6 }}>
    <ChainMark slug={slug} />
    {chainName(slug)}
  </span>
);
