import type { Context, Lane } from '../context.ts';
import type { OpenStep } from './openSteps.ts';

/** The step's nonce was used by bytes that are not in our tables. */
export const takenByOther = async (_context: Context, _lane: Lane, _step: OpenStep): Promise<boolean> => false;
