import { type Content, MintageError, type Operation } from '@mintage/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call, Caller, Context } from '../context.ts';
import { handlers } from '../handlers/handlers.ts';
import { parseInput } from './parseInput.ts';

/** Any handler, its input already checked by the schema of its own operation. */
type AnyHandler = (context: Context, input: unknown, call: Call) => Promise<unknown>;

/** `handlers` has exactly one handler per operation, of that operation's types; a loop cannot say so in types. */
const handlerOf = (operation: Operation): AnyHandler =>
  handlers[operation.name as keyof typeof handlers] as unknown as AnyHandler;

/**
 * One call: credential, scope, input, handler, answer.
 *
 * @throws MintageError SERVICE_UNAVAILABLE when the handler takes too long; it is not waited for.
 */
export const respond = async (
  context: Context,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const caller = await callerOf(context, operation, request.headers.authorization);
  const input = parseInput(operation.input, inputOf(operation, request));
  const answer = handlerOf(operation)(context, input, { caller, requestId: request.id });
  const output = await inTime(answer, context.config.handlerTimeoutMs);
  if (context.config.checkOutputs) operation.output.parse(output);
  if (operation.produces !== undefined) {
    const { body, headers } = output as Content;
    return reply.headers(headers).send(body);
  }
  return reply
    .header('cache-control', 'no-store')
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(output));
};

/** Fastify's own limit makes an abort controller and an exception per request, which costs more than most answers. */
const inTime = <T>(answer: Promise<T>, limitMs: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new MintageError('SERVICE_UNAVAILABLE', 'The answer took too long')),
      limitMs,
    );
    answer.finally(() => clearTimeout(timer)).then(resolve, reject);
  });

/** GET takes path and query, POST the body; a POST without a body is an empty one. */
const inputOf = (operation: Operation, request: FastifyRequest): unknown =>
  operation.method === 'GET' ? { ...(request.query as object), ...(request.params as object) } : (request.body ?? {});

/**
 * Who calls. A bad credential on a public operation counts as none.
 *
 * @throws MintageError AUTHENTICATION_FAILED, SCOPE_MISSING.
 */
const callerOf = async (
  context: Context,
  operation: Operation,
  authorization: string | undefined,
): Promise<Caller | null> => {
  const caller = authorization === undefined ? null : await context.auth.verify(authorization);
  if (operation.access === 'public') return caller;
  if (caller === null) {
    const message =
      authorization === undefined ? 'A credential is required' : 'The credential is not valid, expired or revoked';
    throw new MintageError('AUTHENTICATION_FAILED', message);
  }
  if (!caller.scopes.includes(operation.scope)) {
    throw new MintageError('SCOPE_MISSING', `The credential lacks the scope ${operation.scope}`, {
      details: [{ path: 'scopes', message: operation.scope }],
    });
  }
  return caller;
};
