import type { Manifest } from '../../build/rendering.ts';

export interface PageFiles {
  /** The entry first. */
  scripts: string[];
  styles: string[];
  fonts: string[];
}

/** What a page loads at once: these chunks and all that they import. */
export const filesOf = (manifest: Manifest, chunks: readonly string[]): PageFiles => {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const next of manifest[name]?.imports ?? []) visit(next);
  };
  for (const chunk of chunks) visit(chunk);
  const all = [...seen].flatMap((name) => manifest[name] ?? []);
  const styles = [...new Set(all.flatMap(({ css = [] }) => css))];
  const assets = all.flatMap(({ assets: own = [] }) => own);
  return {
    scripts: [...new Set(all.map(({ file }) => file))],
    styles,
    fonts: [...new Set(assets.filter((file) => file.endsWith('.woff2')))],
  };
};
