import { chainTypeOf } from '@mintage/protocol';
import type { Documents } from '../../handlers/context.ts';
import type { Reading } from '../../tokens/reading.ts';
import { docsPage } from './docsPage.ts';
import { llmsText } from './llmsText.ts';
import { openApiDocument } from './openApiDocument.ts';

/** They depend on the deployment only; the OpenAPI document is long, so it is kept. */
export const createDocuments = (deployment: Pick<Reading, 'config' | 'chains'>): Documents => {
  const { config, chains } = deployment;
  const types = [...new Set([...chains.values()].map(({ chain }) => chainTypeOf(chain)))];
  let openApi: ReturnType<typeof openApiDocument> | undefined;
  return {
    openApi: () => (openApi ??= openApiDocument(config, types)),
    docs: () => docsPage(config),
    llms: () => llmsText(deployment),
  };
};
