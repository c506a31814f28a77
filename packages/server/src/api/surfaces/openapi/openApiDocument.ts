import {
  type ChainType,
  type ErrorCode,
  errorCatalogue,
  errorsOf,
  mayWrite,
  type Operation,
  ofFamilies,
  routesOf,
} from '@mintage/protocol';
import { operations } from '@mintage/protocol/operations';
import { z } from 'zod';
import type { Config } from '../../../config.ts';
import { anonymousBodyLimit, basePath, mediaBodyLimit, usualBodyLimit } from '../../wire/limits.ts';

type Json = Record<string, unknown>;

/** What is gathered and asked while the document is written. */
interface Parts {
  /** The named parts, so far. */
  schemas: Json;
  lighten: ReturnType<typeof lightenFor>;
}

/** The interface as OpenAPI 3.1, from the operation list alone, in the forms of the families of chains that are served. */
export const openApiDocument = (
  config: Pick<Config, 'platformName' | 'platformSlug' | 'publicUrl'>,
  types: readonly ChainType[],
): { openapi: '3.1.0' } & Json => {
  const parts: Parts = { schemas: { ...errorSchemas }, lighten: lightenFor(types) };
  const paths: Record<string, Json> = {};
  for (const operation of operations as readonly Operation[]) {
    for (const [index, { method, path }] of routesOf(operation, config.platformSlug).entries()) {
      const name = path.replaceAll(/:(\w+)/g, '{$1}');
      const described = describe({ ...operation, method, path }, parts);
      // An operationId must be unique, so further routes get a number.
      const operationId = index === 0 ? operation.name : `${operation.name}${index + 1}`;
      paths[name] = { ...paths[name], [method.toLowerCase()]: { ...described, operationId } };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: config.platformName,
      version: '1.0.0',
      description:
        'Create tokens, trade them on many chains, and earn from them. Transactions are prepared here and sent by your ' +
        'own wallet, or with `execute: true` by your embedded one. In requests a JSON number is an amount in whole units ' +
        'and a string is one in base units; `null` counts as absent. Unknown keys are ignored, ' +
        'but not where rights or money are set. Every answer carries `x-request-id`.',
    },
    servers: [{ url: config.publicUrl + basePath }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: parts.schemas,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token of `/auth/login`, or an API key of `/api-keys`.',
        },
      },
    },
  };
};

const describe = (operation: Operation, parts: Parts): Json => ({
  summary: operation.summary,
  description: [
    operation.description,
    operation.access === 'caller' && `Needs a credential with the scope \`${operation.scope}\`.`,
    operation.access === 'session' && 'Needs the access token of a sign-in that has not ended; no API key may do this.',
    operation.method === 'POST' && bodyLimitText(operation),
    operation.atRoot && `Also served at \`${operation.path}\`, without the base path.`,
  ]
    .filter((line) => typeof line === 'string')
    .join('\n\n'),
  tags: [operation.tag],
  security: operation.access === 'public' ? [{}, { bearer: [] }] : [{ bearer: [] }],
  ...inputOf(operation, parts),
  responses: { 200: answerOf(operation, parts), ...errorAnswers(operation) },
});

const bodyLimitText = ({ access, media }: Operation): string => {
  const most = `The body has at most ${(media ? mediaBodyLimit : usualBodyLimit) / 1024} KiB`;
  return access !== 'public' ? `${most}.` : `${most}, ${anonymousBodyLimit / 1024} KiB without a credential.`;
};

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Does this once: the same request with the same key within 24 hours gets the first answer, with `Idempotent-Replayed: true`. Needs a credential.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const inputOf = (operation: Operation, parts: Parts): Json => {
  const schema = schemaOf(operation.input, 'input', parts);
  if (operation.method === 'POST') {
    const example = operation.example === undefined ? {} : { example: operation.example };
    return {
      ...(mayWrite(operation) ? { parameters: [idempotencyKey] } : {}),
      requestBody: { required: true, content: { 'application/json': { schema, ...example } } },
    };
  }
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  if (properties.length === 0) return {};
  const required = (schema.required ?? []) as string[];
  return {
    parameters: properties.map(([name, property]) => {
      const inPath = operation.path.includes(`:${name}`);
      return { name, in: inPath ? 'path' : 'query', required: inPath || required.includes(name), schema: property };
    }),
  };
};

