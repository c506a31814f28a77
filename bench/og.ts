import sharp from 'sharp';
import { createImages } from '../packages/server/src/api/media/images.ts';
import { type PreviewFacts, previewSize } from '../packages/server/src/api/media/preview.ts';
import { median } from './rounds.ts';

/** Pictures of each kind that are measured, after a few to warm up. */
const rounds = 40;
const warmUp = 5;

const facts: PreviewFacts = {
  name: 'Paper Boat',
  symbol: 'BOAT',
  chainName: 'Base',
  marketCap: '$67,196',
  raised: 0.7296,
  graduated: false,
  progress: '73\u00a0% raised',
  platformName: 'Mintage',
  brandColor: null,
};
const asker = { owner: 'bench', address: 'bench' };

/** Drawn, as most pictures of tokens are, and as large as one is kept. */
const drawing = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="1024" height="1024"><rect width="40" height="40" fill="#1f4e79"/><path d="M6 24h28l-6 7H12ZM20 8v14H9Z" fill="#f4efe4"/><path d="M22 11v11h8Z" fill="#c9b88f"/></svg>',
);

interface Drawn {
  ms: number;
  bytes: number;
}

const drawn = async (draw: () => Promise<Uint8Array>): Promise<Drawn> => {
  const times: number[] = [];
  let bytes = 0;
  for (let round = -warmUp; round < rounds; round += 1) {
    const started = performance.now();
    bytes = (await draw()).length;
    if (round >= 0) times.push(performance.now() - started);
  }
  return { ms: median(times), bytes };
};

/**
 * How long a picture of a link takes, from the call to its bytes, decoder process and all; and an empty PNG of the same size by the
 * same library, in this process.
 */
export const benchOg = async (): Promise<void> => {
  sharp.cache(false);
  sharp.concurrency(1);
  const picture = await sharp(drawing).webp().toBuffer();
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const photo = await sharp({ create: { width: 1024, height: 1024, channels: 3, background: 'grey', noise } })
    .blur(2)
    .webp()
    .toBuffer();
  const images = createImages();
  try {
    const empty = await drawn(() =>
      sharp({ create: { ...previewSize, channels: 3, background: '#fbf9f6' } })
        .png()
        .toBuffer(),
    );
    const line = (what: string, { ms, bytes }: Drawn): void =>
      console.log(
        `${what}: ${ms.toFixed(1)} ms, ${(bytes / 1000).toFixed(1)} kB, ${(ms / empty.ms).toFixed(1)} times an empty one`,
      );
    line('an empty PNG', empty);
    line('without a picture', await drawn(() => images.preview(facts, { token: null, logo: null }, asker)));
    line('with a photo', await drawn(() => images.preview(facts, { token: photo, logo: null }, asker)));
    line('with a drawing', await drawn(() => images.preview(facts, { token: picture, logo: null }, asker)));
  } finally {
    await images.close();
  }
};
