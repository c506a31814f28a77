import { z } from 'zod';
import { ModerationEntry } from '../schemas/moderation.ts';
import { Cursor, CursorPage, limitUpTo } from '../schemas/paging.ts';
import { operation } from './operation.ts';

export const getModerationLog = operation({
  name: 'getModerationLog',
  summary: 'Lists what operators and moderators of hubs did, with who, when and why, the newest first.',
  description: 'For operators. Entries are never changed or deleted.',
  method: 'POST',
  path: '/get-moderation-log',
  tag: 'Moderation',
  input: z.strictObject({ limit: limitUpTo(100, 20), cursor: Cursor.optional() }),
  output: z.object({ success: z.literal(true), entries: z.array(ModerationEntry), pagination: CursorPage }),
  errors: [],
  access: 'caller',
  scope: 'moderate',
  errorShape: 'A',
});
