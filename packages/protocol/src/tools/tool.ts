import { z } from 'zod';
import type { Operation } from '../operations/operation.ts';
import { perFamily } from '../schemas/perFamily.ts';

/**
 * An operation in the form that assistants call. It has no logic of its own: its parameters become the input of the
 * operation, whose answer becomes the tool's, both by a pure function.
 */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  /** snake_case. */
  name: string;
  description: string;
  /** Whose handler answers, with its access rule and scope. */
  operation: Operation;
  input: Input;
  output: Output;
  toInput(parameters: z.output<Input>): unknown;
  /** @throws MintageError where the operation has an answer for what is an error here. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the answer is the operation's own output, which a list of tools cannot name
  toAnswer(answer: any, parameters: z.output<Input>): z.input<Output>;
  /** Parameters of a request that a person might make; executed by a test and shown in the docs. */
  example?: z.input<Input>;
}

export const tool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Tool<Input, Output>,
): Tool<Input, Output> => definition;

/** What every tool that can spend has: nothing is sent unless it is true. */
export const AutoExecute = z
  .boolean({ error: 'must be true or false' })
  .default(false)
  .meta({
    description:
      'true: the embedded wallet of the user signs and sends it now, within the scope and budget of the credential. ' +
      'false: nothing is sent; the answer holds the transactions for the user’s own wallet.',
  });

export const TransactionHash = perFamily(z.string().regex(/^(0x[0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})?$/), {
  evm: { type: 'string', pattern: '^(0x[0-9a-f]{64})?$' },
  solana: { type: 'string', pattern: '^([1-9A-HJ-NP-Za-km-z]{64,88})?$' },
}).meta({ description: "'' when nothing was sent." });

/** `getUserFees` → `get_user_fees`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What a tool does to the world, for the assistant that decides whether to ask first. */
export const annotationsOf = ({ operation, input }: Pick<Tool, 'operation' | 'input'>) => {
  const executes = 'autoExecute' in input.shape || operation.scope === 'execute';
  const reads = operation.scope === 'read' && operation.limit !== 'write';
  return {
    readOnlyHint: reads,
    destructiveHint: executes,
    idempotentHint: reads,
    openWorldHint: true,
  };
};
