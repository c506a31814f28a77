import { type Operation, ofFamilies } from '@mintage/protocol';
import { operations, StreamMessage, Subscription } from '@mintage/protocol/operations';
import { z } from 'zod';
import type { Deployment } from '../deployment.ts';
import { parts, under } from '../markdown/text.ts';
import type { Page } from '../page.ts';
import { typesPath } from './operationPage.ts';
import { unitOf } from './units.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** What the named types of fields look like, and what they count in. */
export const typesPage = (deployment: Deployment): Page => ({
  path: typesPath,
  title: 'Types',
  summary: 'The named types of fields: what they look like and what they count in.',
  markdown: () =>
    parts(
      'In requests a JSON number is an amount in whole units, and a string of digits is one in base units. `null` counts as absent.',
      ...[...namedTypes(deployment)]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, schema]) => under(`## ${name}`, typeText(name, schema))),
    ),
});

/** Named parts that are not objects: the fields of those stand where they are used. */
export const namedTypes = ({ chainTypes }: Deployment): Map<string, Schema> => {
  const found = new Map<string, Schema>();
  const list: readonly Operation[] = operations;
  const add = (schema: z.ZodType, io: 'input' | 'output'): void => {
    const { $defs = {} } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: ofFamilies(chainTypes) });
    for (const [name, part] of Object.entries($defs)) {
      if (isPlain(part as Schema, $defs as Record<string, Schema>)) found.set(name, part as Schema);
    }
  };
  for (const { input, output } of list) {
    add(input, 'input');
    add(output, 'output');
  }
  add(Subscription, 'input');
  add(StreamMessage, 'output');
  return found;
};

const isPlain = (schema: Schema, defs: Readonly<Record<string, Schema>>): boolean => {
  const members = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])] as Schema[];
  const whole = schema.$ref === undefined ? schema : (defs[schema.$ref.replace('#/$defs/', '')] ?? schema);
  return whole.properties === undefined && members.every((member) => isPlain(member, defs));
};

const typeText = (name: string, schema: Schema): string => {
  const unit = unitOf('', name);
  return parts(
    schema.description,
    unit !== '' && `Counts in ${unit}.`,
    schema.pattern !== undefined && `A string of the form \`${schema.pattern}\`.`,
    schema.enum !== undefined && `One of ${schema.enum.map((word) => `\`${String(word)}\``).join(', ')}.`,
    bounds(schema),
  );
};

const bounds = ({ type, minimum, maximum, minLength, maxLength }: Schema): string => {
  if (type === 'integer' || type === 'number') {
    const most = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${maximum}`;
    return minimum === undefined || minimum === Number.MIN_SAFE_INTEGER
      ? `A JSON ${type}.`
      : `A JSON ${type}, at least ${minimum}${most}.`;
  }
  return maxLength === undefined ? '' : `A string of ${minLength ?? 0} to ${maxLength} characters.`;
};
