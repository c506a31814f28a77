import { checksumRule, hasWrongChecksum } from '@mintage/sdk';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Field, type OperationFacts, operations } from '../generated/operations.ts';
import { own } from '../own.ts';

/** @throws Error for an operation that the list does not have: a command names one that is gone. */
export const factsOf = (operation: string): OperationFacts => {
  const facts = own(operations, operation);
  if (facts === undefined) throw new Error(`the list has no operation ${operation}`);
  return facts;
};

/** `buyAmountUSD` → `buy-amount-usd`, `builder.code` → `builder-code`. */
export const flagOf = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/[._]/g, '-')
    .toLowerCase();

/**
 * Gives a command a flag for each field of an operation's input but those that it fills in itself.
 *
 * @returns What these flags say, as the operation's input. The command's own flags are never in it, whatever they are called.
 */
export const addFields = (command: Command, operation: string, filledIn: readonly string[]): (() => Input) => {
  const added = factsOf(operation)
    .fields.filter(({ name }) => !filledIn.includes(name))
    .map((field) => ({ name: field.name, option: optionOf(field) }));
  for (const { option } of added) command.addOption(option);
  return () => {
    const input: Input = {};
    for (const { name, option } of added) {
      const value: unknown = command.getOptionValue(option.attributeName());
      if (value !== undefined) place(input, name, value);
    }
    return input;
  };
};

type Input = Record<string, unknown>;

const optionOf = (field: Field): Option => {
  const value = field.kind === 'boolean' ? '[true|false]' : `<${valueWord[field.kind]}>`;
  const option = new Option(`--${flagOf(field.name)} ${value}`, field.about).argParser((text) => valueOf(field, text));
  if (field.kind === 'boolean') option.preset('true');
  if (field.choices !== undefined) {
    option.choices([...field.choices]);
    option.argParser((text) => valueOf(field, text)); // `choices` put its own there
  }
  return option.makeOptionMandatory(field.required === true);
};

const valueWord = { text: 'text', number: 'number', list: 'a,b', json: 'value', boolean: '' } as const;

/**
 * A word of the command line as the value that the field takes.
 *
 * @throws InvalidArgumentError, which commander prints with the name of the flag.
 */
export const valueOf = ({ kind, choices }: Field, text: string): unknown => {
  if (choices !== undefined && !choices.includes(text)) {
    throw new InvalidArgumentError(`Allowed: ${choices.join(', ')}.`);
  }
  switch (kind) {
    case 'text':
      return withChecksum(text);
    case 'number':
      return numberIn(text);
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('It is true or false.');
      return text === 'true';
    case 'list':
      return listIn(text);
    case 'json':
      return jsonIn(text) ?? text;
  }
};

/** @throws InvalidArgumentError for an EVM address with a wrong checksum, which no field means. */
export const withChecksum = (text: string): string => {
  if (hasWrongChecksum(text)) throw new InvalidArgumentError(`${text} ${checksumRule}.`);
  return text;
};

/** A list as JSON, or with commas. */
const listIn = (text: string): unknown[] => {
  const value = jsonIn(text);
  if (Array.isArray(value)) return value;
  return text === '' ? [] : text.split(',').map((part) => part.trim());
};

const numberIn = (text: string): number => {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) throw new InvalidArgumentError('It is a plain number, as 12.5.');
  return Number(text);
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // then the text itself is meant
  }
};

/** Puts a value where the name says: `builder.code` into `builder`. */
export const place = (input: Record<string, unknown>, name: string, value: unknown): void => {
  const [first = '', ...rest] = name.split('.');
  if (rest.length === 0) {
    input[first] = value;
    return;
  }
  const before = own(input, first) ?? {};
  if (typeof before !== 'object') throw new InvalidArgumentError(`${first} has a value already.`);
  const inner = before as Record<string, unknown>;
  input[first] = inner;
  place(inner, rest.join('.'), value);
};
