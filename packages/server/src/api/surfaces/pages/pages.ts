import { readFile } from 'node:fs/promises';
import { brandStyle, icon } from '@mintage/brand';
import type { Deployment, WebApp } from '@mintage/web';
import type { JwtIssuer } from '../../../config.ts';
import type { Calling } from '../../call.ts';
import type { ServedFile } from '../../handlers/context.ts';
import type { Reading } from '../../tokens/reading.ts';
import { servedFile } from '../files/servedFile.ts';
import { anybodysCalls } from './anybodysCalls.ts';
import { pagePolicy } from './pagePolicy.ts';

/** The web app as this deployment serves it. */
export interface Pages {
  /** A page. @param url - Path below the root of the pages, with its query. */
  page(url: string): Promise<ServedPage>;
  /** What pages load, by name; undefined: there is no such file. */
  file(name: string): Promise<ServedFile | undefined>;
  /** The script by which other people's pages frame ours. */
  include(): Promise<ServedFile>;
  /** The worker by which browsers are told of notifications. */
  push(): Promise<ServedFile>;
  /** The deployment's icon. */
  icon(): Promise<ServedFile>;
  /** Builds the app where it is not built yet. */
  open(): Promise<void>;
}

export interface ServedPage {
  status: number;
  file: ServedFile;
}

/** Pages are nobody's in particular, so each is made once a second however many ask, milliseconds. */
const keptMs = 1_000;
const mostKept = 500;

/** Names of files have a hash of their content. */
const forGood = 'public, max-age=31536000, immutable';
/** Of files whose address stays while they change. */
const forMinutes = 'public, max-age=300';

export const createPages = (
  deployment: Pick<Reading, 'config' | 'chains'>,
  call: Calling,
  now: () => number,
): Pages => {
  const { config } = deployment;
  const base = new URL(config.appUrl).pathname.replace(/\/$/, '');
  const api = anybodysCalls(call);
  let opening: Promise<WebApp> | undefined;
  const open = (): Promise<WebApp> => {
    // The library that builds is loaded only where pages are asked for.
    opening ??= import('@mintage/web')
      .then(({ openWebApp }) => openWebApp(config.devnet ? 'demo' : 'plain'))
      .catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
    return opening;
  };

  const brandCss = brandStyle(config.brandColor);
  const files = new Map<string, ServedFile>();
  const brandFile = servedFile(Buffer.from(brandCss), {
    'content-type': 'text/css; charset=utf-8',
    'cache-control': forGood,
  });
  let includeFile: ServedFile | undefined;
  const logo = once(() => readLogo(config.brandLogo));
  const kept = new Map<string, { untilMs: number; page: Promise<ServedPage> }>();

  const make = async (url: string): Promise<ServedPage> => {
    const [path = '/', search] = url.split(/(?=\?)/s);
    const about: Deployment = {
      name: config.platformName,
      network: config.network,
      appUrl: config.appUrl,
      base,
      logo: config.brandLogo === null ? null : `${base}/icon.svg`,
      isDevnet: config.devnet,
      providers: providersOf(config.jwtIssuers),
      renderedAtMs: now(),
    };
    const { render } = await open();
    const { status, html } = await render({
      path,
      search: search ?? '',
      deployment: about,
      api,
      brandTag: brandFile.tag,
    });
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      ...pagePolicy(deployment, path.startsWith('/embed/')),
    };
    return { status, file: servedFile(Buffer.from(html), headers) };
  };

  return {
    page(url) {
      const known = kept.get(url);
      if (known !== undefined && known.untilMs > now()) return known.page;
      const page = make(url);
      kept.delete(url);
      kept.set(url, { untilMs: now() + keptMs, page });
      // One that could not be made is tried again at once.
      page.catch(() => kept.delete(url));
      if (kept.size > mostKept)
        for (const oldest of [...kept.keys()].slice(0, kept.size - mostKept)) kept.delete(oldest);
      return page;
    },
    async file(name) {
      if (name === 'brand.css') return brandFile;
      const known = files.get(name);
      if (known !== undefined) return known;
      const file = (await open()).files.get(name);
      if (file === undefined) return undefined;
      const served = servedFile(file.body, { 'content-type': file.type, 'cache-control': forGood });
      files.set(name, served);
      return served;
    },
    async include() {
      const { include } = await open();
      includeFile ??= servedFile(include.body, {
        'content-type': include.type,
        'cache-control': forMinutes,
        // Other sites may ask that all they load says so.
        'cross-origin-resource-policy': 'cross-origin',
      });
      return includeFile;
    },
    async push() {
      const { push } = await open();
      return servedFile(push.body, { 'content-type': push.type, 'cache-control': 'no-cache' });
    },
    async icon() {
      const own = await logo();
      return servedFile(own?.body ?? Buffer.from(icon(config.brandColor)), {
        'content-type': own?.type ?? 'image/svg+xml',
        'cache-control': forMinutes,
      });
    },
    async open() {
      await open();
    },
  };
};

const providersOf = (issuers: readonly JwtIssuer[]): Deployment['providers'] =>
  issuers.flatMap(({ login, audience }) =>
    login === undefined ? [] : [{ ...login, token: login.clientId === audience ? 'id_token' : 'access_token' }],
  );

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
};

/** The deployment's own logo; null: ours. */
const readLogo = async (path: string | null): Promise<{ body: Buffer; type: string } | null> => {
  if (path === null) return null;
  return { body: await readFile(path), type: path.endsWith('.svg') ? 'image/svg+xml' : 'image/png' };
};
