import { definitions } from '@mintage/protocol/operations';
import { handler } from './handler.ts';

export const openapi = handler(definitions.openapi, async ({ documents }) => documents.openApi());
