import { type AnswerOf, definitions, infoTypes } from '@mintage/protocol/operations';
import { handler } from './handler.ts';

export const info = handler(definitions.info, async ({ perform }, { type, ...input }, call) => {
  return { type, ...(await perform(infoTypes[type], input, call)) } as AnswerOf<'info'>;
});
