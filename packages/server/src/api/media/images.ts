import { MintageError } from '@mintage/protocol';
import { type Asker, createTurns, goneAway, type TurnOptions } from '../limits/turns.ts';
import { type Decoded, type Decoder, startDecoder } from './decoder.ts';
import { type Fonts, installFonts } from './fonts.ts';
import type { ImageTask } from './imageWorker.ts';
import type { PreviewFacts, PreviewPictures } from './preview.ts';

/** The processes that decode and draw images. All start with the first image, and end when none has come for a while. */
export interface Images {
  /**
   * An image as WebP (`image.ts`).
   *
   * @param square - Side of the square that is cut out of its middle.
   * @param asker - Whose share it counts against. When the asker disconnects, a waiting image is dropped and a running
   * decoder is killed.
   * @throws MintageError MEDIA_INVALID, also when the image crashed the decoder; MEDIA_TOO_LARGE, also when it costs too
   * much CPU time; SERVICE_UNAVAILABLE when two decoders were killed from outside, or the machine is too busy; RATE_LIMIT_EXCEEDED.
   */
  webp(bytes: Uint8Array, maxBytes: number, asker: Asker, square?: number): Promise<Uint8Array>;
  /**
   * The picture of a link to a token, PNG (`preview.ts`).
   *
   * @param pictures - The token's own is left out when the decoder fails on it.
   * @param asker - As above.
   * @throws MintageError SERVICE_UNAVAILABLE, RATE_LIMIT_EXCEEDED.
   */
  preview(facts: PreviewFacts, pictures: PreviewPictures, asker: Asker): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Decoding is the costliest thing that a caller can ask for: two at once, and never two of one user or address. */
const turnOptions: TurnOptions = {
  what: 'files',
  places: 2,
  perOwner: { running: 1, waiting: 16 },
  perAddress: { running: 1, waiting: 64 },
};
/** CPU time for one image, milliseconds. A photo of 49 megapixels costs half a second. */
const longestMs = 2_000;
const idleMs = 30_000;

export const createImages = ({ limitMs = longestMs } = {}): Images => {
  const inTurn = createTurns(turnOptions);
  const decoders = new Set<Decoder>();
  /** Idle decoders, each with the timer that ends it when no image comes. */
  const idle = new Map<Decoder, NodeJS.Timeout>();
  let fonts: Fonts | undefined;
  let isClosed = false;

  const start = (): Decoder => {
    fonts ??= installFonts();
    const decoder = startDecoder(fonts.file);
    decoders.add(decoder);
    void decoder.ended.then(() => {
      decoders.delete(decoder);
      clearTimeout(idle.get(decoder));
      idle.delete(decoder);
    });
    return decoder;
  };
  const keep = (decoder: Decoder): void => {
    idle.set(decoder, setTimeout(decoder.end, idleMs).unref());
  };
  /**
   * Takes the most recently used decoder: during a flood whose pictures kill decoders, the flood keeps using that one
   * and the others stay warm.
   */
  const takeIdle = (): Decoder | undefined => {
    for (const [decoder, timer] of [...idle].toReversed()) {
      clearTimeout(timer);
      idle.delete(decoder);
      if (decoder.isAlive) return decoder;
    }
    return undefined;
  };
  const take = (): Decoder => {
    const taken = takeIdle() ?? start();
    for (const timer of idle.values()) timer.refresh();
    // So that the next caller's first picture does not wait for a process to start.
    while (decoders.size < turnOptions.places) keep(start());
    return taken;
  };
  const decode = async (task: ImageTask, gone: AbortSignal | undefined): Promise<Decoded> => {
    const decoder = take();
    const decoded = await decoder.decode(task, { limitMs, ...(gone && { gone }) });
    if (!('failed' in decoded)) keep(decoder);
    else if (!isClosed) keep(start()); // replaced at once, to be ready for the next picture
    return decoded;
  };

  const decodeInTurn = (task: ImageTask, asker: Asker): Promise<Decoded> =>
    inTurn(asker, async (putBehind) => {
      if (isClosed) throw new MintageError('SERVICE_UNAVAILABLE', 'The service is ending');
      const begunMs = performance.now();
      const first = await decode(task, asker.gone);
      // A caller who leaves before the limit has kept a decoder from other callers too.
      const isCostly = (failed: string): boolean =>
        failed === 'costly' || (failed === 'gone' && performance.now() - begunMs > limitMs);
      if ('failed' in first && isCostly(first.failed)) putBehind();
      const isOthersDoing = 'failed' in first && first.failed === 'ended' && !isClosed;
      return isOthersDoing ? decode(task, asker.gone) : first;
    });

  return {
    async webp(bytes, maxBytes, asker, square) {
      const task = { makes: 'webp', bytes, maxBytes, ...(square !== undefined && { square }) } as const;
      const decoded = await decodeInTurn(task, asker);
      if ('image' in decoded) return decoded.image;
      if ('refused' in decoded) throw new MintageError(decoded.refused.code, decoded.refused.message);
      throw errorOf(decoded);
    },
    async preview(facts, pictures, asker) {
      const drawn = await decodeInTurn({ makes: 'preview', facts, pictures }, asker);
      if ('image' in drawn) return drawn.image;
      if ('refused' in drawn) throw new Error(`A preview was refused: ${drawn.refused.message}`);
      const isToBlame = pictures.token !== null && (drawn.failed === 'costly' || drawn.failed === 'crashed');
      if (isToBlame) return this.preview(facts, { ...pictures, token: null }, asker);
      if (drawn.failed === 'gone') throw goneAway();
      const cause = 'cause' in drawn ? drawn.cause : undefined;
      throw new MintageError('SERVICE_UNAVAILABLE', 'Pictures cannot be drawn now', { cause });
    },
    async close() {
      isClosed = true;
      const all = [...decoders];
      for (const decoder of all) decoder.end();
      await Promise.all(all.map(({ ended }) => ended));
      fonts?.remove();
    },
  };
};

const errorOf = (decoded: Extract<Decoded, { failed: string }>): MintageError => {
  switch (decoded.failed) {
    case 'costly':
      return new MintageError('MEDIA_TOO_LARGE', 'The image takes too much work to decode');
    case 'starved':
      return new MintageError('SERVICE_UNAVAILABLE', 'This service is too busy to decode the image now');
    case 'gone':
      return goneAway();
    case 'crashed':
      return new MintageError('MEDIA_INVALID', 'The image cannot be decoded', { cause: decoded.cause });
    case 'ended':
      return new MintageError('SERVICE_UNAVAILABLE', 'Images cannot be decoded now', { cause: decoded.cause });
  }
};
