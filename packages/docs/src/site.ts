import { brandStyle, icon, tokens } from '@mintage/brand';
import { type Operation } from '@mintage/protocol';
import { type OperationName, operations } from '@mintage/protocol/operations';
import { toolsOn } from '@mintage/protocol/tools';
import { guideOrder, inOrder, operatorOrder, packageOrder } from './contents.ts';
import { type Deployment, siteRoot } from './deployment.ts';
import { firstPage } from './firstPage.ts';
import { handWritten, pathOfFile } from './handWritten.ts';
import { llmsText } from './llms.ts';
import { layout } from './markdown/layout.ts';
import { withMarkdownLinks } from './markdown/links.ts';
import type { Page, Section } from './page.ts';
import { programPage } from './programPage.ts';
import { contractPages } from './reference/contractPages.ts';
import { errorPages } from './reference/errorPages.ts';
import { operationPage } from './reference/operationPage.ts';
import { streamPages } from './reference/streamPages.ts';
import { typesPage } from './reference/typesPage.ts';
import { searchDocuments } from './searchDocuments.ts';
import type { Sources } from './sources.ts';

export interface SiteFile {
  body: string;
  /** Media type. */
  type: string;
}

/** The documentation of a deployment. Files are made when they are asked for, and kept. */
export interface Site {
  /** Of every file, below the site's root; '' is the first page. */
  paths: readonly string[];
  sections: readonly Section[];
  /** Undefined: there is no such file. */
  read(path: string): SiteFile | undefined;
}

const html = 'text/html; charset=utf-8';
const text = 'text/plain; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';
const css = 'text/css; charset=utf-8';
const svg = 'image/svg+xml';
const script = 'text/javascript; charset=utf-8';

export const createSite = (deployment: Deployment, sources: Sources): Site => {
  const sections = sectionsOf(deployment, sources);
  const pages = sections.flatMap((section) => section.pages);
  const root = siteRoot(deployment);
  const asset = (name: string): string => {
    const found = sources.assets.get(name);
    if (found === undefined) throw new Error(`The site has no file ${name}.`);
    return found;
  };
  const makers = new Map<string, () => SiteFile>([
    ...pages.map((page) => [page.path, () => ({ type: html, body: layout(page, sections, deployment) })] as const),
    ...pages.map(
      (page) => [`${page.path || 'index'}.md`, () => ({ type: markdown, body: asText(page, root) })] as const,
    ),
    ...[...sources.pictures].map(([file, body]) => [pathOfFile(file), () => ({ type: svg, body })] as const),
    ['llms.txt', () => ({ type: text, body: llmsText(sections, deployment) })],
    [
      'search.json',
      () => ({
        type: 'application/json; charset=utf-8',
        body: JSON.stringify(searchDocuments(sections, deployment)),
      }),
    ],
    ['docs.css', () => ({ type: css, body: `${asset('docs.css')}${tokens()}${brandStyle(deployment.color)}` })],
    ['icon.svg', () => ({ type: svg, body: icon(deployment.color) })],
    ['docs.js', () => ({ type: script, body: asset('docs.js') })],
    ['search.js', () => ({ type: script, body: asset('search.js') })],
  ]);
  const made = new Map<string, SiteFile>();
  return {
    paths: [...makers.keys()],
    sections,
    read(path) {
      const file = made.get(path) ?? makers.get(path)?.();
      if (file !== undefined) made.set(path, file);
      return file;
    },
  };
};

const asText = ({ title, markdown: write }: Page, root: string): string =>
  `# ${title}\n\n${withMarkdownLinks(write(), root)}\n`;

const isGuide = (file: string): boolean => file.startsWith('docs/guides/');
const isPackage = (file: string): boolean => file.startsWith('packages/');

const sectionsOf = (deployment: Deployment, sources: Sources): Section[] => {
  const files = new Set(sources.texts.keys());
  const linked = new Set([...files, ...sources.pictures.keys(), ...sources.programs.keys()]);
  const written = (listed: readonly string[], order: readonly string[]): Page[] =>
    inOrder(listed, order).map((file) => handWritten(file, sources.texts.get(file) ?? '', linked));
  const guides = written([...files].filter(isGuide), guideOrder);
  const packages = written([...files].filter(isPackage), packageOrder);
  const programs = [...sources.programs].map(([file, text]) => programPage(file, text));
  const rest = [
    { group: 'Using it', title: 'Packages', pages: packages },
    { group: 'Using it', title: 'Programs', pages: programs },
    ...referenceSections(deployment, sources),
    { group: 'Reference', title: 'Types', pages: [typesPage(deployment)] },
    { group: 'Reference', title: 'Events', pages: streamPages(deployment) },
    { group: 'Reference', title: 'Errors', pages: errorPages(operations) },
    { group: 'Reference', title: 'Contracts', pages: contractPages(sources.contracts) },
    {
      group: 'Running it',
      title: 'For operators',
      pages: written(
        [...files].filter((file) => !isGuide(file) && !isPackage(file)),
        operatorOrder,
      ),
    },
  ];
  return [{ group: 'Using it', title: 'Start', pages: [firstPage(deployment, guides, rest), ...guides] }, ...rest];
};

const tagTitles: Readonly<Record<Operation['tag'], string>> = {
  Auth: 'Sign-in and keys',
  Tokens: 'Tokens',
  Trading: 'Trading',
  Rewards: 'Rewards',
  Account: 'Account',
  People: 'People',
  Moderation: 'Moderation',
  Streams: 'Streams and webhooks',
  Service: 'Service',
};

/** The operations under their headings, in the order of the list. */
const referenceSections = (deployment: Deployment, { examples }: Sources): Section[] => {
  const tools = toolsOn(deployment.toolChains);
  const list: readonly Operation[] = operations;
  return [...new Set(list.map(({ tag }) => tag))].map((tag) => ({
    group: 'Calls',
    title: tagTitles[tag],
    pages: list
      .filter((operation) => operation.tag === tag)
      .map((operation) => {
        const tool = tools.find((one) => one.operation === operation);
        return operationPage({
          operation,
          deployment,
          tool,
          example: examples.operations[operation.name as OperationName],
          toolExample: tool && examples.tools[tool.name],
        });
      }),
  }));
};
