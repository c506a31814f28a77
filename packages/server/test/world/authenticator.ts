import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { AnswerOf, CreatedPasskey, UsedPasskey } from '@mintage/protocol/operations';

type CreationOptions = AnswerOf<'passkeyRegisterOptions'>['options'];
type RequestOptions = AnswerOf<'passkeyLoginOptions'>['options'];

/** A passkey in an authenticator made of software, ES256. */
export interface SoftPasskey {
  id: string;
  /** `user.id` of its creation. */
  userHandle: string;
  privateKey: KeyObject;
  /** Uses so far; 0 for ever where it does not count. */
  counter: number;
}

/** What a browser and an authenticator put into their answer; all of it has a default that is right. */
export interface Deviations {
  origin: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  crossOrigin?: boolean;
  isVerified?: boolean;
  isPresent?: boolean;
  isSynced?: boolean;
  /** Counter of this use. */
  counter?: number;
  userHandle?: string | null;
  /** Instead of `none`: format and statement, CBOR. */
  attestation?: { format: string; statement: (signed: Uint8Array, privateKey: KeyObject) => Buffer };
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** The head of a CBOR item: its kind, and its length or number. */
const head = (kind: number, length: number): Buffer => {
  if (length < 24) return Buffer.from([(kind << 5) | length]);
  if (length < 256) return Buffer.from([(kind << 5) | 24, length]);
  return Buffer.from([(kind << 5) | 25, length >> 8, length & 255]);
};
export const cbor = {
  int: (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value)),
  bytes: (value: Uint8Array): Buffer => Buffer.concat([head(2, value.length), value]),
  text: (value: string): Buffer => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]),
  list: (items: readonly Buffer[]): Buffer => Buffer.concat([head(4, items.length), ...items]),
  map: (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
    Buffer.concat([head(5, entries.length), ...entries.flat()]),
};

const clientDataOf = (type: string, challenge: string, given: Deviations): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: given.type ?? type,
      challenge: given.challenge ?? challenge,
      origin: given.origin,
      crossOrigin: given.crossOrigin ?? false,
    }),
  );

const authenticatorData = (rpId: string, counter: number, given: Deviations, attested?: Buffer): Buffer => {
  const flags =
    (given.isPresent === false ? 0 : 1) |
    (given.isVerified === false ? 0 : 4) |
    (given.isSynced === true ? 0x18 : 0) |
    (attested === undefined ? 0 : 0x40);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(given.rpId ?? rpId), Buffer.from([flags]), count, attested ?? Buffer.alloc(0)]);
};

const coseKey = (publicKey: KeyObject): Buffer => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return cbor.map([
    [cbor.int(1), cbor.int(2)],
    [cbor.int(3), cbor.int(-7)],
    [cbor.int(-1), cbor.int(1)],
    [cbor.int(-2), cbor.bytes(Buffer.from(x, 'base64url'))],
    [cbor.int(-3), cbor.bytes(Buffer.from(y, 'base64url'))],
  ]);
};

/** Creates a passkey as `navigator.credentials.create()` does; the key and what `toJSON()` gives. */
export const createPasskey = (
  options: CreationOptions,
  given: Deviations,
): { passkey: SoftPasskey; credential: CreatedPasskey } => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const idBytes = randomBytes(32);
  const id = idBytes.toString('base64url');
  const length = Buffer.from([idBytes.length >> 8, idBytes.length & 255]);
  const attested = Buffer.concat([Buffer.alloc(16), length, idBytes, coseKey(publicKey)]);
  const clientData = clientDataOf('webauthn.create', options.challenge, given);
  const counter = given.counter ?? 0;
  const authData = authenticatorData(options.rp.id, counter, given, attested);
  const { format = 'none', statement = () => cbor.map([]) } = given.attestation ?? {};
  const attestationObject = cbor.map([
    [cbor.text('fmt'), cbor.text(format)],
    [cbor.text('attStmt'), statement(Buffer.concat([authData, sha256(clientData)]), privateKey)],
    [cbor.text('authData'), cbor.bytes(authData)],
  ]);
  return {
    passkey: { id, userHandle: options.user.id, privateKey, counter },
    credential: {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      },
    },
  };
};

/** Signs with a passkey as `navigator.credentials.get()` does; what `toJSON()` gives. */
export const usePasskey = (passkey: SoftPasskey, options: RequestOptions, given: Deviations): UsedPasskey => {
  const clientData = clientDataOf('webauthn.get', options.challenge, given);
  const authData = authenticatorData(options.rpId, given.counter ?? passkey.counter, given);
  const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), passkey.privateKey);
  const userHandle = given.userHandle === undefined ? passkey.userHandle : given.userHandle;
  return {
    id: passkey.id,
    rawId: passkey.id,
    type: 'public-key',
    response: {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      ...(userHandle === null ? {} : { userHandle }),
    },
  };
};
