import { parseAnyAddress } from '@mintage/protocol';
import { type Kysely, sql } from 'kysely';
import type { Database } from './chainTables.ts';

/**
 * The token's slug: its name in kebab case, with -2, -3 and so on when taken. Asking again for the same token gives the
 * same slug, whatever the name. Call it outside a transaction: a slug belongs to no block.
 *
 * @param tokenId - uuid of the token.
 * @param name - Any text, also hostile; `token` stands in when no letter or digit is left.
 */
export const claimSlug = async (db: Kysely<Database>, tokenId: string, name: string): Promise<string> => {
  const base = kebabCase(name);
  for (;;) {
    const own = await db.selectFrom('token_slug').select('slug').where('token_id', '=', tokenId).executeTakeFirst();
    if (own !== undefined) return own.slug;
    const slug = numbered(base, await firstFree(db, base));
    const claimed = await sql`insert into token_slug (slug, token_id) values (${slug}, ${tokenId})
      on conflict do nothing returning slug`.execute(db);
    if (claimed.rows.length === 1) return slug;
    // Another call took the slug, or claimed one for the same token, between the two statements: try again.
  }
};

const numbered = (base: string, n: number): string => (n === 1 ? base : `${base}-${n}`);

/**
 * The smallest free number of a name whose numbers have no gaps: found between two powers of two, then by bisection.
 */
const firstFree = async (db: Kysely<Database>, base: string): Promise<number> => {
  const taken = await takenOf(db, base, powersOfTwo);
  let free = powersOfTwo.find((n) => !taken.has(n)) as number;
  let below = Math.floor(free / 2);
  while (free - below > 1) {
    const middle = Math.floor((below + free) / 2);
    if ((await takenOf(db, base, [middle])).has(middle)) below = middle;
    else free = middle;
  }
  return free;
};

/** More powers of two than any number of tokens needs. */
const powersOfTwo = Array.from({ length: 40 }, (_, i) => 2 ** i);

const takenOf = async (db: Kysely<Database>, base: string, numbers: readonly number[]): Promise<Set<number>> => {
  const bySlug = new Map(numbers.map((n) => [numbered(base, n), n]));
  const rows = await db
    .selectFrom('token_slug')
    .select('slug')
    .where('slug', 'in', [...bySlug.keys()])
    .execute();
  return new Set(rows.map(({ slug }) => bySlug.get(slug) as number));
};

const maxBaseLength = 64;

/** Latin letters that no decomposition turns into a to z. */
const letters: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
};

/** Lower-case a to z, 0 to 9 and single hyphens, at most 64 characters; never in the form of a uuid, a hex value or an address. */
export const kebabCase = (name: string): string => {
  const latin = name
    .slice(0, 4 * maxBaseLength)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\x00-\x7f]/g, (letter) => letters[letter] ?? '-'); // oxlint-disable-line no-control-regex
  const kebab = latin
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxBaseLength)
    .replace(/^-+|-+$/g, '');
  if (kebab === '') return 'token';
  const isAnother = looksLikeAnotherReference.test(kebab) || parseAnyAddress(kebab) !== null;
  return isAnother ? `token-${kebab}`.slice(0, maxBaseLength) : kebab;
};

/** A reference may also be an address, a platform id or a uuid; a slug must not be mistaken for one. */
const looksLikeAnotherReference = /^(0x[0-9a-f]+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;
