import { docsPage } from '../surfaces/openapi/docsPage.ts';
import type { HandlerOf } from './context.ts';

export const docs: HandlerOf<'docs'> = async ({ config }) => docsPage(config);
