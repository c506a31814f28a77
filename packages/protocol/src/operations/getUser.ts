import { z } from 'zod';
import { UserProfile } from '../schemas/people.ts';
import { AddressText, optional, Uuid } from '../schemas/scalars.ts';
import { personName } from '../schemas/writtenText.ts';
import { operation } from './operation.ts';

export const getUser = operation({
  name: 'getUser',
  summary: 'Returns the profile of a user, or of the caller.',
  description:
    'Name at most one of `user_id`, `username` and `address`, which is any wallet of the user. None: the caller.',
  method: 'POST',
  path: '/get-user',
  tag: 'People',
  input: z.object({
    user_id: optional(Uuid).meta({ description: 'Id of the user.' }),
    username: optional(personName('name', 64)).meta({
      description: 'With or without `@`; case does not matter.',
    }),
    address: optional(AddressText).meta({ description: 'A wallet of the user, who does not hide it.' }),
  }),
  output: z.object({ success: z.literal(true), user: UserProfile }),
  errors: ['USER_NOT_FOUND', 'AUTHENTICATION_FAILED'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { username: 'alice' },
});
