import { definitions } from '@mintage/protocol/operations';
import { listUsers } from '../people/listed.ts';
import { handler } from './handler.ts';

export const getBlocked = handler(definitions.getBlocked, ({ db }, page, { caller }) =>
  listUsers(db, 'blocked', caller.userId, page),
);