const answerOf = (operation: Operation, parts: Parts): Json => {
  if (operation.produces === undefined) {
    const schema = schemaOf(operation.output, 'output', parts);
    return { description: 'Done.', content: { 'application/json': { schema } } };
  }
  return { description: 'The file.', content: { [operation.produces]: { schema: { type: 'string' } } } };
};

/** One answer per status, naming the codes that have it. */
const errorAnswers = (operation: Operation): Json => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(operation)) {
    const { status } = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const schema = { $ref: `#/components/schemas/Error${operation.errorShape}` };
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].next}`).join('\n\n'),
        content: { 'application/json': { schema } },
      },
    ]),
  );
};

/** JSON Schema of one side of an operation; its named parts move to `schemas`. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output', { schemas, lighten }: Parts): Json => {
  const { $schema: _, $defs = {}, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: lighten });
  const rename = (name: string): string => (io === 'input' ? name : outputName(name, $defs[name], schemas));
  for (const [name, part] of Object.entries($defs)) schemas[rename(name)] ??= moved(part, rename);
  return moved(json, rename) as Json;
};

/** A part whose input and output schemas differ is listed twice, under two names. */
const outputName = (name: string, part: unknown, schemas: Json): string => {
  const listed = schemas[name];
  const same = listed === undefined || JSON.stringify(listed) === JSON.stringify(moved(part, (other) => other));
  return same ? name : `${name}Output`;
};

const partPrefix = '#/$defs/';

/** A copy whose `#/$defs/…` references point into the document. */
const moved = (value: unknown, rename: (name: string) => string): unknown => {
  if (typeof value === 'string' && value.startsWith(partPrefix))
    return `#/components/schemas/${rename(value.slice(partPrefix.length))}`;
  if (Array.isArray(value)) return value.map((item) => moved(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      if (key === 'id' && typeof item === 'string') return [];
      return [[key, moved(item, rename)]];
    }),
  );
};

/** Shows the served families' forms, drops the bounds that every safe integer has, and adds the discriminator of tagged unions. */
const lightenFor = (types: readonly ChainType[]) => {
  const show = ofFamilies(types);
  return (part: { zodSchema: z.core.$ZodType; jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
    show(part);
    const { zodSchema, jsonSchema } = part;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (zodSchema instanceof z.ZodDiscriminatedUnion) {
      Object.assign(jsonSchema, { discriminator: discriminatorOf(zodSchema) });
    }
  };
};

/** Discriminator mapping from tag to member, for members that are named parts. */
const discriminatorOf = ({ def: { discriminator, options } }: z.ZodDiscriminatedUnion): Json => {
  const named = options.flatMap((option) => {
    const { id } = z.globalRegistry.get(option as z.ZodType) ?? {};
    const tag = option instanceof z.ZodObject ? option.shape[discriminator] : undefined;
    return id !== undefined && tag instanceof z.ZodLiteral ? [[tag.value, partPrefix + id]] : [];
  });
  return { propertyName: discriminator, ...(named.length > 0 && { mapping: Object.fromEntries(named) }) };
};

const errorFields = {
  error: { type: 'string', description: 'What is wrong and what to do, for people.' },
  code: { type: 'string', description: 'What is wrong, for programs.' },
  details: { description: 'The offending fields as `[{path, message}]` where there are some, else null.' },
  requestId: { type: 'string', description: 'Quote it when you report a problem.' },
};
const failed = { success: { type: 'boolean', const: false } };

const errorSchemas: Json = {
  ErrorA: { type: 'object', properties: { ...failed, ...errorFields }, required: ['success', 'error', 'code'] },
  ErrorB: { type: 'object', properties: errorFields, required: ['error', 'code'] },
  ErrorC: {
    type: 'object',
    properties: { ...failed, ...errorFields },
    required: ['success', 'error', 'code', 'details'],
  },
};
