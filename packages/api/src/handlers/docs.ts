import type { HandlerOf } from '../context.ts';
import { docsPage } from '../openapi/docsPage.ts';

export const docs: HandlerOf<'docs'> = async ({ config }) => docsPage(config);
