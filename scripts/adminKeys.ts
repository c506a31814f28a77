import {
  type Config,
  createRowSeals,
  endOtherKeys,
  makeSigningKey,
  type ServiceDatabase,
  sealedSecrets,
  sealRows,
  sealSecrets,
} from '@mintage/server/api';
import { intentKeysOf, kekCounts, keysOf, rewrapColumn } from '@mintage/server/keys';
import { walletKeys } from '@mintage/server/sign';
import type { Kysely } from 'kysely';

/** What an operator does with keys: docs/decisions/0025-keys-at-rest.md */

type Db = Kysely<ServiceDatabase>;

/** Signs access tokens with a new key from now on; `now` also ends what the keys before signed. */
export const rotateSigningKey = async (db: Db, [when]: string[], config: Config): Promise<string> => {
  if (when !== undefined && when !== 'now') throw new Error('rotate-signing-key takes nothing, or now');
  const keys = keysOf(config);
  await sealSecrets(db, keys);
  const kid = await makeSigningKey({ db, seals: sealsOf(config) }, keys);
  if (when === undefined)
    return `${kid} signs within seconds; the keys before verify until their last token has ended.`;
  await endOtherKeys(db, kid);
  return `${kid} signs; what other keys signed is refused within ten seconds, and everybody refreshes.`;
};

const sealsOf = (config: Config) => createRowSeals(intentKeysOf(config));

/** Seals rows that give access with the first intent key; `unsealed`: also those of a version without seals. */
export const sealAccess = async (db: Db, [which]: string[], config: Config): Promise<string> => {
  if (which !== undefined && which !== 'unsealed') throw new Error('seal-rows takes nothing, or unsealed');
  const counts = await sealRows({ db, seals: sealsOf(config) }, { unsealed: which === 'unsealed' });
  return [...counts].map(([table, count]) => `${table}: ${count} sealed`).join('\n');
};

/**
 * Has the first KEK at hand wrap what the others at hand wrapped.
 *
 * @throws Error with the report when rows do not open.
 */
export const rewrap = async (db: Db, _args: string[], config: Config): Promise<string> => {
  const keys = keysOf(config);
  const lines: string[] = [];
  let isBroken = false;
  for (const column of [walletKeys, ...sealedSecrets]) {
    const { moved, broken } = await rewrapColumn(db, keys, column);
    isBroken ||= broken.length > 0;
    const left = [...(await kekCounts(db, column))].filter(([kek]) => kek !== keys.id);
    lines.push(
      `${column.table}.${column.column}: ${moved} sealed anew by ${keys.id}`,
      ...left.map(
        ([kek, count]) => `  ${count} sealed by ${kek}${keys.ids.includes(kek) ? '' : ', which is not here'}`,
      ),
      ...broken.map((row) => `  does not open: ${row}`),
    );
  }
  if (isBroken) throw new Error(lines.join('\n'));
  return lines.join('\n');
};
