import { definitions } from '@mintage/protocol/operations';
import { handler } from './handler.ts';

export const docs = handler(definitions.docs, async ({ documents }) => documents.docs());
