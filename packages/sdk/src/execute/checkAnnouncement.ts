import { chainIds, decodeStrictly, tokenAddressOf, tokenBridgeAbi } from '@mintage/protocol';
import type { Hex } from 'viem';
import type { ChainSlug } from '../generated/types.ts';
import { lower } from '../trusted.ts';
import { differs, requireSame } from './differs.ts';
import type { CheckedCall } from './items.ts';

/** What an announcement has to say. */
export interface WantedAnnouncement {
  token: Hex;
  /** Null: not known to who asks, but with the salt it has to give the token's address. */
  creator: Hex | null;
  salt: Hex | null;
  slugs: readonly ChainSlug[];
  /** Wei, as the answer says: what the messages leave of it returns. */
  value: string;
}

/** Holds a call of the bridge that makes a token known on other chains against what it has to be. */
export const checkAnnouncement = (
  call: CheckedCall,
  { token, creator, salt, slugs, value }: WantedAnnouncement,
): void => {
  const { tokenBridge } = call.chain;
  if (tokenBridge === null || call.to !== tokenBridge) throw differs('announce.to', call.to, tokenBridge);
  const read = decodeStrictly(tokenBridgeAbi, call.data);
  if (read?.functionName !== 'announce') throw differs('announce', call.data.slice(0, 10), 'announce');
  const [named, by, saltOfToken, eids] = read.args;
  requireSame('announce.token', lower(named), token);
  if (creator !== null) requireSame('announce.creator', lower(by), creator);
  if (salt !== null) requireSame('announce.salt', saltOfToken, salt);
  requireSame('announce.origin', tokenAddressOf(call.chain, by, saltOfToken), token);
  requireSame(
    'announce.chains',
    eids,
    slugs.map((slug) => chainIds[slug].eid),
  );
  requireSame('announce.value', call.value, value);
};
