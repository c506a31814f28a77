import { useQuery } from '@tanstack/react-query';
import type { AnchorHTMLAttributes, ReactNode } from 'react';
import { Link } from 'wouter';
import { chains } from '../lib/queries.ts';

type Rest = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { children: ReactNode };

const useExplorer = (chain: string): string | null =>
  useQuery(chains()).data?.chains.find(({ slug }) => slug === chain)?.explorerUrl ?? null;

/** A transaction, as the chain's explorer shows it; where a chain has none, as we do. */
export const TransactionLink = ({ chain, hash, children, ...rest }: { chain: string; hash: string } & Rest) => {
  const explorer = useExplorer(chain);
  if (explorer === null)
    return (
      <Link href={`/tx/${chain}/${hash}`} {...rest}>
        {children}
      </Link>
    );
  return (
    <a href={`${explorer}/tx/${hash}`} target="_blank" rel="noopener" {...rest}>
      {children}
    </a>
  );
};

/** A wallet or contract in the chain's explorer; where a chain has none, only what it says. */
export const AddressLink = ({ chain, address, children, ...rest }: { chain: string; address: string } & Rest) => {
  const explorer = useExplorer(chain);
  if (explorer === null) return <span title={address}>{children}</span>;
  return (
    <a href={`${explorer}/address/${address}`} target="_blank" rel="noopener" {...rest}>
      {children}
    </a>
  );
};
