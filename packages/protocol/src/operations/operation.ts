import { z } from 'zod';
import type { ErrorCode } from '../schemas/errors.ts';

/**
 * Anyone; a caller with a credential; or only the user in a session that has not ended, for what gives rights or
 * outlasts the credential that asks for it.
 */
export type OperationAccess = 'public' | 'caller' | 'session';

/**
 * One operation of the service, from which every surface is made: REST, OpenAPI, docs, and later tools, SDK and CLI.
 * The definition lives in `operations/<name>.ts`, its handler in `server/src/api/handlers/<name>.ts`.
 */
export interface Operation<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Name extends string = string,
  Access extends OperationAccess = OperationAccess,
  Facts = z.output<Output>,
> {
  /** camelCase; also the name of the definition's and the handler's file. */
  name: Name;
  /** What a call does, in plain present tense; ends with a full stop. */
  summary: string;
  /** Longer text for the docs; Markdown. */
  description?: string;
  method: 'GET' | 'POST';
  /** Below the base path, e.g. `/trade-token`; `:name` marks a path parameter. */
  path: string;
  /** The same under other routes, which callers know it by. */
  also?: readonly Route[];
  /** Heading in the docs. */
  tag: 'Auth' | 'Tokens' | 'Trading' | 'Rewards' | 'Account' | 'People' | 'Moderation' | 'Streams' | 'Service';
  input: Input;
  output: Output;
  /** Codes beyond those any route can answer (`commonErrors`). */
  errors: readonly ErrorCode[];
  /** Who may call. A bad bearer on a public route counts as anonymous. */
  access: Access;
  /** What a credential must allow. */
  scope: 'read' | 'prepare' | 'execute' | 'social' | 'moderate';
  /** Media type of the answer when it is not JSON; `output` is then `Content`. */
  produces?: string;
  /** Also served without the base path: what probes and identity libraries ask for at the root. */
  atRoot?: boolean;
  /** Body of an error (spec, "Error bodies"). */
  errorShape: 'A' | 'B' | 'C';
  /**
   * Which allowance a call counts in. A write stores or executes something; preparing is a read. Absent: a read.
   * `writeWhenExecuted`: a read, and a write as well once its input asks to `execute`. `none`: probes, which are never
   * refused.
   */
  limit?: 'write' | 'writeWhenExecuted' | 'signIn' | 'none';
  /** Which allowance it counts in besides: those of what people say, `writes a minute a user` of the social wire contract. */
  social?: 'posts' | 'votes' | 'profile';
  /** Of the scope `social`: changes only what its user sees or is told, and says nothing to others, so who is suspended may. */
  isPrivate?: true;
  /** What others would read of it, by the path of its field: is looked through for words and links that a deployment does not take. */
  texts?(input: z.output<Input>): Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The answer holds a secret that is shown once: it is never stored, not even for an Idempotency-Key. */
  secretAnswer?: boolean;
  /** Its input is good for one use: a client does not send it again by itself when no answer came. */
  usesUp?: true;
  /** A wallet may sign the call instead of sending a credential (wire contract 4.6). */
  walletSigned?: true;
  /** 403, 404, 409 and 413 become 400 with the same code (design 6, Statuses). */
  plainStatuses?: true;
  /** Its body carries pictures and films as data URIs, and may be as large as they need. */
  media?: {
    /** Which bodies do; the others have the usual limit. Absent: all of them. */
    of?(body: Readonly<Record<string, unknown>>): boolean;
    /** A wallet may sign inside the body, which therefore is read before anybody is proved. */
    signedInside?: true;
  };
  /** The answer from what its handler found, where another surface shows the same facts in another form. Absent: they are it. */
  view?(facts: Facts): z.output<Output>;
  /** A worked request, shown in the docs and executed by a test. */
  example?: z.input<Input>;
}

/** Whether some calls of an operation are writes, so that it takes an Idempotency-Key. */
export const mayWrite = ({ limit }: Operation): boolean => limit === 'write' || limit === 'writeWhenExecuted';

/** @param input - As its schema gives it. */
export const isWrite = ({ limit }: Operation, input: unknown): boolean =>
  limit === 'write' || (limit === 'writeWhenExecuted' && (input as { execute?: boolean }).execute === true);

/**
 * The schema of one call's input. Unknown keys are ignored where clients of the specification may send some. Nobody but our
 * own clients asks to `execute`, and among them a misspelt limit must not count as none.
 */
