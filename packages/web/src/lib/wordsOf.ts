import type { MintageError } from '@mintage/sdk';
import * as t from '../messages/en/common.ts';

/** The catalogue speaks to programs; these are for people, by code. */
const words: Readonly<Record<string, string>> = t.errors;

/** What is wrong, then what to do. The service says both in one; an error that was made here says only the first. */
export const wordsOf = ({ code, message, kind: { next } }: MintageError): string =>
  words[code] ?? (message.endsWith(next) ? message : `${message.replace(/\.?$/, '.')} ${next}`);
