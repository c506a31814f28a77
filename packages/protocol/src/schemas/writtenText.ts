import { z } from 'zod';
import { optional } from './scalars.ts';

/** What people write: text, lines, links. Lengths are counted in characters. */

interface TextOptions {
  /** Absent: it may not. */
  mayBeEmpty?: boolean;
}

/** Visible text without control characters or direction overrides; line breaks stay. */
export const writtenText = (what: string, longest: number, { mayBeEmpty = false }: TextOptions = {}) =>
  z
    .string({ error: `must be text: the ${what}` })
    .trim()
    .refine((value) => mayBeEmpty || value.length > 0, 'must not be empty')
    // A character is at most two code units. A text with more of them ends the checks: others look at every character.
    .refine((value) => value.length <= 2 * longest, { error: `must be at most ${longest} characters`, abort: true })
    .refine((value) => [...value].length <= longest, `must be at most ${longest} characters`)
    .refine((value) => !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(value.replace(/[\n\r\t]/g, '')), {
      error: 'must not hold control characters',
    });

export const writtenLine = (what: string, longest: number, options?: TextOptions) =>
  writtenText(what, longest, options).refine((value) => !/[\n\r\t]/.test(value), 'must be one line');

/** A missing scheme becomes https; anything but http and https is refused. */
const Link = z
  .string()
  .trim()
  .max(256, 'must be at most 256 characters')
  .transform((value, context) => {
    if (value === '') return undefined;
    const address = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(value) ? value : `https://${value}`);
    if (address !== null && (address.protocol === 'https:' || address.protocol === 'http:')) return address.href;
    context.addIssue({ code: 'custom', message: 'must be a web address' });
    return z.NEVER;
  });

const link = (what: string) =>
  optional(Link.optional()).meta({ description: `${what}: a web address; without a scheme https.` });

/** Where else a token or a person is found. */
export const writtenLinks = z.object({
  website: link('Website'),
  twitter: link('Account on X'),
  youtube: link('Channel on YouTube'),
  discord: link('Discord server'),
  telegram: link('Telegram group'),
});

/** A web address or a data URI. */
export const mediaSource = (kind: string, { mayBeEmpty = false }: TextOptions = {}) =>
  z
    .string({ error: `must be a web address or a data URI of ${kind}` })
    .min(mayBeEmpty ? 0 : 1, `must be a web address or a data URI of ${kind}`);
