import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { type Address, type Eid, Uuid } from '@mintage/protocol';
import { calculateJwkThumbprint, decodeProtectedHeader, errors, exportJWK, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { AcknowledgedFigures, Premise } from './signerTables.ts';

/**
 * The proof of an intent: a signature of the API over everything that decides whether it may be signed. The signer
 * knows the public keys from its configuration, so writing into the database is not enough to have anything signed.
 * docs/decisions/0091-intent-proofs.md
 */

/** Longest time from proof to signature, seconds. */
export const longestProofSeconds = 300;
/** How far the clocks of API and signer may differ, seconds. */
export const clockSkewSeconds = 30;

const algorithm = 'EdDSA';
/** `typ` of proofs: tells them from every other JWT. */
const proofType = 'mintage-intent+jwt';

/** One transaction of an intent, as the signer reads it from the database. */
export interface ProvenStep {
  to: Address;
  /** Native base units. */
  value: bigint;
  data: `0x${string}`;
  /** Units of gas. */
  gasLimit: number;
}

/** What a credential may do with the embedded wallet (`budget` row). Dollars have 18 decimals. */
export interface Budget {
  /** Dollars with 18 decimals; null: no cap. Same for `perDayUsd18`. */
  perTradeUsd18: bigint | null;
  perDayUsd18: bigint | null;
  /** Null: every chain. */
  eids: readonly Eid[] | null;
  contracts: readonly string[];
  recipients: readonly string[];
  maxBuilderBps: number;
  /** Unix milliseconds. */
  createdAtMs: number;
}

/** An intent as the API vouches for it. */
export interface ProvenIntent {
  eid: Eid;
  intentId: string;
  userId: string;
  wallet: Address;
  /** Id of the API key or grant; null: a sign-in of the user. */
  credential: string | null;
  /** Null: the credential has none. */
  budget: Budget | null;
  /** Every wallet of the user, this one among them. */
  ownWallets: readonly Address[];
  acknowledged: AcknowledgedFigures | null;
  premise: Premise | null;
  /** Newest block by which it was prepared; null: none. */
  seenBlock: number | null;
  /** The session of the sign-in; null: a key, a grant, or a sign-in at another issuer. */
  session: string | null;
  steps: readonly ProvenStep[];
}

/** What a proof says, without the steps, of which it holds a hash. */
export type Claims = Omit<ProvenIntent, 'steps'> & {
  /** When the API signed it, Unix seconds. */
  issuedAt: number;
  /** Nothing may be signed by it any more. */
  isExpired: boolean;
  stepsHash: string;
};

/** Signs the intents of an API. */
export interface IntentSigning {
  /** @param expiresAt - Unix seconds; at most `longestProofSeconds` from now count. */
  prove(intent: ProvenIntent, expiresAt: number): Promise<string>;
}

/** Verifies the intents that a signer finds in the database. */
export interface IntentVerification {
  /**
   * What the proof says; null when there is none, no configured key signed it, or it is of another version.
   *
   * @param proof - Null: the intent has none.
   */
  verify(proof: string | null): Promise<Claims | null>;
}

export const proveIntents = async (privateKey: KeyObject, now: () => number): Promise<IntentSigning> => {
  const kid = await keyId(createPublicKey(privateKey));
  return {
    prove({ steps, intentId, userId, ...claims }, expiresAt) {
      const issuedAt = Math.floor(now() / 1000);
      return new SignJWT({ ...toJson(claims), steps: hashOfSteps(steps) })
        .setProtectedHeader({ alg: algorithm, typ: proofType, kid })
        .setJti(intentId)
        .setSubject(userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(Math.min(expiresAt, issuedAt + longestProofSeconds))
        .sign(privateKey);
    },
  };
};

/** @param publicKeys - Of every API, and of the next one while keys are replaced. */
export const verifyIntents = async (
  publicKeys: readonly KeyObject[],
  now: () => number,
): Promise<IntentVerification> => {
  const known = new Map(await Promise.all(publicKeys.map(async (key) => [await keyId(key), key] as const)));
  return {
    async verify(proof) {
      if (proof === null) return null;
      try {
        const key = known.get(decodeProtectedHeader(proof).kid ?? '');
        if (key === undefined) return null;
        const { payload } = await jwtVerify(proof, key, {
          algorithms: [algorithm],
          typ: proofType,
          requiredClaims: ['exp', 'iat', 'jti', 'sub'],
          maxTokenAge: longestProofSeconds,
          clockTolerance: clockSkewSeconds,
          currentDate: new Date(now()),
        });
        return readClaims(payload, false);
      } catch (error) {
        // Thrown after the signature was verified.
        if (error instanceof errors.JWTExpired) return readClaims(error.payload, true);
        if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
        throw error;
      }
    },
  };
};

/** Whether these are the transactions that were proven, in their order. */
export const areProven = (steps: readonly ProvenStep[], { stepsHash }: Pick<Claims, 'stepsHash'>): boolean =>
  hashOfSteps(steps) === stepsHash;

const hashOfSteps = (steps: readonly ProvenStep[]): string =>
  createHash('sha256')
    .update(JSON.stringify(steps.map(({ to, value, data, gasLimit }) => [to, value.toString(), data, gasLimit])))
    .digest('base64url');

const keyId = async (publicKey: KeyObject): Promise<string> => calculateJwkThumbprint(await exportJWK(publicKey));

const toJson = ({ budget, ...rest }: Omit<ProvenIntent, 'steps' | 'intentId' | 'userId'>) => ({
  ...rest,
  budget: budget && {
    ...budget,
    perTradeUsd18: budget.perTradeUsd18?.toString() ?? null,
    perDayUsd18: budget.perDayUsd18?.toString() ?? null,
  },
});

const wholeNumber = z.int().min(0);
const digits = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt);
const hexBytes = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]*$/)]);
const address = z.string().transform((text) => text as Address);
const eid = wholeNumber.transform((number) => number as Eid);

const ClaimsText = z.object({
  jti: Uuid,
  sub: Uuid,
  iat: wholeNumber,
  eid,
  wallet: address,
  credential: z.string().nullable(),
  budget: z
    .object({
      perTradeUsd18: digits.nullable(),
      perDayUsd18: digits.nullable(),
      eids: z.array(eid).nullable(),
      contracts: z.array(z.string()),
      recipients: z.array(z.string()),
      maxBuilderBps: wholeNumber,
      createdAtMs: wholeNumber,
    })
    .nullable(),
  ownWallets: z.array(address),
  acknowledged: z
    .object({ builderFeeBps: z.number(), limitRaw: z.string(), approvalRaw: z.string(), recipient: z.string() })
    .partial()
    .nullable(),
  premise: z.object({ blockNumber: wholeNumber, to: address, data: hexBytes, answerHash: hexBytes }).nullable(),
  seenBlock: wholeNumber.nullable(),
  session: Uuid.nullable(),
  steps: z.string(),
});

const readClaims = (payload: unknown, isExpired: boolean): Claims | null => {
  const read = ClaimsText.safeParse(payload);
  if (!read.success) return null;
  const { jti: intentId, sub: userId, iat: issuedAt, steps: stepsHash, acknowledged, ...rest } = read.data;
  return {
    ...rest,
    acknowledged: acknowledged as AcknowledgedFigures | null,
    intentId,
    userId,
    issuedAt,
    isExpired,
    stepsHash,
  };
};
