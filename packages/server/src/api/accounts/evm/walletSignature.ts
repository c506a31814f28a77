import {
  type Address,
  digestOf,
  infoAuthTypedData,
  infoBodyHashes,
  MintageError,
  type SigningContext,
  signedReads,
} from '@mintage/protocol';
import type { Reading } from '../../tokens/reading.ts';
import type { Auth } from '../auth.ts';
import type { Caller } from '../caller.ts';
import { namedWallet } from '../namedWallet.ts';
import { recoverDigestSigner } from './recoverSigner.ts';

/**
 * Longest time between an action's nonce and now, either way, in which its signature is accepted (A1), milliseconds.
 */
export const longestWindowMs = 3_600_000;

/** When the client says it signed, milliseconds on its own clock, and how far that may be from ours. */
export interface SignedAt {
  nonce: number;
  expiresAfter: number;
}

/** Whether a signature made at `nonce` may still be used. */
export const isWithinWindow = ({ nonce, expiresAfter }: SignedAt, nowMs: number): boolean =>
  Math.abs(nowMs - nonce) <= Math.min(expiresAfter, longestWindowMs);

export const notRegistered = (wallet: Address): MintageError =>
  new MintageError('IDENTITY_NOT_REGISTERED', `The wallet ${wallet} signed well, but it has no account here`);

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The caller who signed a read of `/info` in its headers (wire contract 4.6). A signature may be reused within its
 * window: clients that read in parallel send the same one.
 *
 * @param body - As it arrived.
 * @returns Null when the bearer names no wallet, or nothing was signed.
 * @throws MintageError AUTHENTICATION_FAILED, ACTION_EXPIRED, IDENTITY_NOT_REGISTERED.
 */
export const signedReader = async (
  context: Pick<Reading, 'config'> & { auth: Pick<Auth, 'callerOfWallet'>; now: () => number },
  headers: Headers,
  body: Readonly<Record<string, unknown>>,
): Promise<Caller | null> => {
  const wallet = namedWallet(headers.authorization as string | undefined);
  const optionalKeys = Object.hasOwn(signedReads, String(body.type)) ? signedReads[String(body.type)] : undefined;
  const signature = headers['x-info-signature'];
  if (wallet === null || optionalKeys === undefined || typeof signature !== 'string') return null;
  const signing = signingOf(context, headers);
  if (!isWithinWindow(signing, context.now())) {
    throw new MintageError('ACTION_EXPIRED', 'The signature of this read is too old or too new');
  }
  for (const bodyHash of infoBodyHashes(body, optionalKeys)) {
    const digest = digestOf(infoAuthTypedData(signing, String(body.type), bodyHash));
    if (recoverDigestSigner(digest, signature) !== wallet) continue;
    const caller = await context.auth.callerOfWallet(wallet);
    if (caller === null) throw notRegistered(wallet);
    return caller;
  }
  throw new MintageError('AUTHENTICATION_FAILED', 'The signature is not by the bearer over this body');
};

const signingOf = ({ config }: Pick<Reading, 'config'>, headers: Headers): SigningContext => {
  const chainId = String(headers['x-info-signature-chain-id']);
  const [nonce, expiresAfter] = [headers['x-info-nonce'], headers['x-info-expires-after']].map(String);
  if (!/^0x[0-9a-f]{1,16}$/i.test(chainId) || !isMilliseconds(nonce) || !isMilliseconds(expiresAfter)) {
    throw new MintageError('AUTHENTICATION_FAILED', 'The x-info-* headers are incomplete or malformed');
  }
  return {
    platformName: config.platformName,
    signatureChainId: BigInt(chainId),
    nonce: Number(nonce),
    expiresAfter: Number(expiresAfter),
  };
};

const isMilliseconds = (text: string | undefined): boolean => /^[1-9]\d{0,14}$/.test(text ?? '');
