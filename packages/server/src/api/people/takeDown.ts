import { sql } from 'kysely';
import type { Db, Tx } from '../../db/serviceTables.ts';
import { fileUses } from '../media/fileUses.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';
import { type Deed, moderated } from './moderation.ts';

/** Files of a token that are out of service, and those that stay because others use them, by their CIDs. */
export interface TokenFiles {
  withdrawn: string[];
  kept: string[];
}

type Place = Pick<KnownToken, 'token_id' | 'eid' | 'address'>;

/**
 * Takes a token out of all lists, and the files that it shows out of service. Files are addressed by content, so others may show the
 * same: a token whose logo somebody copied keeps it when the copy goes.
 *
 * @param sharedToo - Also those that a token which is up, a person or a post elsewhere uses.
 */
export const takeDownToken = (
  db: Db,
  token: Place,
  { sharedToo, ...deed }: Deed & { reason: string; sharedToo: boolean },
): Promise<TokenFiles> =>
  moderated(db, { action: 'take_down_token', target: token.token_id, ...deed }, async (tx, now) => {
    const { token_id, eid, address } = token;
    const { reason } = deed;
    await tx
      .insertInto('unlisted_token')
      .values({ token_id, eid, address, reason, unlisted_at: now })
      .onConflict((conflict) => conflict.column('token_id').doUpdateSet({ reason }))
      .execute();
    const own = await filesShownBy(tx, token_id);
    const kept = sharedToo ? new Set<string>() : await usedElsewhere(tx, own, token_id);
    const added = own.filter((cid) => !kept.has(cid)).map((cid) => ({ cid, token_id }));
    if (added.length > 0)
      await tx
        .insertInto('withdrawn_file')
        .values(added)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    const out = await withdrawnOf(tx, own);
    return { withdrawn: own.filter((cid) => out.has(cid)), kept: own.filter((cid) => !out.has(cid)) };
  });

/** Puts a token back into lists, and its files back into service, but for those that went with another token too. */
export const restoreToken = (db: Db, { token_id }: Pick<Place, 'token_id'>, deed: Deed): Promise<TokenFiles> =>
  moderated(db, { action: 'restore_token', target: token_id, ...deed }, async (tx) => {
    await tx.deleteFrom('unlisted_token').where('token_id', '=', token_id).execute();
    const own = await filesShownBy(tx, token_id);
    const out = await withdrawnOf(tx, own);
    return { withdrawn: own.filter((cid) => out.has(cid)), kept: own.filter((cid) => !out.has(cid)) };
  });

/** Its pictures and film, as far as they are stored here; not the metadata, which the token's contract names. */
const filesShownBy = async (tx: Tx, tokenId: string): Promise<string[]> => {
  const { rows } = await sql<{ cid: string }>`
    select cid from media_block where content_type ~ '^(image|video)/' and cid in (
      select substring(url, '[^/]*$') from (
        select unnest(array[logo, banner, video]) as url from token_draft where token_id = ${tokenId}
        union all select banner_url from hub where token_id = ${tokenId}
      ) shown
    ) order by cid`.execute(tx);
  return rows.map(({ cid }) => cid);
};

/** Which of them something uses that is up and of another token, or of a person. What is only drafted is not up. */
const usedElsewhere = async (tx: Tx, cids: readonly string[], tokenId: string): Promise<Set<string>> => {
  const { rows } = await sql<{ cid: string }>`
    select distinct cid from (${fileUses}) used
    where cid = any(${[...cids]}) and token_id is distinct from ${tokenId}::uuid and (token_id is null
      or exists (select from token where token.token_id = used.token_id)
        and not exists (select from unlisted_token where unlisted_token.token_id = used.token_id))`.execute(tx);
  return new Set(rows.map(({ cid }) => cid));
};

const withdrawnOf = async (tx: Tx, cids: readonly string[]): Promise<Set<string>> => {
  const { rows } = await sql<{ cid: string }>`
    select distinct cid from withdrawn_file where cid = any(${[...cids]})`.execute(tx);
  return new Set(rows.map(({ cid }) => cid));
};
