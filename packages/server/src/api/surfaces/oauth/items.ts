import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Db } from '../../../db/serviceTables.ts';
import { endGrant } from '../../accounts/grants.ts';
import { type Accounts, sealed } from '../../accounts/rowSeals.ts';

/** How long a registered client is kept that nobody has authorized, milliseconds. */
const unusedClientMs = 30 * 24 * 3_600_000;

/** Models that are not stored: each flow needs a new sign-in, so there is no session to find again. */
const notKept: ReadonlySet<string> = new Set(['Session', 'ReplayDetection']);

/**
 * Storage of the authorization server, in one table shared by all processes, so that a flow may begin at one and end at
 * another. Times are from our clock; expired items are not found.
 */
export const createItems =
  ({ db, seals }: Accounts, now: () => number) =>
  (model: string): Adapter => {
    const item = (id: string) => ({ model, id_hash: hashOf(id) });

    const adapter: Adapter = {
      async upsert(id, payload, expiresIn) {
        const { jti: _, ...rest } = payload;
        const grant_id = model === 'Grant' ? id : (payload.grantId ?? null);
        const kept = {
          ...item(id),
          payload: JSON.stringify(rest),
          grant_id,
          // As it is read again.
          seal: seals.of(sealed.oauthItem({ ...item(id), payload: JSON.parse(JSON.stringify(rest)), grant_id })),
          consumed_at: null,
          expires_at: new Date(now() + (expiresIn === undefined ? unusedClientMs : expiresIn * 1000)),
        };
        await db
          .insertInto('oauth_item')
          .values(kept)
          .onConflict((conflict) =>
            conflict.columns(['model', 'id_hash']).doUpdateSet({
              payload: kept.payload,
              grant_id: kept.grant_id,
              seal: kept.seal,
              expires_at: kept.expires_at,
            }),
          )
          .execute();
        if (model === 'Interaction') await sweep(db, now());
      },

      async find(id) {
        const row = await db
          .selectFrom('oauth_item')
          .select(['payload', 'consumed_at', 'grant_id', 'seal'])
          .where('model', '=', model)
          .where('id_hash', '=', hashOf(id))
          .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', new Date(now()))]))
          .executeTakeFirst();
        if (!row || !seals.holds(sealed.oauthItem({ ...item(id), ...row }), row.seal)) return undefined;
        if (model === 'Client') return row.payload as AdapterPayload;
        const consumed = row.consumed_at === null ? undefined : Math.floor(row.consumed_at.getTime() / 1000);
        return { ...row.payload, jti: id, ...(consumed === undefined ? {} : { consumed }) } as AdapterPayload;
      },

      /** Of two uses of the same code or token the second comes from a thief or a faulty client, so the grant ends. */
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

/** Keeps a client for good once a user has authorized it. */
export const keepClient = async (db: Db, clientId: string): Promise<void> => {
  await db
    .updateTable('oauth_item')
    .set({ expires_at: null })
    .where('model', '=', 'Client')
    .where('id_hash', '=', hashOf(clientId))
    .execute();
};

/** Marks an interaction as decided; false when it already was. Of two forms sent at once one counts. */
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

/** Deletes expired items, a limited number at a time. */
const sweep = async (db: Db, nowMs: number): Promise<void> => {
  await sql`delete from oauth_item where (model, id_hash) in (
    select model, id_hash from oauth_item where expires_at <= ${new Date(nowMs)} limit 100)`.execute(db);
};
