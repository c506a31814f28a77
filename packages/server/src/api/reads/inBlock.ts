import type { Hash } from '@mintage/protocol';

/** A transaction and its block. */
export interface InBlock {
  hash: Hash;
  block: number;
}
