import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import { type Address, base58Addresses, type Hash, parseBase58Address, toBase58, tradeKinds } from '@mintage/protocol';
import { z } from 'zod';

/**
 * Transactions of the made-up chain. Their bytes are canonical JSON: sorted keys, no spaces, amounts as decimal text. There are
 * no nonces: a transaction is good until a block height, and once. Signed, the ed25519 signature follows the bytes, and that
 * signature in base58 is the transaction's id.
 */
const address = z.string().transform((text, context): Address => {
  const parsed = parseBase58Address(text);
  if (parsed !== null) return parsed;
  context.addIssue({ code: 'custom', message: base58Addresses.rule });
  return z.NEVER;
});
const amount = z
  .string()
  .regex(/^(0|[1-9][0-9]*)$/)
  .transform(BigInt);
const hex32 = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);
const whole = z.int().min(0);

/** One thing that a transaction does, all of which happen or none. */
const deed = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('create'),
    name: z.string(),
    symbol: z.string(),
    uri: z.string(),
    salt: hex32,
    poolType: whole,
    deadline: whole,
  }),
  z.strictObject({
    do: z.literal('trade'),
    kind: z.enum(tradeKinds),
    token: address,
    amount,
    limit: amount,
    recipient: address,
    builder: z.strictObject({ code: address, feeBps: whole }).nullable(),
    referral: address.nullable(),
    deadline: whole,
  }),
  z.strictObject({ do: z.literal('transfer'), token: address, to: address, amount }),
  /** Pays the sender all that the vault owes in these currencies. */
  z.strictObject({ do: z.literal('withdraw'), currencies: z.array(address) }),
  z.strictObject({ do: z.literal('mintUsd'), to: address, amount }),
  /** There is no venue on this chain, so the program refuses it. */
  z.strictObject({ do: z.literal('graduate'), token: address }),
]);

const transaction = z.strictObject({
  from: address,
  /** Highest block that may hold it. */
  validUntil: whole,
  does: z.array(deed).min(1),
});

export type Deed = z.output<typeof deed>;
export type Transaction = z.output<typeof transaction>;
export type Bytes = `0x${string}`;

export const encode = (one: Transaction): Bytes => `0x${Buffer.from(canonical(one)).toString('hex')}`;

/** Null for bytes that `encode` does not give. */
export const decodeOrNull = (data: Bytes): Transaction | null => {
  const read = transaction.safeParse(jsonOf(data));
  return read.success && encode(read.data) === data ? read.data : null;
};

/** @throws Error for bytes that `encode` does not give. */
export const decode = (data: Bytes): Transaction => {
  const read = decodeOrNull(data);
  if (read === null) throw new Error('These bytes are no transaction of the made-up chain.');
  return read;
};

export interface Signed {
  id: Hash;
  raw: Bytes;
}

/** @throws Error when the secret is another wallet's. */
export const signWith = (secret: Uint8Array, one: Transaction): Signed => {
  if (addressOf(secret) !== one.from) throw new Error(`The key is not the one of ${one.from}.`);
  const message = encode(one);
  const signature = sign(null, bytesOf(message), privateKeyOf(secret));
  return { id: toBase58(signature), raw: `${message}${signature.toString('hex')}` };
};

const signatureDigits = 128;

/** @throws Error unless these are the bytes of a transaction, and then its sender's signature. */
export const openSigned = (raw: Bytes): { id: Hash; transaction: Transaction } => {
  const message: Bytes = `0x${raw.slice(2, -signatureDigits)}`;
  const one = decode(message);
  const signature = Buffer.from(raw.slice(-signatureDigits), 'hex');
  if (!verify(null, bytesOf(message), publicKeyOf(one.from), signature))
    throw new Error(`The signature is not one of ${one.from}.`);
  return { id: toBase58(signature), transaction: one };
};

export const newSecret = (): Buffer => randomBytes(32);

/** The wallet of a secret: its public key. */
export const addressOf = (secret: Uint8Array): Address => {
  const { x } = createPublicKey(privateKeyOf(secret)).export({ format: 'jwk' });
  return toBase58(Buffer.from(x ?? '', 'base64url'));
};

/** Something that has no key: a program, a token, a block. */
export const digest = (...parts: readonly string[]): Address & Hash =>
  toBase58(createHash('sha256').update(JSON.stringify(parts)).digest());

const bytesOf = (data: Bytes): Buffer => Buffer.from(data.slice(2), 'hex');

const jsonOf = (data: Bytes): unknown => {
  try {
    return JSON.parse(bytesOf(data).toString());
  } catch {
    return null;
  }
};

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return part.toString();
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });

/** What comes before the secret in its PKCS #8 form (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const privateKeyOf = (secret: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([pkcs8, secret]), format: 'der', type: 'pkcs8' });

const publicKeyOf = (wallet: Address): KeyObject => {
  const x = bytesOf(base58Addresses.toBytes32(wallet)).toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
};
