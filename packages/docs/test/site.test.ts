import { brotliCompressSync, constants } from 'node:zlib';
import {
  type ErrorCode,
  errorCatalogue,
  launchpadAbi,
  lensAbi,
  type Operation,
  tokenBridgeAbi,
} from '@mintage/protocol';
import { operations, StreamTopic } from '@mintage/protocol/operations';
import { reasonToExclude } from '@mintage/protocol/tools';
import { describe, expect, it } from 'vitest';
import { createSite, type Deployment, readSources } from '../src/docs.ts';
import { contractWords, memberWords } from '../src/reference/contractWords.ts';
import { errorWords } from '../src/reference/errorWords.ts';
import { fieldsOf } from '../src/reference/fields.ts';

const deployment: Deployment = {
  name: 'Acme Pad',
  publicUrl: 'https://api.example/acme',
  network: 'Testnet',
  apiPath: '/functions/v1',
  toolsPath: '/functions/v1/mcp',
  color: '#3355ff',
  chainTypes: ['evm'],
  toolChains: ['base', 'base-sepolia'],
};
const root = '/acme/docs';
const sources = readSources();
const site = createSite(deployment, sources);
const list: readonly Operation[] = operations;
const read = (path: string): string => site.read(path)?.body ?? expect.fail(`There is no file ${path}.`);
/** Bytes on the wire, as the server compresses. */
const compressed = (text: string): number =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }).length;
const pages = site.sections.flatMap((section) => section.pages);

