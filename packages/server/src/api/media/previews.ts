import { readFile } from 'node:fs/promises';
import type { Asker } from '../limits/turns.ts';
import { Remembered } from '../wire/remembered.ts';
import type { Images } from './images.ts';
import type { PreviewFacts } from './preview.ts';

/** What a picture is drawn of, when there is none that is young enough. */
export interface PreviewSource {
  facts: PreviewFacts;
  /** CID of the token's own picture; null: none that is kept here. */
  picture: string | null;
}

/**
 * The picture of a link to a token, PNG, at most `previewSeconds` old. Whoever asks while it is drawn waits for the same one.
 *
 * @param tokenId - What it is remembered by.
 * @param asker - Whose share it counts against when it has to be drawn.
 * @throws MintageError SERVICE_UNAVAILABLE, RATE_LIMIT_EXCEEDED.
 */
export type Previews = (tokenId: string, source: PreviewSource, asker: Asker) => Promise<Uint8Array>;

export const previewSeconds = 60;
/** Pictures that are kept, of 50 to 300 kB each. */
const mostKept = 100;

/**
 * @param pictureOf - A token's own picture that is in service, by its CID; null: there is none.
 * @param logo - Path of the deployment's logo; null: ours.
 */
export const createPreviews = (
  images: Images,
  pictureOf: (cid: string) => Promise<Uint8Array | null>,
  logo: string | null,
  now?: () => number,
): Previews => {
  const kept = new Remembered<Uint8Array>(mostKept, now);
  const underway = new Map<string, Promise<Uint8Array>>();

  const draw = async (tokenId: string, { facts, picture }: PreviewSource, asker: Asker): Promise<Uint8Array> => {
    const pictures = {
      token: picture === null ? null : await pictureOf(picture),
      logo: logo === null ? null : await readFile(logo),
    };
    // Others may wait for it too, so it is not dropped when this asker leaves.
    const { owner, address } = asker;
    const drawn = await images.preview(facts, pictures, { owner, address });
    kept.set(tokenId, drawn, (now ?? Date.now)() + previewSeconds * 1_000);
    return drawn;
  };

  return (tokenId, source, asker) => {
    const known = kept.get(tokenId);
    if (known !== undefined) return Promise.resolve(known);
    const drawing = underway.get(tokenId) ?? draw(tokenId, source, asker).finally(() => underway.delete(tokenId));
    underway.set(tokenId, drawing);
    return drawing;
  };
};
