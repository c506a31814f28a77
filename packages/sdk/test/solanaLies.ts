import { base58Addresses, toBase58 } from '@mintage/protocol';
import {
  type LaunchpadCall,
  type ReadPrepared,
  readPrepared,
  readTransaction,
  voucherIn,
} from '@mintage/protocol/solana';
import type { Prepared, TrustedSolanaChain } from '../src/sdk.ts';

interface Item {
  data: string;
  transactionBase64?: string;
  gasLimit: string;
  priorityFeeMicroLamports?: string;
}

/** The transactions of an answer, wherever it repeats them. */
const itemsIn = ({ answer }: Prepared): Item[] => {
  const { transactions, transaction } = answer as { transactions?: Item[]; transaction?: Item };
  return [...(transactions ?? []), ...(transaction === undefined ? [] : [transaction])];
};

export const bytesIn = (prepared: Prepared): Uint8Array =>
  Uint8Array.from(Buffer.from(itemsIn(prepared)[0]?.data.slice(2) ?? '', 'hex'));

export const readIn = (prepared: Prepared, { launchpad }: TrustedSolanaChain): ReadPrepared =>
  readPrepared(readTransaction(bytesIn(prepared)).message, launchpad as never);

/** The same answer with other bytes, wherever it has them. */
export const withBytes = (prepared: Prepared, bytes: Uint8Array): Prepared => {
  const copy = structuredClone(prepared);
  for (const item of itemsIn(copy)) {
    item.data = `0x${Buffer.from(bytes).toString('hex')}`;
    item.transactionBase64 = Buffer.from(bytes).toString('base64');
  }
  return copy;
};

/** With all that the words of an answer say of its bytes made true again, as a service that lies would. */
export const withTrueWords = (prepared: Prepared, chain: TrustedSolanaChain): Prepared => {
  const read = readIn(prepared, chain);
  for (const item of itemsIn(prepared)) {
    item.gasLimit = String(read.unitLimit);
    item.priorityFeeMicroLamports = String(read.microLamportsPerUnit);
  }
  for (const decoded of decodedIn(prepared)) {
    const call = read.calls[decoded.index];
    if (call === undefined) continue;
    decoded.said.function = call.name;
    if (call.name === 'setReferrer') {
      Object.assign(decoded.said.args, voucherWords(call, chain));
      continue;
    }
    for (const name of Object.keys(decoded.said.args)) {
      const meant = name === 'token' ? 'mint' : name === 'recipient' ? 'trader' : name;
      const found =
        call.args[meant] ?? (meant in call.accounts ? (call.accounts[meant] ?? base58Addresses.nobody) : null);
      if (found !== null)
        decoded.said.args[name] = typeof found === 'bigint' ? String(found) : (found as string | number);
    }
  }
  return prepared;
};

const voucherWords = (
  { signed }: LaunchpadCall,
  { launchpad, usd }: TrustedSolanaChain,
): Record<string, string | number> => {
  const voucher = signed && voucherIn({ program: launchpad as never, dollarMint: usd as never }, signed.message);
  if (!voucher) throw new Error('There are no words of a voucher.');
  const signature = `0x${Buffer.from(signed?.signature ?? []).toString('hex')}`;
  return { user: voucher.user, referrer: voucher.referrer, deadline: Number(voucher.deadline), signature };
};

interface Said {
  function: string;
  args: Record<string, string | number>;
}

const decodedIn = ({ answer }: Prepared): { index: number; said: Said }[] => {
  const { quote, decoded } = answer as { quote?: { decoded: Said[] } | null; decoded?: Said[] };
  return [...(quote?.decoded ?? []).entries(), ...(decoded ?? []).entries()].map(([index, said]) => ({ index, said }));
};

const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** What is done, whatever it costs at most and whenever it ends. Whether a voucher is signed the program says. */
export const deedsOf = ({ payer, opens, transfers, calls }: ReadPrepared): string => {
  const deeds = calls.map(({ signed, args: { deadline, ...args }, ...call }) => ({
    ...call,
    // That of a creation alone nobody asked for, and the whole transaction ends before it.
    args: call.name === 'create' ? args : { deadline, ...args },
    signed: signed && [...signed.message],
  }));
  return JSON.stringify({ payer, opens, transfers, calls: deeds }, plain);
};

/** Where the keys of a message are, and each of them. */
export const keysIn = (bytes: Uint8Array): { at: number; key: string }[] => {
  const first = 1 + 64 + 4; // the signature, the version, three counts
  const count = bytes[first] as number;
  return Array.from({ length: count }, (_, index) => {
    const at = first + 1 + 32 * index;
    return { at, key: toBase58(bytes.subarray(at, at + 32)) };
  });
};

/** The same answer with another key in one place, in its bytes and in all of its words. */
export const withKey = (prepared: Prepared, at: number, key: Uint8Array): Prepared => {
  const bytes = bytesIn(prepared);
  const before = toBase58(bytes.subarray(at, at + 32));
  bytes.set(key, at);
  const said = JSON.stringify(withBytes(prepared, bytes).answer).replaceAll(before, toBase58(key));
  return { ...prepared, answer: JSON.parse(said) } as Prepared;
};