describe('createSite', () => {
  it('behavior: every operation, error, topic, contract function and event, and every text and program has its page, and no other', () => {
    const under = (folder: string) =>
      pages.filter(({ path }) => path.startsWith(`${folder}/`)).map(({ path }) => path.slice(folder.length + 1));
    expect(under('reference').toSorted()).toEqual(list.map(({ name }) => name).toSorted());
    expect(under('errors').toSorted()).toEqual(Object.keys(errorCatalogue).toSorted());
    expect(under('events')).toEqual([...StreamTopic.options, 'messages']);
    const texts = [
      ...under('operate').map((name) => `docs/${name}.md`),
      ...under('guides').map((name) => `docs/guides/${name}.md`),
      ...under('packages').map((name) => `packages/${name}/README.md`),
    ];
    expect(texts.toSorted()).toEqual([...sources.texts.keys()].toSorted());
    expect(under('examples').map((name) => `examples/${name}.ts`)).toEqual([...sources.programs.keys()]);
    const callable = [...launchpadAbi, ...lensAbi, ...tokenBridgeAbi].filter(({ type }) => type !== 'error');
    const described = sources.contracts.flatMap(({ name }) => read(`contracts/${name}.md`)).join('\n');
    for (const item of callable) expect(described).toContain(`### ${'name' in item ? item.name : ''}\n`);
  });

  it('behavior: a page of an operation says its route, fields, errors and call in every form', () => {
    for (const operation of list) {
      const { name, method, path, summary, input, output, errors, produces } = operation;
      const text = read(`reference/${name}.md`);
      expect(text).toContain(summary);
      expect(text).toContain(`${method} /functions/v1${path}\n`);
      for (const field of fieldsOf(input, 'input', ['evm'])) expect(text).toContain(`| \`${field.name}\` |`);
      if (produces === undefined) {
        for (const field of fieldsOf(output, 'output', ['evm'])) expect(text).toContain(`| \`${field.name}\` |`);
      }
      for (const code of errors) expect(text).toContain(`[${code}](${root}/errors/${code}.md)`);
      expect(text, name).toContain('### TypeScript');
      if (name === 'ws') continue;
      expect(text, name).toContain('### curl');
      expect(text, name).toContain('### Command line\n\n```bash\nmintage ');
      expect(text.includes('### Tool call'), name).toBe(reasonToExclude(operation) === null);
    }
  });

  it('behavior: every field says what it is, in words or by its unit; in an answer, what only holds others need not', () => {
    const holds = /object|^list of|^true$/;
    const silent = list.flatMap(({ name, input, output, produces }) =>
      [
        fieldsOf(input, 'input', ['evm']),
        produces === undefined ? fieldsOf(output, 'output', ['evm']).filter(({ type }) => !holds.test(type)) : [],
      ]
        .flat()
        .filter(({ unit, description }) => unit + description === '')
        .map((field) => `${name} ${field.name}`),
    );
    expect(silent).toEqual([]);
  });

  it('behavior: a contract’s functions, events and errors all say what they do, and words are kept for nothing else', () => {
    const all = sources.contracts.flatMap(({ functions, events, errors }) => [...functions, ...events, ...errors]);
    const silent = new Set(all.filter(({ notice }) => notice === '').map(({ name }) => name));
    expect(Object.keys(contractWords).toSorted()).toEqual([...silent].toSorted());
    const unsaid = all.flatMap(({ inputs }) => inputs.filter(({ description }) => description === ''));
    const parameters = new Set(unsaid.map(({ name }) => name));
    expect(Object.keys(memberWords).filter((name) => !parameters.has(name))).toEqual([]);
  });

  it('behavior: a page of an error says what it means, its status, its next step, and who answers it', () => {
    for (const code of Object.keys(errorCatalogue) as ErrorCode[]) {
      const text = read(`errors/${code}.md`);
      expect(text).toContain(errorWords[code]);
      expect(text).toContain(errorCatalogue[code].next);
      const naming = list.filter(({ errors }) => errors.includes(code));
      if (text.includes('Every call can.')) continue;
      for (const { name } of naming) expect(text).toContain(`[${name}](${root}/reference/${name}.md)`);
    }
  });

  it('behavior: every page reads without a script, has one first heading, and is at most 150 kB compressed', () => {
    for (const { path, title } of pages) {
      const html = read(path);
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size, path).toBe(ids.length);
      expect(html.match(/<h1/g), path).toHaveLength(1);
      expect(html).toContain(`<h1>${title.replaceAll('&', '&amp;')}</h1>`);
      expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
      expect(compressed(html), path).toBeLessThan(150_000);
    }
    const first = ['docs.css', 'docs.js'].map((path) => compressed(read(path)));
    expect(first.reduce((sum, length) => sum + length, 0)).toBeLessThan(8_000);
  });

  it('behavior: every link of a page and of a text leads to a file of the site and a heading on it, or away', () => {
    const ids = new Map(
      pages.map(({ path }) => [path, new Set([...read(path).matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))]),
    );
    const files = new Set(site.paths);
    const lost: string[] = [];
    for (const { path } of pages) {
      for (const [, target = ''] of read(path).matchAll(/(?:href|src)="([^"]+)"/g)) {
        if (/^https?:/.test(target)) continue;
        const [address = '', fragment] = target.split('#');
        const named = address === '' ? path : address.slice(root.length).replace(/^\//, '');
        const isOwn = address === '' || address === root || address.startsWith(`${root}/`);
        const isThere =
          files.has(named) && (fragment === undefined || named === 'llms.txt' || ids.get(named)?.has(fragment));
        if (!isOwn || !isThere) lost.push(`${path}: ${target}`);
      }
      const outsideFences = read(`${path || 'index'}.md`).replaceAll(/^```[\s\S]*?^```/gm, '');
      for (const [, target = ''] of outsideFences.matchAll(/\]\(([^)#\s]+)/g)) {
        if (/^https?:/.test(target)) continue;
        if (!files.has(target.slice(root.length + 1))) lost.push(`${path}.md: ${target}`);
      }
    }
    expect(lost).toEqual([]);
  });

  it('behavior: llms.txt and the search name every page', () => {
    const llms = read('llms.txt');
    const found = JSON.parse(read('search.json')) as { address: string }[];
    const addresses = new Set(found.map(({ address }) => address));
    for (const { path } of pages) {
      expect(llms).toContain(`(https://api.example${root}/${path || 'index'}.md)`);
      expect(addresses).toContain(path === '' ? root : `${root}/${path}`);
    }
  });

  it('behavior: name and colour are the deployment’s', () => {
    expect(read('')).toContain('<title>Acme Pad documentation</title>');
    expect(read('docs.css')).toContain('oklch(from #3355ff 0.5 min(c, 0.16) h)');
    expect(createSite({ ...deployment, color: null }, sources).read('docs.css')?.body).not.toContain('@layer brand {');
  });
});
