import { z } from 'zod';
import { optional } from './scalars.ts';
import { hasUnseen, isSeen } from './visibleText.ts';

/** What people write: text, lines, links. Lengths are counted in characters. */

interface TextOptions {
  /** Absent: it may not. */
  mayBeEmpty?: boolean;
}

/** Visible text without control characters or direction overrides; line breaks stay. */
export const writtenText = (what: string, longest: number, options?: TextOptions) =>
  visible(textOf(what), longest, options);

const textOf = (what: string) => z.string({ error: `must be text: the ${what}` });

const visible = (text: z.ZodString, longest: number, { mayBeEmpty = false }: TextOptions = {}) =>
  text
    .trim()
    .refine((value) => mayBeEmpty || value.length > 0, 'must not be empty')
    .refine((value) => value === '' || isSeen(value), nothingSeen)
    // A character is at most two code units. A text with more of them ends the checks: others look at every character.
    .refine((value) => value.length <= 2 * longest, { error: tooLong(longest), abort: true })
    .refine((value) => [...value].length <= longest, tooLong(longest))
    .refine((value) => !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(value.replace(/[\n\r\t]/g, '')), controls);

const tooLong = (longest: number) => `must be at most ${longest} characters`;
const controls = 'must not hold control characters';
const nothingSeen = 'must have something that is seen';

/**
 * What something is called by, on one line: composed (NFC), with plain spaces, and without a character that shows
 * nothing, so that two names that look alike are alike in what they hold.
 */
const nameOf = (what: string, longest: number, options?: TextOptions) => {
  const composed = textOf(what)
    // Three code units and more may become one.
    .refine((value) => value.length <= 8 * longest, { error: tooLong(longest), abort: true })
    .overwrite((value) => value.normalize('NFC').replaceAll(/\p{Zs}/gu, ' '));
  return visible(composed, longest, options)
    .refine((value) => !/[\n\r\t\u2028\u2029]/.test(value), 'must be one line')
    .refine((value) => !hasUnseen(value), 'must not hold characters that show nothing');
};

/** Name, ticker or tag of a token. */
export const tokenWord = (what: string, longest: number) => nameOf(what, longest);

/** What people say of themselves and to each other: composed (NFC), and of control characters with line feeds alone. */
export const saidText = (what: string, longest: number, options?: TextOptions) => {
  const composed = textOf(what)
    // Three code units and more may become one.
    .refine((value) => value.length <= 8 * longest, { error: tooLong(longest), abort: true })
    .overwrite((value) => value.normalize('NFC').replaceAll('\r\n', '\n'))
    .refine((value) => !/[\r\t]/.test(value.trim()), controls);
  return visible(composed, longest, options);
};

/** What a person is called by. */
export const personName = (what: string, longest: number, options?: TextOptions) => nameOf(what, longest, options);

/**
 * What people post, in the form in which it is kept: NFC, lines ended by LF, without other control characters, trimmed. Characters
 * that hide or look like others stay beside what is seen; pages and tools show them.
 */
export const postedText = (longest: number) =>
  z
    .string({ error: 'must be text' })
    // In NFC a character has at most four code units of what it came as. A longer text is not looked at any further.
    .refine((value) => value.length <= 4 * longest, { error: `must be at most ${longest} characters`, abort: true })
    .overwrite((value) => value.replaceAll('\r\n', '\n').normalize('NFC').trim())
    .refine((value) => [...value].length <= longest, `must be at most ${longest} characters`)
    .refine((value) => !/\p{Cc}/u.test(value.replaceAll('\n', '')), 'must not hold control characters')
    .refine((value) => value === '' || isSeen(value), nothingSeen);

/** A missing scheme becomes https. What has none and no dot is a name, not an address. */
const addressOf = (value: string): URL | null => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(value)) return URL.parse(value);
  return /^[^/?#@]+\./.test(value) ? URL.parse(`https://${value}`) : null;
};

/** Where an account named `@name` is found, by the kind of link. */
const accounts = {
  twitter: 'https://x.com/',
  youtube: 'https://www.youtube.com/@',
  telegram: 'https://t.me/',
} as const;
const accountName = /^@(\w[\w.-]{0,63})$/;

const linkThat = (isTaken: (address: URL) => boolean, refusal: string, accountsAt?: string) =>
  z
    .string()
    .trim()
    .max(256, 'must be at most 256 characters')
    .transform((value, context) => {
      if (value === '') return undefined;
      const [, name] = accountsAt === undefined ? [] : (accountName.exec(value) ?? []);
      const address = name === undefined ? addressOf(value) : URL.parse(`${accountsAt}${name}`);
      if (address !== null && isTaken(address)) return address.href;
      context.addIssue({ code: 'custom', message: refusal });
      return z.NEVER;
    });

/** @param accountsAt - Where accounts of the place are found by their names; null: there only addresses are taken. */
const linksBy = (link: (what: string, accountsAt?: string) => ReturnType<typeof tokenLink>) => ({
  website: link('Website'),
  twitter: link('Account on X', accounts.twitter),
  youtube: link('Channel on YouTube', accounts.youtube),
  discord: link('Discord server'),
  telegram: link('Telegram group', accounts.telegram),
});

const orName = (accountsAt: string | undefined): string => (accountsAt === undefined ? '' : ', or a name after @');

const tokenLink = (what: string, accountsAt?: string) => {
  const refusal = `must be a web address, such as https://example.com${orName(accountsAt)}`;
  const link = linkThat(({ protocol }) => protocol === 'https:' || protocol === 'http:', refusal, accountsAt);
  return optional(link.optional()).meta({
    description: `${what}: a web address; without a scheme https${orName(accountsAt)}.`,
  });
};
const isPlainHttps = ({ protocol, username, password }: URL) =>
  protocol === 'https:' && username === '' && password === '';

const personLink = (what: string, accountsAt?: string) => {
  const refusal = `must be an https address, without a name and password in it${orName(accountsAt)}`;
  return optional(linkThat(isPlainHttps, refusal, accountsAt).optional()).meta({
    description: `${what}: an https address; the scheme may be left out${orName(accountsAt)}.`,
  });
};

/** Where else a token is found. */
export const writtenLinks = z.object(linksBy(tokenLink));

/** Where else a person is found. */
export const personLinks = z.strictObject(linksBy(personLink));

export const valuesOf = (links: Readonly<Record<string, string | undefined>> = {}): string[] =>
  Object.values(links).filter((link) => link !== undefined);

/** A web address or a data URI. */
export const mediaSource = (kind: string, { mayBeEmpty = false }: TextOptions = {}) =>
  z
    .string({ error: `must be a web address or a data URI of ${kind}` })
    .min(mayBeEmpty ? 0 : 1, `must be a web address or a data URI of ${kind}`);
