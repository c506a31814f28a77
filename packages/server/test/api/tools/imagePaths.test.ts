import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onePixel } from '../trade/tradeWorld.ts';
import { startToolWorld, type ToolClient, type ToolWorld, toolSlug } from './toolWorld.ts';

const cases = Number(process.env.CASES ?? 100);

/** A true picture lies in a file of the server: whoever opened it would make a token of it. */
describe('an image by its path on the server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintage-canary-'));
  const canary = join(folder, 'canary.png');
  let world: ToolWorld;
  let client: ToolClient;
  beforeAll(async () => {
    writeFileSync(canary, Buffer.from(onePixel.split(',')[1] as string, 'base64'));
    world = await startToolWorld();
    client = await world.connect(await world.apiKey(await world.newUser(), { scopes: ['read', 'prepare'] }));
  });
  afterAll(async () => {
    await client?.close();
    await world?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const create = (image: string) =>
    client.call('create_token', { name: 'Canary', symbol: 'CAN', description: 'x', image, chainSlug: toolSlug });

  it('T7 opens no file, however its path is spelled', async () => {
    expect((await create(onePixel)).isError).toBe(false);
    const all = spellings(canary);
    const step = Math.max(1, Math.floor(all.length / cases));
    const tried = all.filter((_, at) => at % step === 0).slice(0, cases);
    for (const image of tried) {
      // What is no text at all is refused before it is a call.
      const refusedWhole = (error: Error) => ({
        isError: true,
        body: { code: /"code":"(\w+)"/.exec(error.message)?.[1] },
      });
      const { isError, body } = await create(image).catch(refusedWhole);
      expect([image, isError, body.code]).toEqual([image, true, 'INVALID_PARAMETERS']);
    }
    console.log(`${tried.length} of ${all.length} spellings refused`);
  });
});

/** Ways to write the path of a file: more than a thousand. */
const spellings = (file: string): string[] => {
  const fronts = [
    '',
    'file://',
    'file:',
    'FILE:///',
    'file://localhost',
    'file://127.0.0.1',
    'file:////',
    '\\\\?\\',
    '//?/',
  ];
  const more = [
    './',
    '../../../../../..',
    '~',
    'jar:file:',
    'image:',
    'unix:',
    'local://',
    'vfs://',
    'data:',
    'http:',
    'http://',
  ];
  const way: ((path: string) => string)[] = [
    (path) => path,
    (path) => encodeURIComponent(path),
    (path) => encodeURI(path),
    (path) => path.replaceAll('/', '//'),
    (path) => path.replaceAll('/', '\\'),
    (path) => path.replaceAll('/', '%2f'),
    (path) => path.replaceAll('/', '%252f'),
    (path) => path.replaceAll('/', '/./'),
    (path) => path.replace('/', '/proc/self/root/'),
    (path) => path.replace(/([^/]+)$/, 'x/../$1'),
    (path) => path.replace('.png', '.PNG'),
    (path) => `${path}\u0000`,
    (path) => `${path}\u0000.png`,
    (path) => `${path}?x=.png`,
    (path) => `${path}#.png`,
    (path) => `${path}/.`,
    (path) => `${path} `,
    (path) => ` ${path}`,
    (path) => `\t${path}`,
    (path) => `\n${path}`,
    (path) => `\ufeff${path}`,
    (path) => path.replaceAll('/', '\u2215'),
    (path) => path.replaceAll('.', '\u2024'),
    (path) => `"${path}"`,
    (path) => `'${path}'`,
    (path) => `<${path}>`,
    (path) => `@${path}`,
    (path) => `|cat ${path}`,
    (path) => `$(cat ${path})`,
    (path) => `data:image/png,${path}`,
    (path) => `data:image/png;base64,${path}`,
    (path) => `data:text/plain;base64,${Buffer.from(path).toString('base64')}`,
    (path) => `data:text/uri-list;base64,${Buffer.from(`file://${path}`).toString('base64')}`,
    (path) => `data:image/svg+xml;base64,${Buffer.from(`<svg><image href="file://${path}"`).toString('base64')}`,
    (path) => `https://127.0.0.1${path}`,
    (path) => `https://localhost${path}`,
    (path) => `https://[::1]${path}`,
    (path) => `ftp://localhost${path}`,
    (path) => `blob:${path}`,
    (path) => `about:${path}`,
    (path) => `javascript:${path}`,
    (path) => `gopher://localhost${path}`,
    (path) => `php://filter/resource=${path}`,
    (path) => `netdoc:${path}`,
    (path) => `ipfs://${path}`,
    (path) => `smb://localhost${path}`,
    (path) => `${path}:$DATA`,
    (path) => `[${path}]`,
    (path) => `\\\\localhost${path.replaceAll('/', '\\')}`,
    (path) => `C:${path.replaceAll('/', '\\')}`,
    (path) => [...path].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
  ];
  return [...fronts, ...more].flatMap((front) => way.map((spell) => front + spell(file)));
};
