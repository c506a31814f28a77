import { invalid, MintageError } from '@mintage/protocol';
import type { PostEntity } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import { oneOf } from '../reads/oneOf.ts';
import { isSeenBy } from './seesPost.ts';

/** The token that a text may name by `$` and its symbol. */
export interface NamedToken {
  token_id: string;
  symbol: string;
}

const mostMentions = 10;
const mostTags = 10;
/** Links and tokens beyond these stay plain text. */
const mostOthers = 10;
const longestTag = 32;

/**
 * What a text means beside its words, in order, without overlaps. Offsets are UTF-16 code units. Names that nobody has stay text.
 *
 * @param text - In the form of `postedText`.
 * @throws INVALID_PARAMETERS for too many mentions or tags; BLOCKED when a mentioned user and the author do not talk to each other.
 */
export const entitiesOf = async (
  db: Db,
  text: string,
  { token, authorId }: { token: NamedToken | null; authorId: string },
): Promise<PostEntity[]> => {
  const parts = partsOf(text, token);
  const users = await usersNamed(
    db,
    parts.flatMap(({ kind, value }) => (kind === 'mention' ? [value] : [])),
    authorId,
  );
  const entities = parts.flatMap((part) => {
    if (part.kind !== 'mention') return [part];
    const user = users.get(part.value);
    return user === undefined ? [] : [{ ...part, value: user.user_id, isBlocked: user.is_blocked }];
  });
  const mentions = entities.filter(({ kind }) => kind === 'mention');
  if (mentions.length > mostMentions) throw invalid('text', `must mention at most ${mostMentions} users`);
  if (entities.filter(({ kind }) => kind === 'tag').length > mostTags)
    throw invalid('text', `must have at most ${mostTags} tags`);
  if (mentions.some((mention) => 'isBlocked' in mention && mention.isBlocked))
    throw new MintageError('BLOCKED', 'You cannot mention a user who blocked you, nor one whom you blocked.');
  return withoutRest(entities.map(({ kind, start, end, value }) => ({ kind, start, end, value })));
};

/** What a text says without naming anybody, as far as it fits: for texts that were not written as posts. */
export const plainEntitiesOf = (text: string, token: NamedToken): PostEntity[] => {
  const parts = partsOf(text, token).filter(({ kind }) => kind !== 'mention');
  const tags = parts.filter(({ kind }) => kind === 'tag').slice(0, mostTags);
  return withoutRest(parts.filter((part) => part.kind !== 'tag' || tags.includes(part)));
};

export const hashtagsOf = (entities: readonly PostEntity[]): string[] => [
  ...new Set(entities.flatMap(({ kind, value }) => (kind === 'tag' ? [value] : []))),
];

/** A tag as posts are found by it. */
export const tagKey = (typed: string): string => typed.replace(/^#/, '').normalize('NFC').toLowerCase();

const withoutRest = (entities: readonly PostEntity[]): PostEntity[] => {
  const first = (wanted: PostEntity['kind']) => entities.filter(({ kind }) => kind === wanted).slice(0, mostOthers);
  const kept = new Set([...first('link'), ...first('token')]);
  return entities.filter((entity) => entity.kind === 'mention' || entity.kind === 'tag' || kept.has(entity));
};

/** By name; with whether one of both blocked the other. */
const usersNamed = async (db: Db, names: readonly string[], authorId: string) => {
  if (names.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom('username')
    .select(['username', 'user_id', sql<boolean>`not (${isSeenBy(authorId, sql`username.user_id`)})`.as('is_blocked')])
    .where(oneOf('username', [...new Set(names)]))
    .execute();
  return new Map(rows.map((row) => [row.username, row]));
};

/** As `entitiesOf`, of the text alone: the value of a mention is the name in small letters. */
export const partsOf = (text: string, token: NamedToken | null): PostEntity[] => {
  const parts: PostEntity[] = [];
  const opening = /https:\/\/|[@#$]/gi;
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const { index: start } = found;
    if (isWord(characterBefore(text, start))) continue;
    const read = readers[found[0]] ?? linkAt;
    const { part, end } = read(text, start, token);
    if (part !== null) parts.push(part);
    opening.lastIndex = end;
  }
  return parts;
};

interface Read {
  part: PostEntity | null;
  /** Where to go on. */
  end: number;
}

type Reader = (text: string, start: number, token: NamedToken | null) => Read;

/** Nothing begins here. */
const nothing = (start: number): Read => ({ part: null, end: start + 1 });

const found = (kind: PostEntity['kind'], start: number, end: number, value: string): Read => ({
  part: { kind, start, end, value },
  end,
});

const mentionAt: Reader = (text, start) => {
  const name = matchAt(/[A-Za-z0-9_]{3,20}/y, text, start + 1);
  const end = start + 1 + name.length;
  if (name === '' || characterBefore(text, start) === '@' || isWord(characterAt(text, end))) return nothing(start);
  return found('mention', start, end, name.toLowerCase());
};

const tagAt: Reader = (text, start) => {
  // A mark alone would make a tag of the keycap emoji.
  const tag = matchAt(/[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*/uy, text, start + 1);
  const end = start + 1 + tag.length;
  if (tag === '' || /[#&/]/.test(characterBefore(text, start)) || [...tag].length > longestTag) return nothing(start);
  return found('tag', start, end, tag.toLowerCase());
};

/** The symbol in any case, as people write it. */
const tokenAt: Reader = (text, start, token) => {
  const symbol = token?.symbol.normalize('NFC') ?? '';
  const end = start + 1 + symbol.length;
  const isNamed = symbol !== '' && text.slice(start + 1, end).toLowerCase() === symbol.toLowerCase();
  if (token === null || !isNamed || characterBefore(text, start) === '$' || isWord(characterAt(text, end)))
    return nothing(start);
  return found('token', start, end, token.token_id);
};

/** No spaces, nothing that hides, and none of what browsers read as something else. */
const linkText = /https:\/\/[\p{L}\p{N}[][^\s\p{C}<>"`\\]*/iuy;

const linkAt: Reader = (text, start) => {
  const whole = matchAt(linkText, text, start);
  if (whole === '') return nothing(start);
  const link = withoutPunctuation(whole);
  const url = URL.parse(link);
  // Who reads `name@` in front of a host takes the name for the host.
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    return { part: null, end: start + whole.length };
  return found('link', start, start + link.length, url.href);
};

const readers: Readonly<Record<string, Reader>> = { '@': mentionAt, '#': tagAt, $: tokenAt };

/** A closing bracket belongs to the link when its opening one does. */
const withoutPunctuation = (link: string): string => {
  let end = link.length;
  for (; end > 0; end--) {
    const last = link.charAt(end - 1);
    if (!/[.,;:!?'’”»…)\]}]/.test(last)) break;
    const opening = { ')': '(', ']': '[', '}': '{' }[last];
    if (opening !== undefined && countOf(link, opening, end) >= countOf(link, last, end)) break;
  }
  return link.slice(0, end);
};

const countOf = (text: string, character: string, end: number): number =>
  text.slice(0, end).split(character).length - 1;

const matchAt = (expression: RegExp, text: string, at: number): string => {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? '';
};

const isWord = (character: string): boolean => /^[\p{L}\p{M}\p{N}_]$/u.test(character);
const characterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0x20);
const characterBefore = (text: string, at: number): string =>
  Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? ' ';
