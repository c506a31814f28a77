import { CID } from 'multiformats/cid';
import { cidOf, dagPb } from './cid.ts';

/**
 * A file in several blocks as IPFS lays it out: raw leaves, and one dag-pb root that lists them with a UnixFS header.
 * One level of links is enough here: 174 of them hold 174 MiB.
 */
export interface UnixFsFile {
  /** CIDv1 of the file. */
  root: string;
  /** The leaves, then the root; a file of one leaf is that leaf. */
  blocks: { cid: string; bytes: Uint8Array }[];
}

const rawCodec = 0x55;

/** @param leafBytes - Size of all leaves but the last. */
export const unixFsFile = (bytes: Uint8Array, leafBytes: number): UnixFsFile => {
  const leaves: { cid: CID; bytes: Uint8Array }[] = [];
  for (let at = 0; at < bytes.length; at += leafBytes) {
    const leaf = bytes.subarray(at, at + leafBytes);
    leaves.push({ cid: cidOf(rawCodec, leaf), bytes: leaf });
  }
  const [only, second] = leaves;
  if (only !== undefined && second === undefined) {
    const cid = only.cid.toString();
    return { root: cid, blocks: [{ cid, bytes: only.bytes }] };
  }
  const header = [
    ...varintField(1, 2), // type: file
    ...varintField(3, bytes.length),
    ...leaves.flatMap((leaf) => varintField(4, leaf.bytes.length)),
  ];
  const links = leaves.flatMap((leaf) =>
    bytesField(2, [...bytesField(1, leaf.cid.bytes), ...bytesField(2, []), ...varintField(3, leaf.bytes.length)]),
  );
  const root = Uint8Array.from([...links, ...bytesField(1, header)]);
  const rootCid = cidOf(dagPb, root).toString();
  const blocks = leaves.map((leaf) => ({ cid: leaf.cid.toString(), bytes: leaf.bytes }));
  return { root: rootCid, blocks: [...blocks, { cid: rootCid, bytes: root }] };
};

/** CIDs of the leaves, in order, from a root that `unixFsFile` made. */
export const linksOf = (root: Uint8Array): string[] => {
  const links: string[] = [];
  for (const field of fields(root)) {
    if (field.number !== 2) continue;
    for (const part of fields(field.bytes)) if (part.number === 1) links.push(CID.decode(part.bytes).toString());
  }
  return links;
};

const varint = (value: number): number[] => {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
};

const varintField = (number: number, value: number): number[] => [number * 8, ...varint(value)];

const bytesField = (number: number, bytes: Iterable<number>): number[] => {
  const list = [...bytes];
  return [number * 8 + 2, ...varint(list.length), ...list];
};

/** Length-delimited fields of a protobuf message; numbers are passed over. */
function* fields(message: Uint8Array): Generator<{ number: number; bytes: Uint8Array }> {
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte % 128) * unit;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = readVarint();
    const value = readVarint();
    if (tag % 8 !== 2) continue;
    yield { number: Math.floor(tag / 8), bytes: message.subarray(at, at + value) };
    at += value;
  }
}
