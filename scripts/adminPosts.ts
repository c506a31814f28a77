import {
  hidePost,
  resolveReports,
  type ServiceDatabase,
  suspendUser,
  unhidePost,
  unsuspendUser,
  waitingReports,
} from '@mintage/server/api';
import type { Database } from '@mintage/server/db';
import type { Kysely } from 'kysely';

/** What an operator does about what people say; each is written down in `moderation`. */

type Db = Kysely<ServiceDatabase>;
const every = (db: Db) => db.withTables<Database>();

export const hide = async (db: Db, [postId, ...words]: string[]): Promise<string> => {
  await hidePost(every(db), idOf(postId, 'hide', 'a post'), reasonOf(words, 'hide', 'its author reads'));
  return `The post ${postId} is hidden: only its author sees it, and why.`;
};

export const unhide = async (db: Db, [postId]: string[]): Promise<string> => {
  await unhidePost(every(db), idOf(postId, 'unhide', 'a post'));
  return `The post ${postId} is shown.`;
};

export const suspend = async (db: Db, [userId, ...words]: string[]): Promise<string> => {
  await suspendUser(every(db), idOf(userId, 'suspend', 'a user'), reasonOf(words, 'suspend', 'the user reads'));
  return `The user ${userId} says nothing more, and trades and claims as before.`;
};

export const unsuspend = async (db: Db, [userId]: string[]): Promise<string> => {
  await unsuspendUser(every(db), idOf(userId, 'unsuspend', 'a user'));
  return `The user ${userId} may speak again.`;
};

interface Reports {
  done: string;
  reports: Awaited<ReturnType<typeof waitingReports>>;
}

/** Texts of strangers are shown as JSON, which leaves nothing in them for a terminal to obey. */
export const reports = async (db: Db): Promise<Reports> => {
  const waiting = await waitingReports(every(db));
  const lines = waiting.map(({ post_id, author_id, hidden_because, reason, note, text }) => {
    const state = hidden_because === null ? '' : ', hidden';
    return `${post_id} of ${author_id ?? 'nobody'}${state}: ${reason} ${plain(note ?? '')} about ${plain(text.slice(0, 200))}`;
  });
  const done = waiting.length === 0 ? 'Nothing waits.' : lines.join('\n');
  return { done, reports: waiting };
};

export const resolveReported = async (db: Db, [postId]: string[]): Promise<string> => {
  const count = await resolveReports(every(db), idOf(postId, 'resolve', 'a post'));
  return `Reports of the post ${postId} that are seen to now: ${count}.`;
};

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const idOf = (id: string | undefined, command: string, whose: string): string => {
  if (id === undefined || !isUuid.test(id)) throw new Error(`${command} needs the id of ${whose}`);
  return id.toLowerCase();
};

const reasonOf = (words: readonly string[], command: string, who: string): string => {
  const reason = words.join(' ').trim();
  if (reason === '') throw new Error(`${command} needs a reason, which ${who}`);
  return reason;
};

const plain = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\p{C}\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
