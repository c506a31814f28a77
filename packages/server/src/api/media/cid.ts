import { createHash } from 'node:crypto';
import { CID } from 'multiformats/cid';
import { create } from 'multiformats/hashes/digest';

const sha2_256 = 0x12;
const raw = 0x55;
export const dagPb = 0x70;

/** CIDv1 of a block that is the file itself. */
export const cidOfRaw = (bytes: Uint8Array): string => cidOf(raw, bytes).toString();

export const cidOf = (codec: number, bytes: Uint8Array): CID =>
  CID.create(1, codec, create(sha2_256, createHash('sha256').update(bytes).digest()));

/** True for the root of a file in several blocks. */
export const isFileCid = (cid: string): boolean => {
  try {
    return CID.parse(cid).code === dagPb;
  } catch {
    return false; // not a CID, so not one of our files
  }
};
