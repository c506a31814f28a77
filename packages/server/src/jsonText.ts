import { z } from 'zod';

/** What a JSON text says. */
export const jsonText = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.issues.push({ code: 'custom', message: 'is not JSON', input: text });
    return z.NEVER;
  }
});
