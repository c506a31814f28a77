import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { filesOf } from '../src/lib/manifest.ts';
import { pagePaths } from './paths.ts';
import { manifestsOf } from './web.ts';

/** What browsers load at once, in kB (1,000 bytes) of gzip at its best; fonts are compressed already. */
export interface Sizes {
  /** Script of each page, by its name. */
  scripts: Record<string, number>;
  /** Style of the page that has most. */
  css: number;
  /** All fonts. */
  font: number;
  /** Script of a framed page, and the script by which it comes there. */
  embed: number;
  include: number;
}

/** The limits: of the home page, of any page, and the rest. kB. */
export const sizeLimits = { home: 80, page: 120, css: 12, font: 24, embed: 30, include: 1 } as const;

/** @param folder - Of a build. */
export const sizesOf = (folder: string): Sizes => {
  const { app, embed } = manifestsOf(folder);
  const bytes = (name: string): Buffer => readFileSync(`${folder}/client/${name}`);
  const packed = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + gzipSync(bytes(name), { level: 9 }).length, 0) / 1_000;
  const pages = Object.keys(pagePaths).map((name) => {
    const { scripts, styles, fonts } = filesOf(app, ['src/client.tsx', `src/routes/${name}.tsx`]);
    // The theme's is the very first.
    const first = app['src/theme.ts']?.file ?? '';
    return { name, script: packed([first, ...scripts]), css: packed(styles), fonts };
  });
  const fonts = new Set(pages.flatMap((page) => page.fonts));
  return {
    scripts: Object.fromEntries(pages.map(({ name, script }) => [name, script])),
    css: Math.max(...pages.map(({ css }) => css)),
    font: [...fonts].reduce((sum, name) => sum + bytes(name).length, 0) / 1_000,
    embed: packed(filesOf(embed, ['src/embed.tsx']).scripts),
    include: packed(['embed.js']),
  };
};

export interface Held {
  what: string;
  size: number;
  limit: number;
}

/** Each size beside its limit. */
export const heldSizes = ({ scripts, css, font, embed, include }: Sizes): Held[] => [
  ...Object.entries(scripts).map(([name, size]) => ({
    what: `script of the page ${name}`,
    size,
    limit: name === 'home' ? sizeLimits.home : sizeLimits.page,
  })),
  { what: 'style', size: css, limit: sizeLimits.css },
  { what: 'font', size: font, limit: sizeLimits.font },
  { what: 'script of a framed page', size: embed, limit: sizeLimits.embed },
  { what: 'embed.js', size: include, limit: sizeLimits.include },
];
