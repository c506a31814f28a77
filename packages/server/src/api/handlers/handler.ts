import type { FactsOf, Operation } from '@mintage/protocol';
import type { Definitions, OperationName } from '@mintage/protocol/operations';
import type { z } from 'zod';
import type { CallOf, Context } from './context.ts';

/** An operation with what answers it. */
export interface Handler<Op extends Operation = Operation> {
  operation: Op;
  /** @param input - As the operation's schema gives it. */
  handle(context: Context, input: z.output<Op['input']>, call: CallOf<Op>): Promise<FactsOf<Op>>;
}

export type HandlerOf<Name extends OperationName> = Handler<Definitions[Name]>;

/** Binds an operation to what answers it: input, call and answer have the types of the definition. */
export const handler = <Op extends Definitions[OperationName]>(
  operation: Op,
  handle: (context: Context, input: z.output<Op['input']>, call: CallOf<Op>) => Promise<FactsOf<Op>>,
): Handler<Op> => ({ operation, handle });
