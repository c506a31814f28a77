import { MintageError } from '@mintage/protocol';
import Tinypool from 'tinypool';
import type { ImageResult, ImageTask } from './imageWorker.ts';
import { inTurn } from './inTurn.ts';

/** The processes that decode images. They start with the first image and end when none has come for a while. */
export interface Images {
  /**
   * An image as WebP (`image.ts`).
   *
   * @throws MintageError MEDIA_INVALID, also when the decoder died of it; MEDIA_TOO_LARGE, also when it took too long.
   */
  webp(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Decoding is the costliest thing that a caller can ask for: more images wait in order. */
const processes = 2;
/** Of one image, over all its steps; each of them has a limit of its own. */
const longestMs = 15_000;
const idleMs = 30_000;

export const createImages = (): Images => {
  const pool = new Tinypool({
    filename: new URL('./imageWorker.ts', import.meta.url).href,
    runtime: 'child_process',
    serialization: 'advanced',
    minThreads: 0,
    maxThreads: processes,
    idleTimeout: idleMs,
    env: { PATH: process.env.PATH ?? '' }, // none of our secrets
  });
  const whenFree = inTurn(processes); // so that waiting does not count as decoding
  return {
    async webp(bytes, maxBytes) {
      const task: ImageTask = { bytes, maxBytes };
      const result = await whenFree(() => run(pool, task));
      if ('image' in result) return result.image;
      throw new MintageError(result.refused.code, result.refused.message);
    },
    close: () => pool.destroy(),
  };
};

const run = async (pool: Tinypool, task: ImageTask): Promise<ImageResult> => {
  const patience = AbortSignal.timeout(longestMs);
  try {
    return (await pool.run(task, { signal: patience })) as ImageResult;
  } catch (cause) {
    if (patience.aborted) throw new MintageError('MEDIA_TOO_LARGE', 'The image takes too long to decode', { cause });
    throw new MintageError('MEDIA_INVALID', 'The image cannot be decoded', { cause });
  }
};
