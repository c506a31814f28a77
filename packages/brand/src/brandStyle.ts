const pair = (light: string, dark: string): string => `light-dark(${light}, ${dark})`;

/**
 * The deployment's colour as a layer after `tokens`; empty for bronze. Only hue and strength are taken; lightness stays, so that
 * text of the brand's colour is readable on every background in both themes.
 *
 * @param color - `#rrggbb`.
 */
export const brandStyle = (color: string | null): string => {
  if (color === null) return '';
  const from = (lightness: number, most: number): string => `oklch(from ${color} ${lightness} min(c, ${most}) h)`;
  return `@layer brand {
  :root {
    --brand: ${pair(from(0.5, 0.16), from(0.8, 0.12))};
    --brand-soft: ${pair(from(0.955, 0.03), from(0.275, 0.05))};
    --brand-fill: ${pair(from(0.6, 0.18), from(0.72, 0.14))};
  }
}
`;
};
