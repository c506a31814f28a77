import {
  type Address,
  type Eid,
  formOf,
  hexAddresses,
  MintageError,
  parseAnyAddress,
  tokenIdOf,
} from '@mintage/protocol';
import { sql } from 'kysely';
import { chainTables, type Row } from '../../db/chainTables.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/serviceTables.ts';
import type { Reading } from './reading.ts';
import { type Registration, registrationsOfToken } from './registrations.ts';

/** A token on chain, with its slug and what its creator told this service (null for a creation made elsewhere). */
export type KnownToken = Row<'token'> & {
  slug: string;
  description: string | null;
  logo: string | null;
  banner: string | null;
  video: string | null;
  destination_chains: string[] | null;
  tags: string[] | null;
  links: Record<string, string> | null;
  builder: string | null;
  /** When its metadata was stored. */
  drafted_at: Date | null;
  /** Why an operator took it out of lists; null: nobody did. */
  unlisted_because: string | null;
  /** On other chains than its home. */
  registrations: Registration[];
};

/** The chain of a draft of the last day that a TokenRef refers to, in the ways of `findToken`; null for none. */
const draftedOn = async (db: Db, tokenRef: string): Promise<Eid | null> => {
  const typed = tokenRef.trim();
  const ref = typed.toLowerCase();
  const address = addressOfRef(typed);
  const draft = await db
    .selectFrom('token_draft')
    .select('eid')
    .where('created_at', '>', sql<Date>`now() - interval '24 hours'`)
    .where((row) => {
      if (uuid.test(ref)) return row('token_id', '=', ref);
      if (isPlatformId(ref)) return row('token_id', '=', tokenIdOf(ref));
      const bySlug = row('token_id', 'in', db.selectFrom('token_slug').select('token_id').where('slug', '=', ref));
      if (address === null) return bySlug;
      const at = row.and([row('eid', 'in', db.selectFrom('chain').select('eid')), row('address', '=', address)]);
      return mayBeSlug(address) ? row.or([at, bySlug]) : at;
    })
    .limit(1)
    .executeTakeFirst();
  return draft?.eid ?? null;
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const platformId = /^0x[0-9a-f]{64}$/;

/**
 * The contract address that a reference means. Hex means the same in any case, `0X` too; base58 does not.
 *
 * @param tokenRef - Without spaces around it.
 */
export const addressOfRef = (tokenRef: string): Address | null =>
  parseAnyAddress(tokenRef.startsWith('0X') ? tokenRef.toLowerCase() : tokenRef);

/** Whether the text of an address may be a slug as well: one of before base58 was read may have its form. */
export const mayBeSlug = (address: Address): boolean => formOf(address) !== hexAddresses;

/** In lower case, as the next. */
export const isUuid = (text: string): boolean => uuid.test(text);
export const isPlatformId = (text: string): text is `0x${string}` => platformId.test(text);

/** Whether a text can mean one token alone: its id, platform id or address. */
export const isExact = (typed: string): boolean => {
  const ref = typed.trim().toLowerCase();
  return isUuid(ref) || isPlatformId(ref) || addressOfRef(typed.trim()) !== null;
};

const listedColumns = [
  'token_id',
  'eid',
  'address',
  'platform_id',
  'creator',
  'pool_type',
  'name',
  'symbol',
  'uri',
  'created_at',
  'tx_hash',
  'virtual_tokens',
  'virtual_usd',
  'graduated_at',
  'pool_id',
  'trades',
  'holders',
  'price_usd18',
  'progress_pct18',
  'stage',
] as const satisfies (keyof Row<'token'>)[];
const allColumns = Object.keys(chainTables.token.columns) as (keyof Row<'token'>)[];

/** What pages of tokens show of each. */
export type ListedToken = Omit<KnownToken, Exclude<keyof Row<'token'>, (typeof listedColumns)[number]>>;

/** Base query for indexed tokens with slug and draft, used by every query that shows one token. */
export const selectTokens = (db: Db) => select(db, allColumns).select(registrationsOfToken.as('registrations'));

/** As `selectTokens`, for pages of tokens: without the registrations, which are read for all of them at once. */
export const selectListed = (db: Db) => select(db, listedColumns);

const select = <Column extends keyof Row<'token'>>(db: Db, columns: readonly Column[]) =>
  db
    .selectFrom('token')
    .innerJoin('token_slug', 'token_slug.token_id', 'token.token_id')
    .leftJoin('token_draft', 'token_draft.token_id', 'token.token_id')
    .leftJoin('unlisted_token', 'unlisted_token.token_id', 'token.token_id')
    .select(columns.map((column) => `token.${column}` as const))
    .select([
      'token_slug.slug',
      'token_draft.description',
      'token_draft.logo',
      'token_draft.banner',
      'token_draft.video',
      'token_draft.destination_chains',
      'token_draft.tags',
      'token_draft.links',
      'token_draft.builder',
      'token_draft.created_at as drafted_at',
      'unlisted_token.reason as unlisted_because',
    ]);

/**
 * The indexed token that a TokenRef refers to: by its id, platform id, contract address or slug, in any case but for
 * addresses whose case counts. No new slug has the form of the others (`claimSlug`). Null when no chain has it; drafts are not
 * found here.
 */
export const findToken = async (db: Db, tokenRef: string): Promise<KnownToken | null> => {
  const typed = tokenRef.trim();
  const ref = typed.toLowerCase();
  const tokens = selectTokens(db).limit(1);
  const first = async (found: typeof tokens): Promise<KnownToken | null> => (await prepared(db, found))[0] ?? null;
  if (isUuid(ref)) return first(tokens.where('token.token_id', '=', ref));
  if (isPlatformId(ref)) {
    const token = await first(tokens.where('token.token_id', '=', tokenIdOf(ref)));
    return token?.platform_id === ref ? token : null;
  }
  const address = addressOfRef(typed);
  if (address !== null) {
    const eids = db.selectFrom('chain').select('eid');
    const at = tokens.where('token.eid', 'in', eids).where('token.address', '=', address);
    const found = await first(at.orderBy('token.created_at'));
    if (found !== null || !mayBeSlug(address)) return found;
  }
  return first(tokens.where('token_slug.slug', '=', ref));
};

/** How long a token that may just have been created is waited for, milliseconds: some blocks of most chains. */
const arrivalMs = 3_000;

/**
 * A token that this service prepared and that no index has yet, as soon as one has it: who has just created it may have seen its
 * block before we did. Null when it does not come, and at once for a reference that no draft has.
 */
export const arrivingToken = async (
  { db, chainNews }: Pick<Reading, 'db' | 'chainNews'>,
  tokenRef: string,
): Promise<KnownToken | null> => {
  const eid = await draftedOn(db, tokenRef);
  return eid === null ? null : chainNews.wait(String(eid), () => findToken(db, tokenRef), arrivalMs);
};

/** As `findToken`, and one that was just created is waited for. */
export const awaitToken = async (
  context: Pick<Reading, 'db' | 'chainNews'>,
  tokenRef: string,
): Promise<KnownToken | null> => (await findToken(context.db, tokenRef)) ?? arrivingToken(context, tokenRef);

/** @throws TOKEN_NOT_FOUND when no chain has the token, nor gets it while it is waited for. */
export const requireToken = async (
  context: Pick<Reading, 'db' | 'chainNews'>,
  tokenRef: string,
): Promise<KnownToken> => {
  const token = await awaitToken(context, tokenRef);
  if (token === null) throw tokenNotFound(tokenRef);
  return token;
};

export const tokenNotFound = (tokenRef: string): MintageError =>
  new MintageError('TOKEN_NOT_FOUND', `No token is known as ${tokenRef.slice(0, 80)}.`);
