import { logo } from '@mintage/brand/logo';
import { brandColors } from './brandColors.ts';
import { type FittedText, firstCharacter, fitText, type TextBox, xmlText } from './fittedText.ts';
import { fontFamily } from './fonts.ts';

/** What the picture of a link to a token shows. Name and symbol come from a stranger. */
export interface PreviewFacts {
  name: string;
  symbol: string;
  chainName: string;
  /** As people read it, `$67,196`. */
  marketCap: string;
  /** What of the money is raised, 0 to 1; null: unknown. */
  raised: number | null;
  graduated: boolean;
  /** How far it is, in words. */
  progress: string;
  platformName: string;
  /** `#rrggbb`; null: bronze. */
  brandColor: string | null;
}

/** Pictures that are laid into it; null: none. One that cannot be decoded counts as none. */
export interface PreviewPictures {
  /** The token's own, as this service keeps it. */
  token: Uint8Array | null;
  /** The deployment's logo, SVG or PNG. */
  logo: Uint8Array | null;
}

/** Size that sites show best, pixels. */
export const previewSize = { width: 1200, height: 630 } as const;

/** Where the logo is laid. */
export const logoPlace = { left: 72, top: 556, side: 44 } as const;

/** Where the token's own picture is laid, round. */
export const coinPicture = { centerX: 248, centerY: 262, diameter: 316 } as const;

const rim = { radius: 174, width: 14 };
const column = { x: 488, width: 640 };
const meter = { y: 396, height: 30, reed: 4, pitch: 10 };

/** Paper and ink, and the green of what is done (`web/ui/tokens.css`). */
const colors = {
  paper: '#fbf9f6',
  surface: '#ffffff',
  sunk: '#f4f2ef',
  line: '#e4e2dd',
  ink: '#1d1914',
  ink2: '#524c45',
  ink3: '#6c665f',
  done: '#07664d',
} as const;

const boxes = {
  name: { width: column.width, sizes: [76, 64, 54, 46], weight: 'SemiBold' },
  symbol: { width: 300, sizes: [34], weight: 'SemiBold' },
  chain: { width: 320, sizes: [34], weight: 'Regular' },
  marketCap: { width: column.width, sizes: [72, 56, 44], weight: 'SemiBold' },
  progress: { width: column.width, sizes: [30], weight: 'SemiBold' },
  platform: { width: 980, sizes: [30], weight: 'SemiBold' },
  letter: { width: 220, sizes: [150, 110, 80, 50, 30, 16], weight: 'SemiBold' },
} as const satisfies Record<string, TextBox>;

/**
 * The picture as SVG, without what is laid over it. It names nothing outside of it, and text stays text.
 *
 * @param laid - What is laid over it; otherwise the symbol's first letter and our logo stand there.
 */
export const previewSvg = async (
  facts: PreviewFacts,
  laid: Readonly<Record<keyof PreviewPictures, boolean>>,
): Promise<string> => {
  const brand = brandColors(facts.brandColor);
  const metal = facts.graduated ? colors.done : brand.fill;
  const { width, height } = previewSize;
  const symbol = await fitText(facts.symbol, boxes.symbol);
  const chain = await fitText(facts.chainName, boxes.chain);
  const mark = laid.token ? '' : await letter(facts);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="${fontFamily}, sans-serif">
<rect width="${width}" height="${height}" fill="${colors.paper}"/>
${coin(facts, metal)}${mark}
${line(await fitText(facts.name, boxes.name), 158, { box: boxes.name, fill: colors.ink })}
${line(symbol, 214, { box: boxes.symbol, fill: colors.ink2 })}
${line(chain, 214, { box: boxes.chain, fill: colors.ink3, x: column.x + symbol.width + 20 })}
<text x="${column.x}" y="292" font-size="26" fill="${colors.ink3}">Market cap</text>
${line(await fitText(facts.marketCap, boxes.marketCap), 362, { box: boxes.marketCap, fill: colors.ink })}
${facts.raised === null ? '' : reeds(facts.raised, metal)}
${line(await fitText(facts.progress, boxes.progress), 468, { box: boxes.progress, fill: facts.graduated ? colors.done : brand.ink })}
<path d="M72 530H1128" stroke="${colors.line}" stroke-width="2"/>
${laid.logo ? '' : ourLogo(brand.ink)}
${line(await fitText(facts.platformName, boxes.platform), 588, { box: boxes.platform, fill: colors.ink, x: 132 })}
</svg>`;
};

/** It is drawn 26 pixels wide. */
const ourLogo = (color: string): string =>
  `<g transform="translate(${logoPlace.left} ${logoPlace.top}) scale(${logoPlace.side / 26})" color="${color}">${logo}</g>`;

/** The blank of the coin, with the rim that fills clockwise from the top. */
const coin = ({ raised }: PreviewFacts, metal: string): string => {
  const { centerX, centerY } = coinPicture;
  const around = 2 * Math.PI * rim.radius;
  const circle = `<circle cx="${centerX}" cy="${centerY}" r="${rim.radius}" stroke-width="${rim.width}"`;
  const blank = `${circle} fill="${colors.surface}" stroke="${colors.line}"/>`;
  if (raised === null || raised <= 0) return blank;
  // A dash as long as the rim would leave a seam at the top.
  const dash = raised >= 1 ? '' : ` stroke-dasharray="${raised * around} ${around}"`;
  return `${blank}${circle} fill="none" stroke="${metal}"${dash} transform="rotate(-90 ${centerX} ${centerY})"/>`;
};

/** The coin's edge unrolled: one reed lit for each part that is raised. */
const reeds = (raised: number, metal: string): string => {
  const count = column.width / meter.pitch;
  const path = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, at) => {
      const x = column.x + (from + at) * meter.pitch;
      return `M${x} ${meter.y}h${meter.reed}v${meter.height}h-${meter.reed}z`;
    }).join('');
  const lit = Math.round(raised * count);
  return `<path fill="${metal}" d="${path(0, lit)}"/><path fill="${colors.line}" d="${path(lit, count)}"/>`;
};

const letter = async ({ symbol, name }: PreviewFacts): Promise<string> => {
  const { centerX, centerY, diameter } = coinPicture;
  const blank = `<circle cx="${centerX}" cy="${centerY}" r="${diameter / 2}" fill="${colors.sunk}"/>`;
  const first = firstCharacter(symbol) || firstCharacter(name);
  if (first === '') return blank;
  const { text, size } = await fitText(first, boxes.letter);
  const side = boxes.letter.width;
  const middle = side / 2;
  return `${blank}<svg x="${centerX - middle}" y="${centerY - middle}" width="${side}" height="${side}" overflow="hidden"><text x="${middle}" y="${middle + size * 0.35}" text-anchor="middle" font-size="${size}" font-weight="600" fill="${colors.ink3}">${xmlText(text)}</text></svg>`;
};

interface LineOptions {
  box: TextBox;
  fill: string;
  x?: number;
}

/** Cut to its box also above and below, where the marks of a letter may pile up. */
const line = ({ text, size }: FittedText, y: number, { box, fill, x = column.x }: LineOptions): string =>
  `<svg x="${x}" y="${y - size}" width="${box.width}" height="${size * 1.35}" overflow="hidden"><text y="${size}" font-size="${size}" font-weight="${box.weight === 'SemiBold' ? 600 : 400}" fill="${fill}">${xmlText(text)}</text></svg>`;
