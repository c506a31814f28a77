import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brandColors } from './brandColors.ts';
import { fitText } from './fittedText.ts';
import { createImages, type Images } from './images.ts';
import { coinPicture, type PreviewFacts, previewSvg } from './preview.ts';

const boat: PreviewFacts = {
  name: 'Paper Boat',
  symbol: 'BOAT',
  chainName: 'Base',
  marketCap: '$67,196',
  raised: 0.7296,
  graduated: false,
  progress: '73 % raised',
  platformName: 'Mintage',
  brandColor: null,
};
const asker = { owner: 'a', address: 'a' };
const [bronze, line, green, paper] = ['#b57126', '#e4e2dd', '#07664d', '#fbf9f6'];

const solid = (background: string, side = 600): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background } })
    .webp({ lossless: true })
    .toBuffer();

interface Pixels {
  at(x: number, y: number): string;
  /** The last column of a band in which something other than paper stands. */
  lastInk(top: number, bottom: number): number;
}

const pixelsOf = async (png: Uint8Array): Promise<Pixels> => {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 1200, height: 630, channels: 3 });
  const at = (x: number, y: number): string => {
    const from = (Math.round(y) * info.width + Math.round(x)) * 3;
    return `#${data.subarray(from, from + 3).toString('hex')}`;
  };
  return {
    at,
    lastInk(top, bottom) {
      for (let x = info.width - 1; x >= 0; x -= 1)
        for (let y = top; y < bottom; y += 1) if (at(x, y) !== paper) return x;
      return -1;
    },
  };
};

/** On the rim, clockwise from the top. */
const rimAt = (pixels: Pixels, turn: number): string =>
  pixels.at(
    coinPicture.centerX + 174 * Math.sin(2 * Math.PI * turn),
    coinPicture.centerY - 174 * Math.cos(2 * Math.PI * turn),
  );
const center = (pixels: Pixels): string => pixels.at(coinPicture.centerX, coinPicture.centerY);

