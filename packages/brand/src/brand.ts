import { readFileSync } from 'node:fs';

export { brandStyle } from './brandStyle.ts';
export { icon, logo } from './logo.ts';

/** Colours, type, space and motion of every page: custom properties of `:root`, in the layer `tokens`. */
export const tokens = (): string => readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
