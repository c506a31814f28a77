import type { Address, ChainSlug, Eid, PoolType } from '@mintage/protocol';
import { sql } from 'kysely';
import { claimSlug } from '../../db/claimSlug.ts';
import type { Db } from '../../db/serviceTables.ts';
import { letGoOfFiles } from '../media/looseFiles.ts';

/** A prepared creation. It is found by its token id only, and expires after a day unless its transaction is mined. */
export interface Draft {
  /** As `identityOf` gives it; the key of the draft. */
  tokenId: string;
  eid: Eid;
  /** Where the creation puts the token. */
  address: Address;
  creator: Address;
  poolType: PoolType['slug'];
  name: string;
  symbol: string;
}

export interface NewDraft extends Draft {
  userId: string;
  description: string;
  /** `ipfs://<cid>` of the metadata JSON. */
  tokenUri: string;
  /** Web address, as the next two; null: none. */
  logo: string;
  banner: string | null;
  video: string | null;
  links: Readonly<Record<string, string>>;
  tags: readonly string[];
  /** Chains that the token is to reach later, without its own. */
  destinationChains: readonly ChainSlug[];
  /** Builder through whom the token was created. */
  builder: Address | null;
}

const lifetimeMs = 24 * 60 * 60 * 1000;

/**
 * Stores a draft and claims its slug.
 *
 * @param replaced - Token id of a draft that will not be signed: its slug goes to this one, where both are one person's.
 */
export const storeDraft = async (db: Db, draft: NewDraft, replaced?: string): Promise<{ slug: string }> => {
  const passed = replaced === undefined ? undefined : await passSlug(db, draft, replaced);
  const slug = passed ?? (await claimSlug(db.withTables(), draft.tokenId, draft.name));
  await db
    .insertInto('token_draft')
    .values({
      token_id: draft.tokenId,
      eid: draft.eid,
      address: draft.address,
      user_id: draft.userId,
      creator: draft.creator,
      pool_type: draft.poolType,
      name: draft.name,
      symbol: draft.symbol,
      slug,
      description: draft.description,
      token_uri: draft.tokenUri,
      logo: draft.logo,
      banner: draft.banner,
      video: draft.video,
      links: JSON.stringify(draft.links),
      tags: [...draft.tags],
      destination_chains: [...draft.destinationChains],
      builder: draft.builder,
    })
    .execute();
  return { slug };
};

/** Only from a draft of the same user, wallet and name, and never from a token that exists. */
const passSlug = async (db: Db, draft: NewDraft, replaced: string): Promise<string | undefined> => {
  const { rows } = await sql<{ slug: string }>`
    update token_slug s set token_id = ${draft.tokenId} from token_draft d
    where s.token_id = ${replaced} and d.token_id = s.token_id and d.user_id = ${draft.userId}
      and d.creator = ${draft.creator} and d.name = ${draft.name}
      and not exists (select 1 from token t where t.token_id = d.token_id)
    returning s.slug`.execute(db);
  return rows[0]?.slug;
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Finds a draft; null for an unknown id and for an expired draft. */
export const findDraft = async (db: Db, tokenId: string, nowMs: number): Promise<Draft | null> => {
  const id = tokenId.trim().toLowerCase();
  if (!uuid.test(id)) return null;
  const row = await db
    .selectFrom('token_draft')
    .select(['token_id', 'eid', 'address', 'creator', 'pool_type', 'name', 'symbol'])
    .where('token_id', '=', id)
    .where('created_at', '>', new Date(nowMs - lifetimeMs))
    .executeTakeFirst();
  return row === undefined
    ? null
    : {
        tokenId: row.token_id,
        eid: row.eid,
        address: row.address,
        creator: row.creator,
        poolType: row.pool_type as Draft['poolType'],
        name: row.name,
        symbol: row.symbol,
      };
};

/**
 * How far back expired drafts are looked for: far enough for a service that was idle for a while, near enough to skip
 * tokens created long ago.
 */
const sweepMs = 30 * lifetimeMs;

/**
 * Deletes expired drafts whose token was never created, frees their slugs, and lets go of their files. Where an index is behind, its chain
 * may hold the token: those drafts wait until the index is past their last moment.
 */
export const endDrafts = (db: Db, nowMs: number): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const [from, to] = [new Date(nowMs - sweepMs), new Date(nowMs - lifetimeMs)];
    const { rows } = await sql<{ files: (string | null)[] }>`with ended as (
        delete from token_draft d where d.created_at between ${from} and ${to}
          and not exists (select 1 from token t where t.token_id = d.token_id)
          and not exists (select 1 from chain c where c.eid = d.eid
            and coalesce(c.indexed_time < d.created_at + ${lifetimeMs} * interval '1 millisecond', true))
        returning d.token_id, array[d.logo, d.banner, d.video, d.token_uri] as files
      ), freed as (delete from token_slug s using ended where s.token_id = ended.token_id)
      select files from ended`.execute(tx);
    await letGoOfFiles(
      tx,
      rows.flatMap(({ files }) => files),
      nowMs,
    );
  });
