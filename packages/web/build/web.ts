import { globSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { keptBuild, type Variant } from './kept.ts';
import type { Manifest, Manifests, Render } from './rendering.ts';

export type { Variant } from './kept.ts';
export type { Deployment, Render, Rendered, RenderRequest } from './rendering.ts';

export interface WebFile {
  body: Uint8Array;
  /** Media type. */
  type: string;
}

/** The web app, built. */
export interface WebApp {
  /** A page as HTML; it reads without scripts. */
  render: Render;
  /** What pages load, by name; a name is of one content for good. */
  files: ReadonlyMap<string, WebFile>;
  /** The script that other people's pages load, at an address that never changes. */
  include: WebFile;
  /** The worker of browsers that are told of notifications; its address never changes either. */
  push: WebFile;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Opens the app; the first time it is built, which takes some seconds. */
export const openWebApp = async (variant: Variant): Promise<WebApp> => {
  const folder = await keptBuild(variant);
  const files = new Map<string, WebFile>();
  for (const name of globSync('*', { cwd: `${folder}/client` })) {
    const type = types[extname(name)];
    if (type !== undefined) files.set(name, { body: readFileSync(`${folder}/client/${name}`), type });
  }
  const taken = (name: string): WebFile => {
    const file = files.get(name);
    if (file === undefined) throw new Error(`The build has no ${name}.`);
    files.delete(name);
    return file;
  };
  // Without a hash in their names.
  const [include, push] = [taken('embed.js'), taken('push.js')];
  const server = (await import(pathToFileURL(`${folder}/server/server.js`).href)) as BuiltServer;
  return { files, include, push, render: server.createRender(manifestsOf(folder)) };
};

/** What a build says of its files. */
export const manifestsOf = (folder: string): Manifests => {
  const read = (name: string): Manifest =>
    JSON.parse(readFileSync(`${folder}/client/${name}.json`, 'utf8')) as Manifest;
  return { app: read('manifest'), embed: read('manifest.embed') };
};

interface BuiltServer {
  createRender(manifests: Manifests): Render;
}
