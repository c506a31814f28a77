import { definitions } from '@mintage/protocol/operations';
import { handler } from './handler.ts';

export const llms = handler(definitions.llms, async ({ documents }) => documents.llms());
