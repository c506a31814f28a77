import { MintageError } from '@mintage/protocol';
import type { Config } from '../../config.ts';
import type { Caller } from './caller.ts';

/** Whether a user moderates: `OPERATORS` of every process says so, and nothing in the database. */
export const isOperator = ({ operators }: Pick<Config, 'operators'>, userId: string): boolean => operators.has(userId);

/** @throws MintageError NOT_AN_OPERATOR */
export const requireOperator = (config: Pick<Config, 'operators'>, { userId }: Pick<Caller, 'userId'>): void => {
  if (!isOperator(config, userId))
    throw new MintageError('NOT_AN_OPERATOR', 'Only operators of this service may do this.');
};
