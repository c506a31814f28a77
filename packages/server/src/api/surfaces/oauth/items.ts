import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Db } from '../../../db/serviceTables.ts';
import { endGrant } from '../../accounts/grants.ts';

/** A registered client whom nobody has allowed anything yet. */
const unusedClientMs = 30 * 24 * 3_600_000;

/** Kept by nobody: each flow is signed in to anew, so there is no session to find again. */
const notKept: ReadonlySet<string> = new Set(['Session', 'ReplayDetection']);

/**
 * What the authorization server keeps, in one table that all processes share: a flow may begin at one and end at another.
 * Times are by our clock, and what is over is not found.
 */
export const createItems =
  (db: Db, now: () => number) =>
  (model: string): Adapter => {
    const item = (id: string) => ({ model, id_hash: hashOf(id) });

    const adapter: Adapter = {
      async upsert(id, payload, expiresIn) {
        const { jti: _, ...rest } = payload;
        const kept = {
          ...item(id),
          payload: JSON.stringify(rest),
          grant_id: model === 'Grant' ? id : (payload.grantId ?? null),
          consumed_at: null,
          expires_at: new Date(now() + (expiresIn === undefined ? unusedClientMs : expiresIn * 1000)),
        };
        await db
          .insertInto('oauth_item')
          .values(kept)
          .onConflict((conflict) =>
            conflict.columns(['model', 'id_hash']).doUpdateSet({ payload: kept.payload, expires_at: kept.expires_at }),
          )
          .execute();
        if (model === 'Interaction') await sweep(db, now());
      },

      async find(id) {
        const row = await db
          .selectFrom('oauth_item')
          .select(['payload', 'consumed_at'])
          .where('model', '=', model)
          .where('id_hash', '=', hashOf(id))
          .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', new Date(now()))]))
          .executeTakeFirst();
        if (!row) return undefined;
        if (model === 'Client') return row.payload as AdapterPayload;
        const consumed = row.consumed_at === null ? undefined : Math.floor(row.consumed_at.getTime() / 1000);
        return { ...row.payload, jti: id, ...(consumed === undefined ? {} : { consumed }) } as AdapterPayload;
      },

      /** Of two uses at once one comes second: either the client or a thief, so the grant ends. */
      async consume(id) {
        const first = await db
          .updateTable('oauth_item')
          .set({ consumed_at: new Date(now()) })
          .where('model', '=', model)
          .where('id_hash', '=', hashOf(id))
          .where('consumed_at', 'is', null)
          .returning('id_hash')
          .executeTakeFirst();
        if (first) return;
        const found = await adapter.find(id);
        if (found?.grantId !== undefined) await endGrant(db, found.grantId, now());
        throw new errors.InvalidGrant('already used');
      },

      async destroy(id) {
        if (model === 'Grant') await endGrant(db, id, now());
        else {
          await db.deleteFrom('oauth_item').where('model', '=', model).where('id_hash', '=', hashOf(id)).execute();
        }
      },

      async revokeByGrantId(grantId) {
        await db.deleteFrom('oauth_item').where('model', '=', model).where('grant_id', '=', grantId).execute();
      },

      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
    };
    return notKept.has(model) ? forgetful : adapter;
  };

const forgetful: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
};

/** A client that a user allowed something is kept for good. */
export const keepClient = async (db: Db, clientId: string): Promise<void> => {
  await db
    .updateTable('oauth_item')
    .set({ expires_at: null })
    .where('model', '=', 'Client')
    .where('id_hash', '=', hashOf(clientId))
    .execute();
};

/** False when a decision was written down for this interaction before: of two forms sent at once one counts. */
export const claimInteraction = async (db: Db, uid: string, nowMs: number): Promise<boolean> => {
  const claimed = await db
    .updateTable('oauth_item')
    .set({ consumed_at: new Date(nowMs) })
    .where('model', '=', 'Interaction')
    .where('id_hash', '=', hashOf(uid))
    .where('consumed_at', 'is', null)
    .returning('id_hash')
    .executeTakeFirst();
  return claimed !== undefined;
};

const hashOf = (id: string): string => createHash('sha256').update(id).digest('hex');

/** What is over goes, a bounded number at a time. */
const sweep = async (db: Db, nowMs: number): Promise<void> => {
  await sql`delete from oauth_item where (model, id_hash) in (
    select model, id_hash from oauth_item where expires_at <= ${new Date(nowMs)} limit 100)`.execute(db);
};
