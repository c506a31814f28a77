import type { HandlerOf } from '../context.ts';
import { openApiDocument } from '../openapi/openApiDocument.ts';

export const openapi: HandlerOf<'openapi'> = async ({ config }) => openApiDocument(config);
