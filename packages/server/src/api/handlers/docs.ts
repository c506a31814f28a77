import { definitions } from '@mintage/protocol/operations';
import { docsPage } from '../surfaces/openapi/docsPage.ts';
import { handler } from './handler.ts';

export const docs = handler(definitions.docs, async ({ config }) => docsPage(config));
