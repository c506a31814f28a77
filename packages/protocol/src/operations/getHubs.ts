import { z } from 'zod';
import { Hub } from '../schemas/hubs.ts';
import { limitUpTo, offsetUpTo, Page } from '../schemas/paging.ts';
import { readWarnings } from '../schemas/readWarnings.ts';
import { optional } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const hubOrders = ['members', 'posts', 'activity', 'created_at'] as const;

export const getHubs = operation({
  name: 'getHubs',
  summary: 'Lists hubs in the given order.',
  description:
    'A search looks at a bounded number of tokens: all of them where the keyword or a filter is on few, else the first of the order. Where ' +
    'that leaves some out, `warnings` has `SEARCH_LIMITED`. ' +
    'A hub in which nobody has done anything yet is listed by `created_at`, which is when its token was created, and among one’s ' +
    'own. Equal values are ordered by id.',
  method: 'POST',
  path: '/get-hubs',
  tag: 'People',
  input: z.object({
    order_by: z
      .enum(hubOrders, { error: `must be one of ${hubOrders.join(', ')}` })
      .default('activity')
      .meta({ description: 'Highest or newest first; absent means activity, which is the time of the newest post.' }),
    mine: z.boolean().default(false).meta({
      description: 'Only those that the caller joined or owns; takes a credential that may read.',
    }),
    keyword: optional(z.string().trim().max(128)).meta({
      description:
        'Part of the token’s name, symbol or description, or its whole platform id or contract address; case does not matter.',
    }),
    limit: limitUpTo(100, 20),
    offset: offsetUpTo(10_000),
  }),
  output: z.object({ success: z.literal(true), hubs: z.array(Hub), pagination: Page, warnings: readWarnings }),
  errors: ['AUTHENTICATION_FAILED'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { order_by: 'created_at', limit: 10 },
});
