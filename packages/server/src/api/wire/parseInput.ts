import { type ErrorDetail, MintageError } from '@mintage/protocol';
import type { z } from 'zod';

/**
 * Checks a body against a schema.
 *
 * @throws MintageError INVALID_PARAMETERS with one detail per offending field; its message names the first.
 */
export const parseInput = <Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> => {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const details = result.error.issues.flatMap((issue) => detailsOf(issue, body));
  const [first] = details as [ErrorDetail];
  throw new MintageError('INVALID_PARAMETERS', first.path === '' ? first.message : `${first.path}: ${first.message}`, {
    details,
  });
};

/** Most unknown keys that an error names, and most characters shown of each. */
const mostUnknown = 10;
const longestUnknown = 64;

const detailsOf = (issue: z.core.$ZodIssue, body: unknown): ErrorDetail[] => {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.slice(0, mostUnknown).map((key) => key.slice(0, longestUnknown));
    return keys.map((key) => ({ path: [...path, key].join('.'), message: 'is no field of this request' }));
  }
  return [{ path: path.join('.'), message: messageOf(issue, issue.path.reduce(step, body)) }];
};

const step = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;

/** A schema's own message is used as it is; zod's messages are reworded to follow the field's name. */
const messageOf = (issue: z.core.$ZodIssue, value: unknown): string => {
  if (value === undefined) return 'is required';
  if (!issue.message.startsWith('Invalid ') && !issue.message.startsWith('Too ')) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected === 'int' ? 'whole number' : issue.expected)}`;
    case 'too_small':
      return boundOf(issue.origin, issue.inclusive ? 'at least' : 'more than', issue.minimum);
    case 'too_big':
      return boundOf(issue.origin, issue.inclusive ? 'at most' : 'less than', issue.maximum);
    case 'invalid_value':
      return `must be ${issue.values.map((item) => `\`${String(item)}\``).join(' or ')}`;
    case 'invalid_union':
      return unionMessage(issue, value);
    default:
      return 'is not valid';
  }
};

/** For a union, reports the error of the branch whose type fits the value. */
const unionMessage = (issue: z.core.$ZodIssueInvalidUnion, value: unknown): string => {
  const branches = issue.errors.map((branch) => branch[0]).filter((branch) => branch !== undefined);
  const fitting = branches.find((branch) => branch.code !== 'invalid_type');
  if (fitting) return messageOf(fitting, value);
  const types = branches.map((branch) => (branch.code === 'invalid_type' ? article(branch.expected) : ''));
  return types.length > 0 ? `must be ${[...new Set(types)].join(' or ')}` : 'is not valid';
};

const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

const boundOf = (origin: string, relation: string, bound: number | bigint): string => {
  if (origin === 'string') return `must have ${relation} ${bound} characters`;
  if (origin === 'array') return `must have ${relation} ${bound} items`;
  return `must be ${relation} ${bound}`;
};
