import { z } from 'zod';
import { ActivityRecord, activitySubtypes, activityTypes } from '../schemas/activityRecord.ts';
import { optional } from '../schemas/scalars.ts';
import { historyDescription, tokenPage } from '../schemas/tokenHistory.ts';
import { operation } from './operation.ts';

const types = optional(z.array(z.enum(activityTypes, { error: `must be one of ${activityTypes.join(', ')}` })).max(16));
const subtypes = optional(
  z.array(z.enum(activitySubtypes, { error: `must be one of ${activitySubtypes.join(', ')}` })).max(16),
);

export const getTokenActivity = operation({
  name: 'getTokenActivity',
  summary:
    'Lists trades, transfers between wallets, the deposit into the pool and the graduation of a token, in one list.',
  description: `${historyDescription} An absent or empty \`include\` list includes everything; \`ignore\` wins over \`include\`.`,
  method: 'POST',
  path: '/get-token-activity',
  tag: 'Tokens',
  input: z.object({
    ...tokenPage,
    include_activity_types: types.meta({ description: 'Only these types.' }),
    ignore_activity_types: types.meta({ description: 'None of these types.' }),
    include_activity_subtypes: subtypes.meta({ description: 'Only these subtypes.' }),
    ignore_activity_subtypes: subtypes.meta({ description: 'None of these subtypes.' }),
  }),
  output: z.object({ success: z.literal(true), activities: z.array(ActivityRecord) }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { token_id: 'my-token', ignore_activity_types: ['transfer'] },
});
