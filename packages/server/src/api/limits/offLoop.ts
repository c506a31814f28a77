import { MintageError } from '@mintage/protocol';
import Tinypool from 'tinypool';
import * as here from './offLoopWorker.ts';
import { type Asker, createTurns, type TurnOptions } from './turns.ts';

/**
 * What is done to bodies, which anybody may send and which may be long. A long one is worked on in another thread, a short one
 * here, because crossing costs more than it does. All of it is done in turns; callers with a credential have theirs, and never
 * wait for what is done for others.
 */
export interface OffLoop {
  /** @throws As `parseJson` and `Turns`. */
  parseBody(sender: BodySender, bytes: ArrayBuffer): Promise<Record<string, unknown>>;
  /**
   * @param signer - Whom nothing proves before this is done.
   * @throws As `Turns`.
   */
  digestsOfCreation(signer: Asker, ...creation: here.Creation): Promise<`0x${string}`[]>;
  /**
   * @param caller - With a credential.
   * @throws As `Turns`.
   */
  hashOfJson(caller: Asker, value: unknown): Promise<string>;
  close(): Promise<void>;
}

export interface BodySender extends Asker {
  /** By a credential. */
  isProved: boolean;
}

/** One of each kind at once. Few wait, because large bodies have places (`places.ts`). */
const turnOptions: TurnOptions = {
  places: 1,
  perOwner: { running: 1, waiting: 16 },
  perAddress: { running: 1, waiting: 32 },
};

/** Characters. Hashing as chains do it costs a hundred times what the rest does. */
const longToHash = 16 * 1024;
const longToWrite = 256 * 1024;
const idleMs = 30_000;

/** The threads start with the first long body and end when none has come for a while. */
export const createOffLoop = (): OffLoop => {
  let pool: Tinypool | undefined;
  const [proved, unproved] = [createTurns(turnOptions), createTurns(turnOptions)];
  const run = (name: keyof typeof here, task: unknown, transferList: ArrayBuffer[] = []): Promise<unknown> => {
    pool ??= new Tinypool({
      filename: new URL('./offLoopWorker.ts', import.meta.url).href,
      runtime: 'worker_threads',
      isolateWorkers: false,
      minThreads: 0,
      maxThreads: 2, // one for each kind: the cores are for answers
      idleTimeout: idleMs,
      env: {},
    });
    return pool.run(task, { name, transferList });
  };
  return {
    async parseBody(sender, bytes) {
      const inTurn = sender.isProved ? proved : unproved;
      const parsed = (await inTurn(sender, () => run('parseBody', bytes, [bytes]))) as here.ParsedBody;
      if ('body' in parsed) return parsed.body;
      const { code, message, details } = parsed.refused;
      throw new MintageError(code, message, { details });
    },
    async digestsOfCreation(signer, ...creation) {
      if (textLength(creation) <= longToHash) return here.digestsOfCreation(creation);
      return (await unproved(signer, () => run('digestsOfCreation', creation))) as `0x${string}`[];
    },
    async hashOfJson(caller, value) {
      if (textLength(value) <= longToWrite) return here.hashOfJson(value);
      return (await proved(caller, () => run('hashOfJson', value))) as string;
    },
    async close() {
      await pool?.destroy();
      pool = undefined;
    },
  };
};

/** Characters in the texts of a value, which has few of them (`parseJson.ts`). */
const textLength = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + textLength(item), 0);
};
