import { zstdCompressSync } from 'node:zlib';
import {
  type EncodedAccount,
  getBase58Decoder,
  getBase58Encoder,
  getBase64Decoder,
  getBase64Encoder,
} from '@solana/kit';
import type { Config, Filter } from '../wire/params.ts';
import { RpcError, refused } from '../wire/rpcError.ts';

/** Accounts as a cluster answers them. */

type Shape = Pick<Config, 'encoding' | 'dataSlice'>;

export const accountJson = (account: EncodedAccount, shape: Shape): Record<string, unknown> => ({
  data: dataJson(account.data.slice(), shape),
  executable: account.executable,
  lamports: account.lamports,
  owner: account.programAddress,
  // Nobody pays rent any more: the number that stands for never.
  rentEpoch: (1n << 64n) - 1n,
  space: account.data.length,
});

/** Base58 is what is meant when nothing is said, and then without its name. */
const dataJson = (whole: Uint8Array, { encoding, dataSlice }: Shape): unknown => {
  const data = dataSlice ? whole.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length) : whole;
  switch (encoding) {
    case undefined:
    case null:
      return inBase58(data);
    case 'base58':
      return [inBase58(data), 'base58'];
    // Parsed is nothing here, and then a cluster answers base64 too.
    case 'jsonParsed':
    case 'base64':
      return [getBase64Decoder().decode(data), 'base64'];
    case 'base64+zstd':
      return [zstdCompressSync(data).toString('base64'), 'base64+zstd'];
    default:
      throw refused.params(`Invalid params: unknown variant \`${encoding}\``);
  }
};

const mostBase58 = 128;
const inBase58 = (data: Uint8Array): string => {
  if (data.length > mostBase58)
    throw new RpcError(
      -32600,
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    );
  return getBase58Decoder().decode(data);
};

/** Whether an account passes all filters of a request. */
export const passes = ({ data }: EncodedAccount, filters: readonly Filter[] = []): boolean =>
  filters.every((filter) => {
    if ('dataSize' in filter) return data.length === Number(filter.dataSize);
    const { offset, bytes, encoding = 'base58' } = filter.memcmp;
    const wanted = (encoding === 'base64' ? getBase64Encoder() : getBase58Encoder()).encode(bytes);
    return wanted.every((byte, at) => data[offset + at] === byte);
  });
