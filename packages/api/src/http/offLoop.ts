import { MintageError } from '@mintage/protocol';
import Tinypool from 'tinypool';
import * as here from './offLoopWorker.ts';

/**
 * What is done to bodies, which anybody may send and which may be long. A long one is worked on in another thread, a short one
 * here, because crossing costs more than it does.
 */
export interface OffLoop {
  /** @throws As `parseJson`. */
  parseBody(bytes: ArrayBuffer): Promise<Record<string, unknown>>;
  digestsOfCreation(...creation: here.Creation): Promise<`0x${string}`[]>;
  hashOfJson(value: unknown): Promise<string>;
  close(): Promise<void>;
}

/** Characters. Hashing as chains do it costs a hundred times what the rest does. */
const longToHash = 16 * 1024;
const longToWrite = 256 * 1024;
const idleMs = 30_000;

/** The thread starts with the first long body and ends when none has come for a while. */
export const createOffLoop = (): OffLoop => {
  let pool: Tinypool | undefined;
  const run = async (name: keyof typeof here, task: unknown, transferList: ArrayBuffer[] = []): Promise<unknown> => {
    pool ??= new Tinypool({
      filename: new URL('./offLoopWorker.ts', import.meta.url).href,
      runtime: 'worker_threads',
      isolateWorkers: false,
      minThreads: 0,
      maxThreads: 1, // the cores are for answers; the bodies that wait are few (`places.ts`)
      idleTimeout: idleMs,
      env: {},
    });
    return pool.run(task, { name, transferList });
  };
  return {
    async parseBody(bytes) {
      const parsed = (await run('parseBody', bytes, [bytes])) as here.ParsedBody;
      if ('body' in parsed) return parsed.body;
      const { code, message, details } = parsed.refused;
      throw new MintageError(code, message, { details });
    },
    async digestsOfCreation(...creation) {
      if (textLength(creation) <= longToHash) return here.digestsOfCreation(creation);
      return (await run('digestsOfCreation', creation)) as `0x${string}`[];
    },
    async hashOfJson(value) {
      if (textLength(value) <= longToWrite) return here.hashOfJson(value);
      return (await run('hashOfJson', value)) as string;
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
