import type { Db } from '../../../db/serviceTables.ts';
import { type KeyEncryption, type SealContext, type Sealed } from '../../../keys/keyEncryption.ts';
import { open, seal } from '../../../keys/seal.ts';
import { type SealedColumn } from '../../../keys/sealedRows.ts';
import { Remembered } from '../../wire/remembered.ts';

export interface WebhookKeys {
  /** Seals a key into the form stored in its row. */
  seal(id: string, key: string): Promise<string>;
  /** The keys that sign now, base64, newest first; empty when the webhook is gone. */
  of(id: string, now: Date): Promise<string[]>;
}

/** Seal context of this webhook's keys: they open for its row only. */
export const webhookSeal = (id: string): SealContext => ({ purpose: 'webhook', id });

const mostRemembered = 10_000;

/** The signing keys of webhooks. Opened keys are cached, so that deliveries continue while the KEK is unavailable. */
export const createWebhookKeys = (db: Db, keys: KeyEncryption): WebhookKeys => {
  /** Opened keys by their sealed form. */
  const opened = new Remembered<string>(mostRemembered);

  const openKey = async (id: string, sealed: Sealed): Promise<string> => {
    const known = opened.get(sealed.ciphertext);
    if (known !== undefined) return known;
    const bytes = await open(keys, sealed, webhookSeal(id));
    const key = Buffer.from(bytes).toString('base64');
    bytes.fill(0);
    opened.set(sealed.ciphertext, key);
    return key;
  };

  return {
    seal: (id, key) => sealedText(keys, id, key),
    async of(id, now) {
      const row = await db.selectFrom('webhook_secret').selectAll().where('webhook_id', '=', id).executeTakeFirst();
      if (!row?.sealed_secret) return [];
      const isBoth = row.previous_until !== null && row.previous_until > now;
      const sealed = [row.sealed_secret, isBoth ? row.sealed_previous : null].filter((one) => one !== null);
      return Promise.all(sealed.map((one) => openKey(id, one)));
    },
  };
};

const sealedText = async (keys: KeyEncryption, id: string, key: string): Promise<string> =>
  JSON.stringify(await seal(keys, Buffer.from(key, 'base64'), webhookSeal(id)));

/** The columns that hold the sealed secrets. */
export const webhookColumns: SealedColumn[] = ['sealed_secret', 'sealed_previous'].map((column) => ({
  table: 'webhook_secret',
  column,
  key: ['webhook_id'],
  contextOf: webhookSeal,
}));

/** Seals secrets that an earlier version stored in the clear. */
export const sealReadableSecrets = async (db: Db, keys: KeyEncryption): Promise<void> => {
  const rows = await db.selectFrom('webhook_secret').selectAll().where('secret', 'is not', null).execute();
  for (const { webhook_id: id, secret, previous } of rows) {
    await db
      .updateTable('webhook_secret')
      .set({
        sealed_secret: await sealedText(keys, id, secret as string),
        sealed_previous: previous === null ? null : await sealedText(keys, id, previous),
        secret: null,
        previous: null,
      })
      .where('webhook_id', '=', id)
      .where('secret', '=', secret) // another process may have sealed it first
      .execute();
  }
};
