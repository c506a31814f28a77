import { z } from 'zod';
import { IsoTime } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const pauseExecution = operation({
  name: 'pauseExecution',
  summary: 'Stops everything that would be signed by your embedded wallet, at once and for every credential.',
  description: [
    'From the answer on nothing new is signed: requests are refused with `EXECUTION_PAUSED`, also those that wait already.',
    'What is signed goes on, because whoever saw it may have it mined anyway. Reading and preparing are not touched.',
    'Pausing twice is once. Only a session of yours resumes: `/execution/resume`.',
  ].join(' '),
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
