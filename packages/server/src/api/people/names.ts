import { Username } from '@mintage/protocol/operations';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/serviceTables.ts';
import { reservedWords } from '../accounts/reservedCodes.ts';
import type { BlockedText } from './blockedText.ts';
import { lettersOf, skeletonOf } from './skeleton.ts';

const reserved = new Set([...reservedWords].map(lettersOf));
/** Shorter names of a service are parts of too many others. */
const leastContained = 5;

/** Whether somebody with this name could pass for the service, or it reads like a missing value. */
export const isReservedName = ({ platformSlug }: Pick<Config, 'platformSlug'>, name: string): boolean => {
  const [own, words] = [lettersOf(platformSlug), lettersOf(name)];
  return words === '' || words === own || reserved.has(words) || (own.length >= leastContained && words.includes(own));
};

/** Why this name cannot be taken; null: it is free. */
export const whyNotFree = async (
  { db, config, blockedText }: { db: Db; config: Config; blockedText: BlockedText },
  username: string,
): Promise<'invalid' | 'reserved' | 'taken' | null> => {
  if (!Username.safeParse(username).success) return 'invalid';
  if (isReservedName(config, username) || blockedText.holds(username)) return 'reserved';
  const taken = await db
    .selectFrom('username')
    .select('user_id')
    .where('skeleton', '=', skeletonOf(username))
    .executeTakeFirst();
  return taken === undefined ? null : 'taken';
};
