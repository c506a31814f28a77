import { hash } from 'node:crypto';
import { type Chain, uuidFromHash } from '@mintage/protocol';

/**
 * Row id, equal for the same event on the same branch of the chain, so that clients can tell rows apart after a reorg.
 *
 * @param place - Log index within the block; and the part, where one log makes several rows.
 */
export const rowId = ({ chainId, eid }: Chain, blockHash: string, ...place: readonly number[]): string =>
  uuidFromHash(`0x${hash('sha256', [chainId ?? eid, blockHash, ...place].join(' '), 'hex')}`);
