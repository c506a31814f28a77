import { chainTypeOf } from '@mintage/protocol';
import type { DocsSite, Documents } from '../../handlers/context.ts';
import type { Reading } from '../../tokens/reading.ts';
import { openSite } from '../docs/docsSite.ts';
import { openApiDocument } from './openApiDocument.ts';

/** They depend on the deployment only. Each is long, so it is made when it is first asked for, and kept. */
export const createDocuments = (deployment: Pick<Reading, 'config' | 'chains'>): Documents => {
  const { config, chains } = deployment;
  const types = [...new Set([...chains.values()].map(({ chain }) => chainTypeOf(chain)))];
  let openApi: ReturnType<typeof openApiDocument> | undefined;
  let opened: Promise<DocsSite> | undefined;
  const site = (): Promise<DocsSite> => (opened ??= openSite(deployment, types));
  return {
    openApi: () => (openApi ??= openApiDocument(config, types)),
    site,
    docs: async () => (await site()).content(''),
    llms: async () => (await site()).content('llms.txt'),
  };
};
