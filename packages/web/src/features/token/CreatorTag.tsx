import { Link } from 'wouter';
import { userPath } from '../../lib/people.ts';
import * as t from '../../messages/en/token.ts';
import { useOwner } from './useOwner.ts';

/** Marks the wallet that created the token; leads to whoever that is. */
export const CreatorTag = ({ tokenId, wallet }: { tokenId: string; wallet: string }) => {
  const owner = useOwner(tokenId);
  const looks = { className: 'tag', 'data-tone': 'brand', title: wallet };
  if (owner === null) return <span {...looks}>{t.token.creator}</span>;
  return (
    <Link href={userPath(owner)} {...looks}>
      {t.token.creator}
    </Link>
  );
};
