import { z } from 'zod';
import { IsoTime } from './scalars.ts';

/**
 * What passes between a browser's authenticator and the service, in the JSON forms of Web Authentication Level 3:
 * `parseCreationOptionsFromJSON()` and `parseRequestOptionsFromJSON()` read the options, `credential.toJSON()` gives the rest.
 */

/** Bytes in base64url without padding; `longest` characters at most. */
const base64Url = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[A-Za-z0-9_-]+$/, 'must be base64url without padding');

/** Id that an authenticator gave to a passkey: at most 1023 bytes. */
export const PasskeyId = base64Url(1_364).meta({ id: 'PasskeyId', description: 'Id of a passkey, base64url.' });

const PublicKey = z.literal('public-key').meta({ description: 'The one kind of credential.' });
const Transports = z
  .array(z.string().regex(/^[A-Za-z0-9-]{1,32}$/, 'must be the name of a transport'))
  .max(16)
  .meta({
    description: 'Ways to reach the authenticator, such as `internal`, `hybrid` or `usb`.',
  });
const Descriptor = z.strictObject({
  id: PasskeyId.meta({ description: 'Id of the passkey.' }),
  type: PublicKey,
  transports: Transports.optional(),
});
const Challenge = base64Url(128).meta({ description: '32 random bytes, good once.' });
const timeout = z.int().positive().meta({ description: 'Milliseconds until the browser gives up.' });
const Required = z.literal('required');
const ClientData = base64Url(8_192).meta({
  description: 'JSON in base64url: challenge and origin, as the browser saw them.',
});

/** Input of `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const PasskeyCreationOptions = z
  .strictObject({
    rp: z.strictObject({
      id: z.string().meta({ description: 'Host name that the passkey is good for.' }),
      name: z.string().meta({ description: 'Of the platform.' }),
    }),
    user: z.strictObject({
      id: base64Url(86).meta({ description: 'Bytes of the id of the user.' }),
      name: z.string().meta({ description: 'By which a passkey manager lists the account.' }),
      displayName: z.string().meta({ description: 'As `name`.' }),
    }),
    challenge: Challenge,
    pubKeyCredParams: z.array(
      z.strictObject({
        type: PublicKey,
        alg: z.int().meta({ description: 'COSE number of a signature algorithm; the best one first.' }),
      }),
    ),
    timeout,
    excludeCredentials: z.array(Descriptor).meta({ description: 'Passkeys that the account already has.' }),
    authenticatorSelection: z.strictObject({
      residentKey: Required.meta({ description: 'The passkey is found without a user name.' }),
      requireResidentKey: z.literal(true).meta({ description: 'As `residentKey`, for older browsers.' }),
      userVerification: Required.meta({ description: 'The authenticator asks for PIN, finger or face.' }),
    }),
    attestation: z.literal('none').meta({ description: 'Nothing is asked about the make of the authenticator.' }),
  })
  .meta({ id: 'PasskeyCreationOptions' });

/** Input of `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const PasskeyRequestOptions = z
  .strictObject({
    rpId: z.string().meta({ description: 'Host name that the passkey is good for.' }),
    challenge: Challenge,
    timeout,
    userVerification: Required.meta({ description: 'The authenticator asks for PIN, finger or face.' }),
  })
  .meta({ id: 'PasskeyRequestOptions' });

const credential = <Response extends z.ZodType>(response: Response) =>
  z.object({
    id: PasskeyId.meta({ description: 'Id of the passkey.' }),
    rawId: PasskeyId.meta({ description: 'The same once more.' }),
    type: PublicKey,
    response: response.meta({ description: 'What the authenticator answered.' }),
  });

/** `toJSON()` of what `navigator.credentials.create()` gave. Further keys are ignored. */
export const CreatedPasskey = credential(
  z.object({
    clientDataJSON: ClientData,
    attestationObject: base64Url(16_384).meta({ description: 'The new public key, CBOR.' }),
    transports: Transports.optional(),
  }),
).meta({ id: 'CreatedPasskey' });
export type CreatedPasskey = z.output<typeof CreatedPasskey>;

/** `toJSON()` of what `navigator.credentials.get()` gave. Further keys are ignored. */
export const UsedPasskey = credential(
  z.object({
    clientDataJSON: ClientData,
    authenticatorData: base64Url(4_096).meta({ description: 'What the authenticator says of this use.' }),
    signature: base64Url(4_096).meta({ description: 'By the passkey over both.' }),
    userHandle: base64Url(86).optional().meta({ description: '`user.id` of its creation.' }),
  }),
).meta({ id: 'UsedPasskey' });
export type UsedPasskey = z.output<typeof UsedPasskey>;

/** As its owner sees it. */
export const Passkey = z
  .strictObject({
    id: PasskeyId.meta({ description: 'Id of the passkey.' }),
    name: z.string().meta({ description: 'As the user called it.' }),
    synced: z.boolean().meta({
      description: 'Whether its keeper has copied it to other devices; false: it is lost with its device.',
    }),
    createdAt: IsoTime.meta({ description: 'When it was made.' }),
    lastUsedAt: IsoTime.nullable().meta({ description: 'Null: not since it was made.' }),
    actsFrom: IsoTime.nullable().meta({ description: 'From when it withdraws and signs; null: from its making.' }),
  })
  .meta({ id: 'Passkey' });
