import type { Deployment } from './deployment.ts';
import { fence, parts, under } from './markdown/text.ts';
import type { Page, Section } from './page.ts';

const links = (pages: readonly Page[]): string =>
  pages.map(({ path, title, summary }) => `- [${title}](docs:${path}): ${summary}`).join('\n');

/** What there is, and where to begin. */
export const firstPage = (deployment: Deployment, guides: readonly Page[], sections: readonly Section[]): Page => {
  const { name, publicUrl, apiPath, toolsPath } = deployment;
  const summary = 'Create tokens, trade them on many chains, and earn from them.';
  return {
    path: '',
    title: `${name} documentation`,
    summary,
    markdown: () =>
      parts(
        `${summary} Every trade is quoted exactly, prepared with what it will do, and sent by your own wallet, or by an embedded ` +
          'one within a budget.',
        fence('bash', `curl ${publicUrl}${apiPath}/chains`),
        'In requests a JSON number is an amount in whole units and a string is one in base units; `null` counts as absent. ' +
          'Unknown keys are ignored, but not where rights or money are set. Every answer carries `x-request-id`.',
        under('## Guides', links(guides)),
        under(
          '## Ways to call it',
          [
            `- HTTP: \`${publicUrl}${apiPath}\`, described by [openapi.json](${publicUrl}${apiPath}/openapi.json)`,
            '- TypeScript: [`@mintage/sdk`](docs:packages/sdk), and [programs](docs:examples/first-trade) that use it',
            '- Command line: [`mintage`](docs:packages/cli), with `mintage api <operation> field=value …` for every call',
            `- Assistants: Model Context Protocol at \`${publicUrl}${toolsPath}\`, and [llms.txt](${publicUrl}/llms.txt)`,
          ].join('\n'),
        ),
        ...sections.map(({ group, title, pages }) =>
          under(`## ${group === 'Calls' ? `Calls: ${title}` : title}`, links(pages)),
        ),
      ),
  };
};
