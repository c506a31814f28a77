/**
 * Writes what the command line knows of every operation: its summary, its route and the fields of its input. Flags, help, completion
 * and the manual are made of it. `--check` fails when it is stale.
 */
import { ofFamilies } from '@mintage/protocol';
import { actionInputOf, actionTypes, infoTypes, operations, Subscription } from '@mintage/protocol/operations';
import { z } from 'zod';
import { writeGenerated } from './generated.ts';

type Schema = z.core.JSONSchema.BaseSchema;

interface Field {
  /** With a dot between an object and its field. */
  name: string;
  kind: 'text' | 'number' | 'boolean' | 'list' | 'json';
  required?: true;
  choices?: string[];
  about: string;
}

/** The chains, which are many: they are said once, by `mintage chains`. */
const mostChoices = 12;

const fieldsOf = (input: z.ZodType): Field[] => {
  const { $defs = {}, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override: ofFamilies(['evm', 'solana']),
  });
  const resolved = (part: Schema): Schema => {
    const name = part.$ref?.replace('#/$defs/', '');
    return name === undefined ? part : { ...resolved($defs[name] as Schema), ...part, $ref: undefined };
  };
  const fields = (object: Schema, prefix: string, isRequired: boolean): Field[] =>
    Object.entries(object.properties ?? {}).flatMap(([key, property]) => {
      const part = resolved(property as Schema);
      if (part.not !== undefined) return []; // is there to be refused
      const required = isRequired && (object.required ?? []).includes(key);
      if (part.properties !== undefined) return fields(part, `${prefix}${key}.`, required);
      return [field(`${prefix}${key}`, part, required, resolved)];
    });
  return fields(resolved(schema as Schema), '', true);
};

const field = (name: string, part: Schema, required: boolean, resolved: (part: Schema) => Schema): Field => {
  const options = (part.anyOf ?? part.oneOf ?? [part]).map((option) => resolved(option as Schema));
  const kinds = new Set(options.map(kindOf));
  const kind = kinds.size === 1 ? kindOf(options[0] as Schema) : 'json';
  const choices = options.flatMap((option) =>
    (option.enum ?? (option.const === undefined ? [] : [option.const])).map(String),
  );
  return {
    name,
    kind,
    ...(required && { required: true }),
    ...(kind === 'text' && choices.length > 0 && choices.length <= mostChoices && { choices }),
    about: (part.description ?? '').replaceAll(/\s+/g, ' '),
  };
};

const kindOf = ({ type, items, enum: choices, const: only }: Schema): Field['kind'] => {
  if (type === 'string' || choices !== undefined || typeof only === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  // A list of lists, or of objects, is written as JSON.
  return type === 'array' && (items as Schema | undefined)?.type !== 'object' ? 'list' : 'json';
};

/** Those are streams, and are followed by `mintage stream`. */
const streamed: readonly string[] = ['ws', 'stream'];
/** They are many calls each, one by one below. */
const manyInOne: readonly string[] = ['info', 'platformAction'];

const entries = [
  ...operations
    .filter(({ name }) => !streamed.includes(name) && !manyInOne.includes(name))
    .map(({ name, summary, method, path, access, input }) => ({
      name,
      route: `${method} ${path}`,
      access,
      summary,
      fields: fieldsOf(input),
    })),
  ...Object.entries(actionTypes).map(([name, { summary }]) => ({
    name: `actions.${name}`,
    route: 'POST /platform-action',
    access: 'caller',
    summary,
    fields: fieldsOf(actionInputOf(name as keyof typeof actionTypes)).filter((one) => one.name !== 'type'),
  })),
];

const streams = Subscription.options.map(
  (option) => [option.shape.topic.value, fieldsOf(option).filter(({ name }) => name !== 'topic')] as const,
);

writeGenerated(
  new URL('../packages/cli/src/generated/operations.ts', import.meta.url),
  `/** A field of an operation's input; its name has a dot where it lies in an object. */
export interface Field {
  name: string;
  /** How a word of the command line becomes its value; \`json\`: as JSON where it is some, else as text. */
  kind: 'text' | 'number' | 'boolean' | 'list' | 'json';
  required?: true;
  choices?: readonly string[];
  about: string;
}

export interface OperationFacts {
  /** Method and path. */
  route: string;
  access: 'public' | 'caller' | 'session';
  summary: string;
  fields: readonly Field[];
}

/** Every operation by its name, and the signed actions by theirs. */
export const operations: Readonly<Record<string, OperationFacts>> = {
${entries.map(({ name, ...facts }) => `  '${name}': ${JSON.stringify(facts)},\n`).join('')}};

/** The reads that \`/info\` serves too, in its own form: each takes the fields of its operation. */
export const infoTypes: readonly string[] = ${JSON.stringify(Object.keys(infoTypes))};

/** Topics of the streams, with what each can be filtered by. */
export const topics: Readonly<Record<string, readonly Field[]>> = {
${streams.map(([name, fields]) => `  '${name}': ${JSON.stringify(fields)},\n`).join('')}};
`,
  'scripts/generate-cli.ts',
);
