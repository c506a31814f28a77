import {
  type Address,
  digestOf,
  inputSchemaOf,
  invalid,
  isAmbiguous,
  MintageError,
  registerTypedData,
  type SignedCreation,
  type SigningContext,
} from '@mintage/protocol';
import {
  type ActionTypeName,
  actionInputOf,
  actionTypes,
  definitions,
  type PlatformActionInput,
  RegisterAction,
} from '@mintage/protocol/operations';
import { sql } from 'kysely';
import type { Caller } from '../accounts/caller.ts';
import { evmAddress } from '../accounts/evm/evmAddress.ts';
import { recoverDigestSigner } from '../accounts/evm/recoverSigner.ts';
import { requireRegisterMessage } from '../accounts/evm/registerMessage.ts';
import { isWithinWindow, notRegistered } from '../accounts/evm/walletSignature.ts';
import { namedWallet } from '../accounts/namedWallet.ts';
import { userOfWallet } from '../accounts/users.ts';
import { parseInput } from '../wire/parseInput.ts';
import type { Call, Context } from './context.ts';
import { handler } from './handler.ts';

export const platformAction = handler(definitions.platformAction, async (context, envelope, call) => {
  if (envelope.source !== context.config.network) {
    throw invalid('source', `must be ${context.config.network}: this deployment is no other`);
  }
  const { type } = envelope.action;
  const wallet = namedWallet(call.http?.headers.authorization);
  if (type === 'register') {
    return { actionType: type, name: type, ...(await register(context, envelope, wallet, call)) };
  }
  const operation = actionTypes[type];
  const { type: _, ...fields } = envelope.action;
  const given = withDefaults(type, fields, wallet);
  const input = within('action', () => parseInput(inputSchemaOf({ input: actionInputOf(type) }, given), given));
  const caller = wallet === null ? call.caller : await creatorOf(context, envelope, wallet, call);
  const answer = await context.perform({ operation }, input, { ...call, caller });
  return { actionType: type, name: type, ...(answer as { success: true }) };
});

/** The wallet that signs a creation is its creator unless the request names another. */
const withDefaults = (type: ActionTypeName, fields: Record<string, unknown>, wallet: Address | null) =>
  type === 'createToken' && wallet !== null ? { userAddress: wallet, ...fields } : fields;

/** Runs a parser with error paths that start at the envelope. */
const within = <T>(path: string, parse: () => T): T => {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof MintageError) || !Array.isArray(error.details)) throw error;
    const details = error.details.map((detail: { path: string; message: string }) => ({
      ...detail,
      path: detail.path === '' ? path : `${path}.${detail.path}`,
    }));
    throw new MintageError(error.code, `${path}.${error.message}`, { details });
  }
};

const register = async (context: Context, envelope: PlatformActionInput, wallet: Address | null, { countAs }: Call) => {
  if (wallet === null)
    throw new MintageError('AUTHENTICATION_FAILED', 'A wallet registers itself: bearer = its address');
  const action = within('action', () => parseInput(RegisterAction, envelope.action));
  const signing = signingOf(context, envelope);
  const forms = async () => [digestOf(registerTypedData(signing, envelope.source))];
  const digest = await requireSigned(context, envelope, wallet, signing, forms);
  await requireRegisterMessage(action, wallet, signing, context.config.platformName, context.now());
  const registered = await context.auth.callerOfWallet(wallet);
  if (registered !== null) await countAs?.(registered);
  await takeOnce(context, wallet, signing, envelope, digest);
  const { userId } = await userOfWallet(context, wallet);
  return { success: true as const, userId, walletAddress: wallet, method: action.method };
};

/** The user of a wallet that signed this creation. */
const creatorOf = async (
  context: Context,
  envelope: PlatformActionInput,
  wallet: Address,
  { address, gone, countAs }: Call,
): Promise<Caller> => {
  const { action, source } = envelope;
  if (action.type !== 'createToken') {
    throw new MintageError(
      'AUTHENTICATION_FAILED',
      'Wallets sign register and createToken only; send a token or API key',
    );
  }
  const creation = lowerCased(action as unknown as SignedCreation);
  requireUnambiguous(creation);
  const signing = signingOf(context, envelope);
  const asker = { owner: address, address, ...(gone && { gone: gone() }) };
  const forms = () => context.offLoop.digestsOfCreation(asker, signing, source, creation);
  const digest = await requireSigned(context, envelope, wallet, signing, forms);
  const caller = await context.auth.callerOfWallet(wallet);
  if (caller === null) throw notRegistered(wallet);
  await countAs?.(caller);
  await takeOnce(context, wallet, signing, envelope, digest);
  return caller;
};

