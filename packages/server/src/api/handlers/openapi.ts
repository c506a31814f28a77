import { definitions } from '@mintage/protocol/operations';
import type { Config } from '../../config.ts';
import { openApiDocument } from '../surfaces/openapi/openApiDocument.ts';
import { handler } from './handler.ts';

/** Written once per deployment: it depends on nothing else. */
const documents = new WeakMap<Config, ReturnType<typeof openApiDocument>>();

export const openapi = handler(definitions.openapi, async ({ config }) => {
  const known = documents.get(config);
  if (known) return known;
  const document = openApiDocument(config);
  documents.set(config, document);
  return document;
});