describe('a preview', () => {
  let images: Images;
  beforeAll(() => {
    images = createImages();
  });
  afterAll(() => images.close());

  const draw = async (facts: Partial<PreviewFacts> = {}, picture: Uint8Array | null = null): Promise<Pixels> =>
    pixelsOf(await images.preview({ ...boat, ...facts }, { token: picture, logo: null }, asker));

  it('default: the rim is filled clockwise as far as money is raised, the rest is a line', async () => {
    const pixels = await draw();
    expect([0.01, 0.25, 0.5, 0.72].map((turn) => rimAt(pixels, turn))).toEqual([bronze, bronze, bronze, bronze]);
    expect([0.74, 0.9, 0.99].map((turn) => rimAt(pixels, turn))).toEqual([line, line, line]);
    const meter = (x: number) => pixels.at(x, 410);
    expect([489, 949, 959, 1119].map(meter)).toEqual([bronze, bronze, line, line]);
  });

  it('behavior: nothing raised, everything raised, unknown', async () => {
    const turns = [0.001, 0.3, 0.6, 0.999];
    const rimOf = async (facts: Partial<PreviewFacts>) => {
      const pixels = await draw(facts);
      return new Set(turns.map((turn) => rimAt(pixels, turn)));
    };
    expect(await rimOf({ raised: 0 })).toEqual(new Set([line]));
    expect(await rimOf({ raised: null, progress: '' })).toEqual(new Set([line]));
    expect(await rimOf({ raised: 1 })).toEqual(new Set([bronze]));
    expect(await rimOf({ raised: 1, graduated: true })).toEqual(new Set([green]));
  });

  it('behavior: a deployment has its own metal, of our lightness', async () => {
    const { fill } = brandColors('#3355ff');
    expect(fill).not.toBe(bronze);
    expect(rimAt(await draw({ brandColor: '#3355ff' }), 0.3)).toBe(fill);
    // Yellow is darkened, black is lightened: both are seen on paper.
    expect([brandColors('#ffee00'), brandColors('#000000')]).toEqual([
      { ink: '#6d6600', fill: '#8d8300' },
      { ink: '#636363', fill: '#808080' },
    ]);
    expect(brandColors(null).fill).toBe(bronze);
  });

  it('default: the token’s picture is laid in, round', async () => {
    const pixels = await draw({}, await solid('#1f4e79'));
    expect(center(pixels)).toBe('#1f4e79');
    const corner = coinPicture.diameter / 2 - 4;
    expect(pixels.at(coinPicture.centerX + corner, coinPicture.centerY + corner)).not.toBe('#1f4e79');
  });

  it('behavior: a deployment has its own logo, whole and on paper', async () => {
    const logo = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20" fill="#aa00aa"/></svg>',
    );
    const pixels = await pixelsOf(await images.preview(boat, { token: null, logo }, asker));
    expect([558, 578, 598].map((y) => pixels.at(94, y))).toEqual([paper, '#aa00aa', paper]);
    expect(pixels.at(74, 578)).toBe('#aa00aa');
    expect((await draw()).at(94, 564)).not.toBe(paper);
  });

  it('behavior: a picture that cannot be decoded counts as none', async () => {
    const none = await images.preview(boat, { token: null, logo: null }, asker);
    const whole = await solid('#1f4e79');
    for (const broken of [Buffer.from('nothing'), whole.subarray(0, whole.length / 2), Buffer.alloc(0)])
      expect(Buffer.compare(await images.preview(boat, { token: broken, logo: broken }, asker), none)).toBe(0);
  });

  it('H5 a picture that keeps a decoder for too long is left out', async () => {
    const endless = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000"><defs><g id="a0"><rect width="1000" height="1000" opacity=".5"/></g>${Array.from(
        { length: 18 },
        (_, level) => `<g id="a${level + 1}"><use href="#a${level}"/><use href="#a${level}"/></g>`,
      ).join('')}</defs><use href="#a18"/></svg>`,
    );
    const impatient = createImages({ limitMs: 500 });
    try {
      const drawn = await impatient.preview(boat, { token: endless, logo: null }, asker);
      expect(Buffer.compare(drawn, await images.preview(boat, { token: null, logo: null }, asker))).toBe(0);
    } finally {
      await impatient.close();
    }
  });

  it('behavior: it is set in our own font', async () => {
    // The machine's own fonts are wider or narrower by more than this.
    const end = (await draw()).lastInk(95, 160);
    expect([end >= 860, end <= 874]).toEqual([true, true]);
  });

  it('behavior: whatever a name is, it ends before the margin and below the top', async () => {
    const names = [
      'W'.repeat(32),
      '漢'.repeat(32),
      '🚀'.repeat(32),
      'قارب من ورق '.repeat(9),
      `a${'\u0301'.repeat(5_000)}`,
    ];
    for (const name of [...names, 'x'.repeat(100_000)]) {
      const pixels = await draw({ name, symbol: name });
      expect([name.slice(0, 5), pixels.lastInk(0, 380) <= 1_132]).toEqual([name.slice(0, 5), true]);
      expect([name.slice(0, 5), pixels.lastInk(0, 78)]).toEqual([name.slice(0, 5), -1]);
    }
  });

  it('error: after the end of the service', async () => {
    const closed = createImages();
    await closed.close();
    await expect(closed.preview(boat, { token: null, logo: null }, asker)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});

describe('previewSvg', () => {
  /** Elements in their order, closing ones too. */
  const elements = (svg: string): string[] => Array.from(svg.matchAll(/<\/?[^\s>/]+/g), ([tag]) => tag);

  it.each([
    '</text><script>alert(1)</script>',
    '"/><image href="https://evil.example/x.png"/>',
    '<![CDATA[ ]]>',
    '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>&b;',
    '&#x3c;script&#x3e;',
    'a & b \' " < >',
    '\0\u0001\u001b[31m\u007f\u0085',
    '\ud800 half \udc00',
    'x\ufffe\uffff\u{1fffe}',
    '\u202egnol\u2066\u200f',
    // Nothing by themselves.
    '\ufe0f',
    '\u200d',
    ' \u{e0100}',
    '\u2800',
    '\ufffc\u2800',
  ])('M2 the name %j is text', async (name) => {
    const svg = await previewSvg(
      { ...boat, name, symbol: name, platformName: name, chainName: name },
      { token: false, logo: false },
    );
    const harmless = await previewSvg({ ...boat, symbol: 'BOAT' }, { token: false, logo: false });
    expect(elements(svg)).toEqual(elements(harmless));
    expect(svg.replaceAll('\n', '')).not.toMatch(/(?![\u200c\u200d])\p{C}/u);
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/href=["']|url\(|xmlns/);
    await sharp(Buffer.from(svg)).stats();
  });

  it('M2 any text leaves the drawing as it is', async () => {
    const harmless = elements(await previewSvg(boat, { token: true, logo: true }));
    const anything = fc.string({ unit: 'binary', maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(anything, anything, async (name, symbol) => {
        const svg = await previewSvg({ ...boat, name, symbol }, { token: true, logo: true });
        expect(elements(svg)).toEqual(harmless);
        await sharp(Buffer.from(svg)).metadata();
      }),
      { numRuns: 150 },
    );
  });

  it('behavior: without a symbol the letter is the name’s, and without any there is none', async () => {
    const letterOf = async (facts: Partial<PreviewFacts>) =>
      /text-anchor="middle"[^>]*>([^<]*)</.exec(
        await previewSvg({ ...boat, ...facts }, { token: false, logo: false }),
      )?.[1];
    expect(await letterOf({})).toBe('B');
    expect(await letterOf({ symbol: '\u202e\u0007é́x' })).toBe('é́');
    expect(await letterOf({ symbol: ' ', name: 'ox' })).toBe('o');
    expect(await letterOf({ symbol: '', name: '\u0000' })).toBeUndefined();
  });
});

describe('fitText', () => {
  const box = { width: 300, sizes: [60, 40, 20], weight: 'SemiBold' } as const;

  it('default: the largest size that fits', async () => {
    const sizes = await Promise.all(
      ['Boat', 'A paper boat', 'A paper boat on a river'].map((one) => fitText(one, box)),
    );
    expect(sizes.map(({ text, size }) => [text, size])).toEqual([
      ['Boat', 60],
      ['A paper boat', 40],
      ['A paper boat on a river', 20],
    ]);
  });

  it('behavior: cuts between characters as people count them', async () => {
    const family = '👩‍👩‍👧‍👦';
    const { text, size } = await fitText(family.repeat(40), box);
    expect(size).toBe(20);
    expect(text.endsWith('…')).toBe(true);
    expect(text.slice(0, -1).replaceAll(family, '')).toBe('');
  });

  it('behavior: one line of what is seen', async () => {
    expect(await fitText('  a\n\tb\u2028c\u200d\u200c ', box)).toMatchObject({ text: 'a b c\u200d\u200c' });
    expect(await fitText('\u0000\u202e', box)).toEqual({ text: '', size: 60, width: 0 });
  });
});