/** Lower-cases addresses: they hash alike in any case, but later checks would refuse a wrong checksum. */
const lowerCased = (creation: SignedCreation): SignedCreation => ({
  ...creation,
  userAddress: creation.userAddress && evmAddress(creation.userAddress, 'action.userAddress'),
  token_referral: creation.token_referral && evmAddress(creation.token_referral, 'action.token_referral'),
  builder: creation.builder && {
    ...creation.builder,
    code: evmAddress(creation.builder.code, 'action.builder.code'),
  },
});

/** @throws MintageError INVALID_PARAMETERS for a text with which two creations could have one hash (A3). */
const requireUnambiguous = ({ destinationChains = [], tags = [], links = {} }: SignedCreation): void => {
  const lists = { destinationChains, tags, links: Object.values(links).filter((link) => link !== undefined) };
  for (const [name, items] of Object.entries(lists)) {
    if (items.some(isAmbiguous)) {
      throw invalid(`action.${name}`, 'must not hold empty texts, bars or control characters when a wallet signs');
    }
  }
};

const signingOf = (
  { config }: Context,
  { nonce, expiresAfter, signatureChainId }: PlatformActionInput,
): SigningContext => {
  if (nonce === undefined) throw invalid('nonce', 'is required when a wallet signs');
  if (signatureChainId === undefined) throw invalid('signatureChainId', 'is required when a wallet signs');
  return { platformName: config.platformName, signatureChainId: BigInt(signatureChainId), nonce, expiresAfter };
};

/**
 * @param digestsOf - Digests of the forms in which known clients sign this action.
 * @returns The digest that the wallet signed.
 * @throws MintageError INVALID_PARAMETERS, ACTION_EXPIRED, INVALID_ACTION_SIGNATURE.
 */
const requireSigned = async (
  context: Context,
  { signature }: PlatformActionInput,
  wallet: Address,
  signing: SigningContext,
  digestsOf: () => Promise<readonly `0x${string}`[]>,
): Promise<`0x${string}`> => {
  if (signature === undefined) throw invalid('signature', 'is required when a wallet signs');
  if (!isWithinWindow(signing, context.now())) {
    throw new MintageError('ACTION_EXPIRED', 'The nonce is further from now than expiresAfter allows');
  }
  if (await wasTaken(context, wallet, signing, signature)) throw replayed();
  for (const digest of await digestsOf()) if (recoverDigestSigner(digest, signature) === wallet) return digest;
  throw new MintageError('INVALID_ACTION_SIGNATURE', 'The signature is not by the bearer over this action');
};

/** r and s: a signature's other bytes have several forms. */
const essenceOf = (signature: string): string => signature.replace(/^0x/, '').slice(0, 128).toLowerCase();

/** Whether a request with this signature was taken: known before the action is hashed. */
const wasTaken = async (
  { db }: Context,
  wallet: Address,
  { nonce }: SigningContext,
  signature: string,
): Promise<boolean> => {
  const row = await db
    .selectFrom('signed_action')
    .select('nonce')
    .where('wallet', '=', wallet)
    .where('nonce', '=', nonce)
    .where('signature', '=', essenceOf(signature))
    .executeTakeFirst();
  return row !== undefined;
};

const replayed = (): MintageError => new MintageError('REPLAY_DETECTED', 'This signed action was taken before');

/** @throws MintageError REPLAY_DETECTED when this action was taken before (A1). */
const takeOnce = async (
  { db, now }: Context,
  wallet: Address,
  { nonce, expiresAfter }: SigningContext,
  { signature = '' }: PlatformActionInput,
  digest: `0x${string}`,
): Promise<void> => {
  await db.deleteFrom('signed_action').where('expires_at', '<', new Date(now())).execute();
  const taken = await db
    .insertInto('signed_action')
    .values({
      wallet,
      nonce,
      action_hash: digest,
      signature: essenceOf(signature),
      expires_at: sql<Date>`${new Date(nonce + expiresAfter + 1_000)}`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (taken.numInsertedOrUpdatedRows !== 1n) throw replayed();
};
