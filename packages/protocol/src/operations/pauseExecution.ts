import { z } from 'zod';
import { IsoTime } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const pauseExecution = operation({
  name: 'pauseExecution',
  summary: 'Stops all signing by the caller’s embedded wallet at once, for every credential.',
  description:
    'After the answer nothing new is signed: requests are refused with `EXECUTION_PAUSED`, those that already wait ' +
    'included. Transactions that are already signed go on, because whoever saw one can have it mined anyway. Reading ' +
    'and preparing go on as usual. Pausing again changes nothing. Only a session can resume: `/execution/resume`.',
  method: 'POST',
  path: '/execution/pause',
  tag: 'Account',
  input: z.strictObject({}),
  output: z.strictObject({ success: z.literal(true), pausedAt: IsoTime }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'caller',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
});
