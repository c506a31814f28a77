import { z } from 'zod';
import { operation } from './operation.ts';

export const resumeExecution = operation({
  name: 'resumeExecution',
  summary: 'Lets the caller’s embedded wallet sign again after a pause.',
  description:
    'Needs a sign-in of the last 5 minutes, so that neither a stolen key nor a stolen session can undo a pause. Requests that were refused ' +
    'meanwhile are not signed later. Without a pause nothing happens.',
  method: 'POST',
  path: '/execution/resume',
  tag: 'Account',
  input: z.strictObject({}),
  output: z.strictObject({ success: z.literal(true) }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING', 'CONFIRMATION_NEEDED', 'ACCESS_TOO_NEW'],
  access: 'session',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
});
