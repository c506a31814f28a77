import { t } from '../messages/t.ts';
import { Link } from 'wouter';
import { Icon } from './icons.tsx';

/** Where a transaction is shown: our own page of it. */
export const transactionPath = (chain: string, hash: string): string => `/tx/${chain}/${hash}`;

/** Leads from a number to the transaction that it comes from. */
export const Proof = ({ chain, hash }: { chain: string; hash: string }) => (
  <Link className="copy" href={transactionPath(chain, hash)} aria-label={t.money.transaction(hash.slice(0, 10))}>
    <Icon name="external" />
  </Link>
);
