import { hash, randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Address, type Eid, type Hash, requireHex, Uuid } from '@mintage/protocol';
import { z } from 'zod';
import type { NewAttempt } from './newAttempt.ts';

/**
 * What signers must not forget, in a folder outside of the database: the bytes that were signed for each intent, and
 * what each user's intents counted in a day. A writer of the database cannot set it back, so an intent is signed once,
 * and a day's budget is spent once. Several signers share the folder. docs/decisions/0091-intent-proofs.md
 *
 * A file is written once, on disk before the call returns, and never changed; of two processes that write the same
 * file, one succeeds.
 */
export interface SigningLog {
  /** When the folder was made, Unix seconds: what was signed before may be missing. */
  since: number;
  /**
   * Records the first signatures of an intent, one a step.
   *
   * @returns False when the intent has an entry already.
   */
  begin(entry: NewEntry): Promise<boolean>;
  /**
   * Records another signature of a step.
   *
   * @param earlier - How many the log has of this step.
   * @returns False when another signer has added one meanwhile.
   */
  add(place: LogPlace, step: number, earlier: number, attempt: NewAttempt): Promise<boolean>;
  /** The entry of an intent with all attempts that were added; undefined when nothing of it was signed. */
  find(place: LogPlace): Promise<LogEntry | undefined>;
  /** What the intents of a user count on a day. */
  spentOn(day: string, userId: string): Promise<readonly Spending[]>;
  /** Nothing of the intent was executed: it counts nothing any more. */
  release(place: LogPlace): Promise<void>;
  /** Records for good that a credential was revoked. */
  revoke(credential: string): Promise<void>;
  isRevoked(credential: string): Promise<boolean>;
}

/** Which intent. */
export interface LogPlace {
  /** On which its proof was made, UTC, `2030-01-31`. */
  day: string;
  userId: string;
  intentId: string;
}

/** What was signed for an intent at first. */
export interface NewEntry extends LogPlace, Omit<Spending, 'isReleased'> {
  /** By step. */
  attempts: readonly NewAttempt[];
}

/** What was signed for an intent. */
export interface LogEntry extends Omit<NewEntry, 'attempts'> {
  /** By step, each with its attempts, oldest first. */
  steps: readonly (readonly NewAttempt[])[];
}

/** What leaves a wallet. */
export interface Outflow {
  /** Dollars with 18 decimals. */
  usd18: bigint;
  /** Native base units, gas aside. */
  coins: bigint;
}

export interface Spending {
  wallet: Address;
  /** Id of the API key or grant; null: a sign-in of the user. */
  credential: string | null;
  /** Dollars with 18 decimals. */
  usd18: bigint;
  eid: Eid;
  /** What left the wallet. */
  outflow: Outflow;
  isReleased: boolean;
}

/** How long the log is needed, days: no transaction is open for longer, and proofs last minutes. */
const keptDays = 30;

/** The day of a time in Unix seconds, UTC. */
export const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

/**
 * Opens the log, and removes days that are over.
 *
 * @param folder - Made when it is missing. Of these signers alone.
 */
export const openSigningLog = async (folder: string, now: () => number): Promise<SigningLog> => {
  const days = join(folder, 'days');
  const revoked = join(folder, 'revoked');
  for (const made of [days, revoked]) await mkdir(made, { recursive: true, mode: 0o700 });
  const oldest = dayOf(now() / 1000 - keptDays * 86_400);
  for (const day of await readdir(days)) if (day < oldest) await rm(join(days, day), { recursive: true, force: true });

  await writeOnce(join(folder, 'since'), Math.floor(now() / 1000));
  const since = z.int().parse(JSON.parse(await readFile(join(folder, 'since'), 'utf8')));

  const folderOf = ({ day, userId }: Omit<LogPlace, 'intentId'>): string =>
    join(days, Day.parse(day), Uuid.parse(userId));
  const fileOf = (place: LogPlace, ...more: (string | number)[]): string =>
    join(folderOf(place), [Uuid.parse(place.intentId), ...more].join('.'));

  // Ids of credentials are of several forms: a hash is always a name for a file.
  const revocationOf = (credential: string): string => join(revoked, hash('sha256', credential));

  /** Without the attempts that were added. */
  const readEntry = async (place: LogPlace) => {
    const text = await readIfThere(fileOf(place));
    if (text === undefined) return undefined;
    const { attempts, ...rest } = EntryText.parse(JSON.parse(text));
    return { ...place, ...rest, steps: attempts.map((first): NewAttempt[] => [first]) };
  };

  return {
    since,
    async begin({ attempts, eid, wallet, credential, usd18, outflow, ...place }) {
      await mkdir(folderOf(place), { recursive: true, mode: 0o700 });
      return writeOnce(fileOf(place), { eid, wallet, credential, usd18, outflow, attempts });
    },
    add: (place, step, earlier, attempt) => writeOnce(fileOf(place, step, earlier), attempt),
    async find(place) {
      const entry = await readEntry(place);
      if (entry === undefined) return undefined;
      for (const [step, attempts] of entry.steps.entries()) {
        for (;;) {
          const text = await readIfThere(fileOf(place, step, attempts.length));
          if (text === undefined) break;
          attempts.push(AttemptText.parse(JSON.parse(text)));
        }
      }
      return entry;
    },
    async spentOn(day, userId) {
      const names = new Set(await readdir(folderOf({ day, userId })).catch(ifMissing<string[]>([])));
      const entries = [...names].filter((name) => Uuid.safeParse(name).success);
      return Promise.all(
        entries.map(async (intentId) => {
          const { eid, wallet, credential, usd18, outflow } = (await readEntry({ day, userId, intentId })) as LogEntry;
          return { eid, wallet, credential, usd18, outflow, isReleased: names.has(`${intentId}.released`) };
        }),
      );
    },
    async release(place) {
      await writeOnce(fileOf(place, 'released'), {});
    },
    async revoke(credential) {
      await writeOnce(revocationOf(credential), {});
    },
    isRevoked: async (credential) => (await readIfThere(revocationOf(credential))) !== undefined,
  };
};

/**
 * Writes a file that is not there yet, whole or not at all.
 *
 * @returns False when there is one already.
 */
const writeOnce = async (path: string, content: unknown): Promise<boolean> => {
  const draft = `${path}.${randomUUID()}`;
  const text = JSON.stringify(content, (_, value) => (typeof value === 'bigint' ? value.toString() : value));
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, path); // atomic, and never replaces a file
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(path));
  return true;
};

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

const ifMissing =
  <T>(fallback: T) =>
  (error: unknown): T => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fallback;
    throw error;
  };

const readIfThere = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(ifMissing(undefined));

const Day = z.iso.date();
const amount = z.string().regex(/^\d+$/).transform(BigInt);
const whole = z.int().min(0);

const AttemptText = z.object({
  hash: z.string().transform((text) => text as Hash),
  raw: z.string().transform((text) => requireHex(text as Hash)),
  nonce: whole.nullable(),
  kind: z.enum(['call', 'cancel']),
  fees: z.object({ maxFeePerGas: amount, maxPriorityFeePerGas: amount }).nullable(),
  signedBlock: whole,
  validUntilBlock: whole.nullable(),
});

const EntryText = z.object({
  eid: whole.transform((number) => number as Eid),
  wallet: z.string().transform((text) => text as Address),
  credential: z.string().nullable(),
  usd18: amount,
  // Entries of before have none.
  outflow: z.object({ usd18: amount, coins: amount }).default({ usd18: 0n, coins: 0n }),
  attempts: z.array(AttemptText),
});