export const inputSchemaOf = ({ input }: Pick<Operation, 'input'>, body: unknown): z.ZodType => {
  if (!(input instanceof z.ZodObject) || typeof body !== 'object' || body === null) return input;
  // The tools' word would be ignored here, and who sent it would think that it is done.
  const [own, foreign] = 'execute' in input.shape ? executeFields : [];
  if (own && foreign && !(foreign in input.shape) && ((body as Json)[foreign] ?? false) !== false)
    return input.extend({ [foreign]: z.never({ error: `is a parameter of the tools: send \`${own}\`` }).optional() });
  const executes = executeFields.some((field) => field in input.shape && (body as Json)[field] === true);
  return executes ? strictOf(input) : input;
};

type Json = Readonly<Record<string, unknown>>;

/** Of operations and of tools. */
const executeFields = ['execute', 'autoExecute'] as const;

/** The same with every object in it strict, at any depth: also a misspelt fee within a builder must not count as none. */
const strictOf = (schema: z.ZodType): z.ZodType => {
  const known = strictForms.get(schema) ?? makeStrict(schema);
  strictForms.set(schema, known);
  return known;
};
const strictForms = new WeakMap<z.ZodType, z.ZodType>();

/** Where schemas hold others: around one, before and after another, in a list, as a choice. */
const inner = ['innerType', 'in', 'out', 'element', 'options'] as const;

const makeStrict = (schema: z.ZodType): z.ZodType => {
  const strict = (part: unknown): unknown =>
    part instanceof z.ZodType ? strictOf(part) : Array.isArray(part) ? part.map(strict) : part;
  if (schema instanceof z.ZodObject) {
    const shape = Object.fromEntries(Object.entries(schema.shape).map(([key, part]) => [key, strict(part)]));
    return schema.clone({ ...schema.def, shape: shape as z.ZodRawShape, catchall: z.never() });
  }
  const def: Json = { ...schema.def };
  const parts = inner.filter((key) => key in def).map((key) => [key, strict(def[key])] as const);
  return parts.length === 0 ? schema : schema.clone({ ...schema.def, ...Object.fromEntries(parts) });
};

export type Route = Pick<Operation, 'method' | 'path'>;

/**
 * Every route that serves an operation, its own first.
 *
 * @param platformSlug - Stands for `<platform-slug>` in a path.
 */
export const routesOf = ({ method, path, also = [] }: Operation, platformSlug: string): Route[] =>
  [{ method, path }, ...also].map((route) => ({ ...route, path: route.path.replace('<platform-slug>', platformSlug) }));

export const operation = <
  Input extends z.ZodType,
  Output extends z.ZodType,
  const Name extends string,
  const Access extends OperationAccess,
  Facts = z.output<Output>,
>(
  definition: Operation<Input, Output, Name, Access, Facts>,
): Operation<Input, Output, Name, Access, Facts> => definition;

/** What a handler finds: the answer, unless the operation makes that of it by its `view`. */
export type FactsOf<Op extends Operation> = Parameters<NonNullable<Op['view']>>[0];

/** The answer of an operation that `produces` something other than JSON: the body and the headers that belong to it. */
export const Content = z.strictObject({
  body: z.union([
    z.string(),
    z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    z.custom<AsyncIterable<Uint8Array>>((value) => Symbol.asyncIterator in Object(value)),
  ]),
  headers: z.record(z.string(), z.string()),
});
export type Content = z.output<typeof Content>;

/** Errors that every route can answer. */
export const commonErrors = [
  'INVALID_PARAMETERS',
  'INVALID_JSON',
  'METHOD_NOT_ALLOWED',
  'NOT_FOUND',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** Errors that a write can answer when it comes with an Idempotency-Key. */
export const idempotencyErrors = [
  'IDEMPOTENCY_CONFLICT',
  'IDEMPOTENCY_IN_PROGRESS',
  'IDEMPOTENCY_OUTCOME_UNKNOWN',
  'IDEMPOTENCY_ANSWER_GONE',
] as const satisfies readonly ErrorCode[];

/** Every code that an operation can answer: its own, those of every route, and those that come with a key or a credential. */
export const errorsOf = (operation: Operation): ErrorCode[] => [
  ...new Set<ErrorCode>([
    ...operation.errors,
    ...commonErrors,
    ...(mayWrite(operation) ? idempotencyErrors : []),
    ...(operation.access === 'public' ? [] : (['AUTHENTICATION_FAILED', 'SCOPE_MISSING'] as const)),
    ...((operation.scope === 'social' && !operation.isPrivate) || operation.scope === 'moderate'
      ? (['USER_SUSPENDED'] as const)
      : []),
    ...(operation.scope === 'moderate' ? (['NOT_AN_OPERATOR'] as const) : []),
    ...(operation.texts === undefined ? [] : (['TEXT_NOT_ALLOWED'] as const)),
  ]),
];
