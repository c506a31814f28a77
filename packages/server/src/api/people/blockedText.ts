import { readFileSync } from 'node:fs';
import { MintageError, type Operation } from '@mintage/protocol';
import type { Config } from '../../config.ts';
import { lettersOf, skeletonOf } from './skeleton.ts';

/** Words and links that people's texts may not hold here. */
export interface BlockedText {
  holds(text: string): boolean;
}

/**
 * Reads the lists once.
 *
 * @throws Error when a file cannot be read, or a line of it stands for nothing.
 */
export const readBlockedText = (config: Pick<Config, 'blockedWordsFile' | 'blockedLinksFile'>): BlockedText =>
  blockedText({
    words: linesOf('BLOCKED_WORDS_FILE', config.blockedWordsFile),
    hosts: linesOf('BLOCKED_LINKS_FILE', config.blockedLinksFile),
  });

/** @throws Error when an entry stands for nothing. */
export const blockedText = ({ words, hosts }: { words: readonly string[]; hosts: readonly string[] }): BlockedText => {
  const phrases = new Set(words.flatMap((entry) => filled(readingsOf(entry), entry).map((said) => said.join(' '))));
  const lengths = new Set([...phrases].map((phrase) => phrase.split(' ').length));
  const blockedHosts = new Set(hosts.flatMap((entry) => filled(hostsIn(entry), entry)));

  const holdsPhrase = (said: readonly string[]): boolean =>
    [...lengths].some((length) => said.some((_, start) => phrases.has(said.slice(start, start + length).join(' '))));
  /** Of the host itself or one below a blocked one. */
  const isBlocked = (host: string): boolean => {
    const labels = host.split('.');
    return labels.some((_, depth) => blockedHosts.has(labels.slice(depth).join('.')));
  };
  return {
    holds: (text) =>
      (phrases.size > 0 && readingsOf(text).some(holdsPhrase)) ||
      (blockedHosts.size > 0 && hostsIn(text).some(isBlocked)),
  };
};

/**
 * Before anything is done with what people would read: every text of every operation goes through here, however it is called.
 *
 * @throws MintageError TEXT_NOT_ALLOWED, which says in which field, and not what: the list is nobody's business.
 */
export const requireAllowedText = (
  context: { blockedText: BlockedText },
  operation: Pick<Operation, 'texts'>,
  input: unknown,
): void => {
  for (const [field, text] of Object.entries(operation.texts?.(input) ?? {}))
    if ([text ?? []].flat().some((one) => context.blockedText.holds(one)))
      throw new MintageError('TEXT_NOT_ALLOWED', `${field}: holds a word or link that is not taken here`, {
        details: [{ path: field, message: 'holds a word or link that is not taken here' }],
      });
};

/**
 * The words of a text in each way in which it can be read: by what its characters look like, or first taken apart where signs stand
 * between letters, which look like letters too (`|` and `l`); and with small letters, which look like others than large ones do. What
 * cannot be seen counts nowhere.
 */
const readingsOf = (text: string): string[][] => {
  const seen = text.normalize('NFKD').replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '');
  return [seen, seen.toLowerCase()].flatMap((cased) => {
    const chunks = cased.split(/[\p{Z}\p{Cc}_]+/u);
    return [chunks, chunks.map(skeletonOf)].map((parts) =>
      parts
        .flatMap((part) => part.split(notInWords))
        .map(lettersOf)
        .filter((word) => word !== ''),
    );
  });
};

const notInWords = /[^\p{L}\p{N}]+/u;

/** Everything in a text that a browser would take for the name of a host, as it would ask for it. */
const hostsIn = (text: string): string[] => {
  const seen = text
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/[。｡]/gu, '.');
  return (seen.match(/[\p{L}\p{N}\p{M}.%-]+/gu) ?? []).flatMap((found) => {
    const name = found.replaceAll(/^[.-]+|[.-]+$/g, '');
    if (!/[.%]/.test(name)) return [];
    return URL.parse(`https://${name}`)?.hostname.replace(/\.$/, '') ?? [];
  });
};

/** One entry a line; empty lines and those that begin with `#` say nothing. */
const linesOf = (variable: string, path: string | null): string[] => {
  if (path === null) return [];
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'));
  } catch (cause) {
    throw new Error(`The file of ${variable} cannot be read: ${(cause as Error).message}`, { cause });
  }
};

const filled = <Reading extends string | readonly string[]>(readings: Reading[], entry: string): Reading[] => {
  const found = readings.filter((reading) => reading.length > 0);
  if (found.length === 0)
    throw new Error(`"${entry}" in a list of blocked words or links is neither a word nor a host.`);
  return found;
};
