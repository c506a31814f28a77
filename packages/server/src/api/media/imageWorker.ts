import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import type { MintageError } from '@mintage/protocol';
import type { PreviewFacts, PreviewPictures } from './preview.ts';

/**
 * Runs in a process of its own, so that an image that crashes a decoder or fills its memory harms nothing else (M3).
 */

export type ImageTask =
  | {
      makes: 'webp';
      /** The picture as it came. */
      bytes: Uint8Array;
      /** Most bytes of the WebP that comes of it. */
      maxBytes: number;
      /** Side of the square that is cut out of its middle; absent: it keeps its shape. */
      square?: number;
    }
  | {
      makes: 'preview';
      facts: PreviewFacts;
      pictures: PreviewPictures;
    };

/** An error loses its class between processes, so a refusal is returned as data. */
export type ImageResult = { image: Uint8Array } | { refused: Pick<MintageError, 'code' | 'message'> };

/** Exits by SIGKILL, because a normal exit waits for the drawing in progress. */
const endAtOnce = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

/** The parent process has ended. */
process.on('disconnect', endAtOnce);
if (!process.connected) endAtOnce();

/** Makes the system kill this process first when memory runs out, not the one that serves. */
const offerOneself = (): void => {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/oom_score_adj', '800');
  } catch {
    // A container may forbid it; then the system chooses by size as usual.
  }
};
offerOneself();

const { reencodeImage } = await import('./image.ts');
const { drawPreview } = await import('./drawPreview.ts');

const resultOf = async (task: ImageTask): Promise<ImageResult> => {
  if (task.makes === 'preview') return { image: await drawPreview(task.facts, task.pictures) };
  try {
    return { image: await reencodeImage(task.bytes, task.maxBytes, task.square) };
  } catch (error) {
    const { code, message } = error as MintageError;
    return { refused: { code, message } };
  }
};

const answer = async (task: ImageTask): Promise<void> => {
  process.send?.(await resultOf(task));
};
process.on('message', (task) => void answer(task as ImageTask)); // an error ends the process, and is its answer
process.send?.('ready');
flushCompileCache(); // it never exits by itself, which would keep it too
