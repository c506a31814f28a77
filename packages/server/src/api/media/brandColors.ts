import { clampChroma, converter, formatHex } from 'culori';

/** A deployment's colour as the light pages of this service use it, `#rrggbb`. */
export interface BrandColors {
  /** For text and signs. */
  ink: string;
  /** For areas. */
  fill: string;
}

const bronze: BrandColors = { ink: '#945919', fill: '#b57126' };

const toOklch = converter('oklch');

/**
 * Hue and strength of a colour; lightness stays ours, so that every colour is seen on paper.
 *
 * @param color - `#rrggbb`; null: bronze.
 */
export const brandColors = (color: string | null): BrandColors => {
  const known = color === null ? undefined : toOklch(color);
  if (known === undefined) return bronze;
  const as = (lightness: number, most: number): string =>
    formatHex(clampChroma({ ...known, l: lightness, c: Math.min(known.c, most) }, 'oklch'));
  return { ink: as(0.5, 0.16), fill: as(0.6, 0.18) };
};
