import { z } from 'zod';
import { ReportedPost } from '../schemas/moderation.ts';
import { Cursor, CursorPage, limitUpTo } from '../schemas/paging.ts';
import { operation } from './operation.ts';

export const getReports = operation({
  name: 'getReports',
  summary: 'Lists the posts with reports that no operator has seen to, those that wait longest first.',
  description: 'For operators. Hidden and deleted posts are listed too, until their reports are resolved.',
  method: 'POST',
  path: '/get-reports',
  tag: 'Moderation',
  input: z.strictObject({ limit: limitUpTo(100, 20), cursor: Cursor.optional() }),
  output: z.object({ success: z.literal(true), reported: z.array(ReportedPost), pagination: CursorPage }),
  errors: [],
  access: 'caller',
  scope: 'moderate',
  errorShape: 'A',
});
