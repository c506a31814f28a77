import { type Address, chainIds, platformIdOf, tokenIdOf } from '@mintage/protocol';
import { oneForm } from '../trusted.ts';
import { differs } from './differs.ts';

/**
 * Whether a token's id, platform id or address is that of this contract: both ids are hashes of the address and of the chain of its
 * home. A slug is whatever the service says it is, so nothing is executed by it.
 *
 * @throws MintageError BYTES_DIFFER.
 */
export const requireToken = (what: string, asked: string, token: Address): void => {
  if (oneForm(asked.trim()) === token) return;
  const name = asked.trim().toLowerCase();
  const ids = Object.values(chainIds).map(({ eid }) => platformIdOf(token, eid));
  if (ids.some((id) => name === id || name === tokenIdOf(id))) return;
  throw differs(what, token, `the token with the address or id ${asked} (a slug does not name a token for good)`);
};
