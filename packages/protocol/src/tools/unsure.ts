import { z } from 'zod';
import type { Tool } from './tool.ts';

const unsure = {
  unsure: z
    .literal(true)
    .optional()
    .meta({
      description:
        'Present when the providers of the chain do not say the same about what was executed: do not send it again, ask ' +
        '`transaction_status`.',
    }),
};
export type Unsure = z.output<z.ZodObject<typeof unsure>>;

/** What a tool answers that may have executed something: also that nobody knows yet what became of it. */
export const withUnsure = (tool: Tool): Tool =>
  'intentId' in tool.output.shape ? { ...tool, output: tool.output.extend(unsure) } : tool;
