import { z } from 'zod';
import { operation } from './operation.ts';

export const resumeExecution = operation({
  name: 'resumeExecution',
  summary: 'Lets your embedded wallet sign again.',
  description: [
    'No API key does this: what was stolen and stopped must not start itself again.',
    'What was refused meanwhile is not signed later. Not paused: nothing happens.',
  ].join(' '),
  method: 'POST',
  path: '/execution/resume',
  tag: 'Account',
  input: z.strictObject({}),
  output: z.strictObject({ success: z.literal(true) }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'session',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
});
