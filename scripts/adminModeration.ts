import {
  type Config,
  findToken,
  freezeAccount,
  hidePost,
  moderationLog,
  openReports,
  resolveReports,
  restoreToken,
  type ServiceDatabase,
  suspendUser,
  takeDownToken,
  unfreezeAccount,
  unhidePost,
  unsuspendUser,
} from '@mintage/server/api';
import type { Database } from '@mintage/server/db';
import type { Kysely } from 'kysely';

/** What an operator does about what people say and create, as over the API; each is written down in `moderation`. */

type Db = Kysely<ServiceDatabase>;
const every = (db: Db) => db.withTables<Database>();

export const hide = async (db: Db, [postId, ...words]: string[]): Promise<string> => {
  const deed = { ...atShell, reason: reasonOf(words, 'hide', 'its author reads') };
  await hidePost(every(db), idOf(postId, 'hide', 'a post'), deed);
  return `The post ${postId} is hidden: only its author sees it, and why.`;
};

export const unhide = async (db: Db, [postId, ...words]: string[]): Promise<string> => {
  await unhidePost(every(db), idOf(postId, 'unhide', 'a post'), deedOf(words));
  return `The post ${postId} is shown.`;
};

export const suspend = async (db: Db, [userId, ...words]: string[]): Promise<string> => {
  const deed = { ...atShell, reason: reasonOf(words, 'suspend', 'the user reads') };
  await suspendUser(every(db), idOf(userId, 'suspend', 'a user'), deed);
  return `The user ${userId} says nothing more, and trades and claims as before.`;
};

export const unsuspend = async (db: Db, [userId, ...words]: string[]): Promise<string> => {
  await unsuspendUser(every(db), idOf(userId, 'unsuspend', 'a user'), deedOf(words));
  return `The user ${userId} may speak again.`;
};

export const freeze = async (db: Db, [userId, ...words]: string[]): Promise<string> => {
  const deed = { ...atShell, reason: reasonOf(words, 'freeze', 'operators read in the log') };
  await freezeAccount(every(db), idOf(userId, 'freeze', 'a user'), deed);
  return `The account ${userId} is frozen: no sign-in, no signature, no webhook.`;
};

export const unfreeze = async (db: Db, [userId, ...words]: string[]): Promise<string> => {
  await unfreezeAccount(every(db), idOf(userId, 'unfreeze', 'a user'), deedOf(words));
  return `The account ${userId} is no longer frozen.`;
};

/** `--shared-media` among the words takes out of service also files that others use. */
export const takeDown = async (db: Db, [ref, ...args]: string[]): Promise<string> => {
  const token = await tokenOf(db, ref, 'take-down');
  const words = args.filter((word) => word !== sharedMedia);
  const reason = reasonOf(words, 'take-down', 'everybody reads who opens the token');
  const sharedToo = words.length < args.length;
  const { withdrawn, kept } = await takeDownToken(every(db), token, { ...atShell, reason, sharedToo });
  const rest = kept.length === 0 ? '' : ` Others use ${kept.join(', ')}: ${sharedMedia} takes that out of service too.`;
  return `The token ${token.token_id} is in no list any more, and is traded and claimed as before. Files out of service: ${withdrawn.length}.${rest}`;
};

export const restore = async (db: Db, [ref, ...words]: string[]): Promise<string> => {
  const token = await tokenOf(db, ref, 'restore');
  await restoreToken(every(db), token, deedOf(words));
  return `The token ${token.token_id} is in lists again, and its files are in service.`;
};

const sharedMedia = '--shared-media';

const tokenOf = async (db: Db, ref: string | undefined, command: string) => {
  if (ref === undefined) throw new Error(`${command} needs a token: its id, address or slug`);
  const token = await findToken(every(db), ref);
  if (token === null) throw new Error(`there is no token ${ref}`);
  return token;
};

/** Most that are shown at once. */
const mostShown = 100;

interface Reports {
  done: string;
  reports: Awaited<ReturnType<typeof openReports>>['reported'];
}

/** Texts of strangers are shown as JSON, which leaves nothing in them for a terminal to obey. */
export const reports = async (db: Db, _args: string[], config: Config): Promise<Reports> => {
  const { reported } = await openReports({ db: every(db), config }, { limit: mostShown });
  const lines = reported.map(({ post, reports_count, reports: said }) => {
    const state = post.hidden === undefined ? '' : ', hidden';
    const words = said.map(({ reason, note }) => `${reason} ${plain(note ?? '')}`).join(', ');
    return `${post.id} of ${post.author?.id ?? 'nobody'}${state}: ${reports_count}: ${words} about ${plain(post.text.slice(0, 200))}`;
  });
  const done = reported.length === 0 ? 'Nothing waits.' : lines.join('\n');
  return { done, reports: reported };
};

export const resolveReported = async (db: Db, [postId, ...words]: string[]): Promise<string> => {
  const count = await resolveReports(every(db), idOf(postId, 'resolve', 'a post'), deedOf(words));
  return `Reports of the post ${postId} that are seen to now: ${count}.`;
};

interface Log {
  done: string;
  entries: Awaited<ReturnType<typeof moderationLog>>['entries'];
}

export const log = async (db: Db): Promise<Log> => {
  const { entries } = await moderationLog(every(db), { limit: mostShown });
  const lines = entries.map(
    ({ at, user, action, target, reason }) =>
      `${at} ${user?.id ?? 'command line'}: ${action} ${target}${reason === null ? '' : ` ${plain(reason)}`}`,
  );
  return { done: lines.length === 0 ? 'Nothing was done.' : lines.join('\n'), entries };
};

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const idOf = (id: string | undefined, command: string, whose: string): string => {
  if (id === undefined || !isUuid.test(id)) throw new Error(`${command} needs the id of ${whose}`);
  return id.toLowerCase();
};

/** Nobody who is known here. */
const atShell = { by: null };

/** What is lifted needs no reason; one that is given is written down. */
const deedOf = (words: readonly string[]) => ({ ...atShell, reason: words.join(' ').trim() || null });

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
