import { definitions } from '@mintage/protocol/operations';
import { whyNotFree } from '../people/names.ts';
import { handler } from './handler.ts';

export const checkUsername = handler(definitions.checkUsername, async (context, { username }) => {
  const reason = await whyNotFree(context, username);
  return { success: true, available: reason === null, ...(reason !== null && { reason }) };
});
