import { z } from 'zod';
import type { Slug } from '../chains/chains.ts';
import type { Operation } from '../operations/operation.ts';
import { operations } from '../operations/operations.ts';
import { create_post } from './create_post.ts';
import { create_token } from './create_token.ts';
import { delete_post } from './delete_post.ts';
import { reasonToExclude } from './excluded.ts';
import { execute_transaction } from './execute_transaction.ts';
import { get_post } from './get_post.ts';
import { get_posts } from './get_posts.ts';
import { get_tokens } from './get_tokens.ts';
import { quote_trade_token } from './quote_trade_token.ts';
import { search_token } from './search_token.ts';
import { AutoExecute, snakeCase, type Tool } from './tool.ts';
import { type ToolChain, toolChain } from './toolChain.ts';
import { trade_token } from './trade_token.ts';
import { withUnsure } from './unsure.ts';
import { vote_post, vote_token } from './vote_token.ts';

export { reasonToExclude } from './excluded.ts';
export { annotationsOf, snakeCase, type Tool } from './tool.ts';
export { specifiedToolChains } from './toolChain.ts';
export { type ToolCode, toolCodeOf, toolCodes } from './toolErrors.ts';
export type { Unsure } from './unsure.ts';

/** The six of the specification, in its order. */
const specified = (chains: ToolChain): Tool[] => [
  create_token(chains),
  get_tokens,
  search_token,
  trade_token(chains),
  quote_trade_token(chains),
  execute_transaction(chains),
];

/** In forms of their own too. Source: social wire contract, section 8. */
const social: readonly Tool[] = [create_post, get_posts, get_post, delete_post, vote_token, vote_post];

/** Parameters that name the chain on which something is to happen. */
const chainParameters = ['chainSlug', 'from_chain_slug', 'to_chain_slug'];

/** An operation as it is: its input as parameters, `execute` called `autoExecute` as in the specification's tools. */
const plainTool = (operation: Operation, chains: ToolChain): Tool => {
  const { execute, ...shape } = (operation.input as z.ZodObject).shape;
  const acting = chainParameters.flatMap((name) => {
    const parameter = shape[name] as z.ZodType | undefined;
    if (parameter === undefined) return [];
    return [[name, parameter.safeParse(undefined).success ? chains.optional() : chains]];
  });
  return {
    name: snakeCase(operation.name),
    description: [operation.summary, operation.description].filter((text) => text !== undefined).join(' '),
    operation,
    // Rules between fields are the operation's, which checks its input itself.
    input: z.object({
      ...shape,
      ...Object.fromEntries(acting),
      ...(execute === undefined ? {} : { autoExecute: AutoExecute }),
    }),
    output: operation.output as z.ZodObject,
    toInput: ({ autoExecute, ...fields }) => ({ ...fields, ...(autoExecute === true ? { execute: true } : {}) }),
    toAnswer: (answer) => answer,
    ...(operation.example === undefined ? {} : { example: operation.example as Record<string, never> }),
  };
};

/**
 * Every tool: those of the specification, those of what people say, then every other operation that can be one (`reasonToExclude`).
 *
 * @param slugs - Chains on which tools act; the specification knows `base` and `base-sepolia`.
 */
export const toolsOn = (slugs: readonly Slug[]): Tool[] => {
  const chains = toolChain(slugs);
  const first = [...specified(chains), ...social];
  const served = new Set(first.map(({ operation }) => operation));
  const others = (operations as readonly Operation[]).filter(
    (operation) => !served.has(operation) && reasonToExclude(operation) === null,
  );
  return [...first, ...others.map((operation) => plainTool(operation, chains))].map(withUnsure);
};
