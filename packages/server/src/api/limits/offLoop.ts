import { MintageError } from '@mintage/protocol';
import Tinypool from 'tinypool';
import * as here from './offLoopWorker.ts';
import { type Asker, createTurns, type TurnOptions } from './turns.ts';

/**
 * Work on request bodies, which anyone may send and which may be long. Long bodies are processed in a worker thread,
 * short ones on the event loop, because handing them over costs more than the work. The work is queued fairly; callers
 * with a credential have a queue of their own and never wait for anonymous ones.
 */
export interface OffLoop {
  /** @throws As `parseJson` and `Turns`. */
  parseBody(sender: BodySender, bytes: ArrayBuffer): Promise<Record<string, unknown>>;
  /**
   * @param signer - The sender, not yet authenticated: the digest is needed for that.
   * @throws As `Turns`.
   */
  digestsOfCreation(signer: Asker, ...creation: here.Creation): Promise<`0x${string}`[]>;
  /**
   * @param caller - A caller with a credential.
   * @throws As `Turns`.
   */
  hashOfJson(caller: Asker, value: unknown): Promise<string>;
  close(): Promise<void>;
}

export interface BodySender extends Asker {
  /** Whether the sender has a valid credential. */
  isProved: boolean;
}

/** One task of each kind at a time. Few wait, because the number of large bodies is limited (`places.ts`). */
const turnOptions: TurnOptions = {
  what: 'requests',
  places: 1,
  perOwner: { running: 1, waiting: 16 },
  perAddress: { running: 1, waiting: 32 },
};

/** Text length from which hashing moves to a worker, characters: keccak256 costs a hundred times what the rest does. */
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
      maxThreads: 2, // one for each kind; the remaining cores serve requests
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
