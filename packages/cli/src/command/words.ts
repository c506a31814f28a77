import type { Subscription } from '@mintage/sdk';
import { InvalidArgumentError } from 'commander';
import { Failure } from '../failure.ts';
import { type Field, topics } from '../generated/operations.ts';
import { own } from '../own.ts';
import { place, valueOf } from './fields.ts';

/**
 * Words as `name=value` as an input, each value of the kind that its field has.
 *
 * @throws Failure for a word that is none, or a field that is not there.
 */
export const inputOfWords = (fields: readonly Field[], words: readonly string[]): Record<string, unknown> => {
  const input: Record<string, unknown> = {};
  for (const word of words) {
    const [name = '', ...rest] = word.split('=');
    if (rest.length === 0) throw new Failure('usage', `${word} is no name=value.`);
    const field = fields.find((one) => one.name === name) ?? beside(fields, name);
    if (field === undefined) {
      const names = fields.map((one) => one.name);
      const next = names.length === 0 ? 'It takes none.' : `There are: ${names.join(', ')}.`;
      throw new Failure('usage', `There is no field ${name}.`, next);
    }
    try {
      place(input, name, valueOf(field, rest.join('=')));
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw new Failure('usage', `${name}: ${error.message}`);
    }
  }
  return input;
};

/** An object as a whole, or what lies in a field that has no rows of its own. */
const beside = (fields: readonly Field[], name: string): Field | undefined => {
  const isWhole = fields.some((one) => one.name.startsWith(`${name}.`));
  const isInner = fields.some((one) => one.kind === 'json' && name.startsWith(`${one.name}.`));
  return isWhole || isInner ? { name, kind: 'json', about: '' } : undefined;
};

/** @throws Failure for a topic that there is none of, or a word that is no filter of it. The service checks the values. */
export const subscriptionOf = (topic: string, words: readonly string[]): Subscription => {
  const fields = own(topics, topic);
  if (fields === undefined) {
    throw new Failure('usage', `There is no topic ${topic}.`, `There are: ${Object.keys(topics).join(', ')}.`);
  }
  return { topic, ...inputOfWords(fields, words) } as unknown as Subscription;
};
