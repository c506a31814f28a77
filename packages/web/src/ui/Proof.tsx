import * as t from '../messages/en/common.ts';
import { TransactionLink } from './ChainLink.tsx';
import { Icon } from './icons.tsx';

/** Leads from a number to the transaction that it comes from. */
export const Proof = ({ chain, hash }: { chain: string; hash: string }) => (
  <TransactionLink className="copy" chain={chain} hash={hash} aria-label={t.transaction(hash.slice(0, 10))}>
    <Icon name="external" />
  </TransactionLink>
);
