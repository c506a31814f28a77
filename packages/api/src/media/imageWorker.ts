import type { MintageError } from '@mintage/protocol';
import { reencodeImage } from './image.ts';

/** Runs in a process of its own: an image that breaks a decoder, or fills its memory, ends nothing else (M3). */

export interface ImageTask {
  bytes: Uint8Array;
  maxBytes: number;
}

/** An error's class does not cross the border between processes, so a refusal crosses it as data. */
export type ImageResult = { image: Uint8Array } | { refused: Pick<MintageError, 'code' | 'message'> };

export default async ({ bytes, maxBytes }: ImageTask): Promise<ImageResult> => {
  try {
    return { image: await reencodeImage(bytes, maxBytes) };
  } catch (error) {
    const { code, message } = error as MintageError;
    return { refused: { code, message } };
  }
};
