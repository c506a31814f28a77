import { writeFileSync } from 'node:fs';
import type { MintageError } from '@mintage/protocol';

/** Runs in a process of its own: an image that breaks a decoder, or fills its memory, ends nothing else (M3). */

export interface ImageTask {
  bytes: Uint8Array;
  maxBytes: number;
}

/** An error's class does not cross the border between processes, so a refusal crosses it as data. */
export type ImageResult = { image: Uint8Array } | { refused: Pick<MintageError, 'code' | 'message'> };

/** By SIGKILL, because a usual exit waits for the drawing in progress. */
const endAtOnce = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

/** Whoever runs us is gone. */
process.on('disconnect', endAtOnce);
if (!process.connected) endAtOnce();

/** When memory runs out, the system is to end this process and not the one that serves. */
const offerOneself = (): void => {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/oom_score_adj', '800');
  } catch {
    // A container may forbid it; then the system chooses by size, as it does everywhere else.
  }
};
offerOneself();

const { reencodeImage } = await import('./image.ts');

const resultOf = async ({ bytes, maxBytes }: ImageTask): Promise<ImageResult> => {
  try {
    return { image: await reencodeImage(bytes, maxBytes) };
  } catch (error) {
    const { code, message } = error as MintageError;
    return { refused: { code, message } };
  }
};

process.on('message', async (task) => {
  process.send?.(await resultOf(task as ImageTask));
});
process.send?.('ready');
