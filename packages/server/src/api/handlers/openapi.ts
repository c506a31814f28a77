import type { Config } from '../../config.ts';
import { openApiDocument } from '../surfaces/openapi/openApiDocument.ts';
import type { HandlerOf } from './context.ts';

/** Written once per deployment: it depends on nothing else. */
const documents = new WeakMap<Config, ReturnType<typeof openApiDocument>>();

export const openapi: HandlerOf<'openapi'> = async ({ config }) => {
  const known = documents.get(config);
  if (known) return known;
  const document = openApiDocument(config);
  documents.set(config, document);
  return document;
};
