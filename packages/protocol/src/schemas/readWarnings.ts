import { z } from 'zod';
import { Warning } from './quoteParts.ts';
import { optional } from './scalars.ts';

/** Of a read that may have to leave something out. */
export const readWarnings = optional(z.array(Warning)).meta({
  description: 'What the answer leaves out, and why; absent: nothing.',
});
