import { type Content, MintageError, type Operation } from '@mintage/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call, Caller, Context } from '../context.ts';
import { handlers } from '../handlers/handlers.ts';
import { parseInput } from './parseInput.ts';
import type { TimeLimit } from './timeLimit.ts';

/** Any handler, its input already checked by the schema of its own operation. */
type AnyHandler = (context: Context, input: unknown, call: Call) => Promise<unknown>;

/** `handlers` has exactly one handler per operation, of that operation's types; a loop cannot say so in types. */
const handlerOf = (operation: Operation): AnyHandler =>
  handlers[operation.name as keyof typeof handlers] as unknown as AnyHandler;

/** The body of an answer; its headers are set on the reply. */
export type Respond = (request: FastifyRequest, reply: FastifyReply) => Promise<Content['body']>;

/**
 * One call: credential, scope, input, handler, answer.
 *
 * @param inTime - Bounds the time of the handler.
 */
export const responder = (context: Context, operation: Operation, inTime: TimeLimit): Respond => {
  const handler = handlerOf(operation);
  return async (request, reply) => {
    const { authorization } = request.headers;
    const caller = authorization === undefined ? null : await context.auth.verify(authorization);
    if (operation.access === 'caller') requireScope(operation, caller, authorization !== undefined);
    const input = parseInput(operation.input, inputOf(operation, request));
    const output = await inTime(handler(context, input, { caller, requestId: request.id }));
    if (context.config.checkOutputs) operation.output.parse(output);
    if (operation.produces !== undefined) {
      const { body, headers } = output as Content;
      reply.headers(headers);
      return body;
    }
    reply.header('cache-control', 'no-store').header('content-type', 'application/json; charset=utf-8');
    return JSON.stringify(output);
  };
};

/** GET takes path and query, POST the body; a POST without a body is an empty one. */
const inputOf = (operation: Operation, request: FastifyRequest): unknown =>
  operation.method === 'GET' ? { ...(request.query as object), ...(request.params as object) } : (request.body ?? {});

/**
 * A credential that proves a caller and allows this. On a public operation a bad one counts as none.
 *
 * @throws MintageError AUTHENTICATION_FAILED, SCOPE_MISSING.
 */
const requireScope = (operation: Operation, caller: Caller | null, sent: boolean): void => {
  if (caller === null) {
    const message = sent ? 'The credential is not valid, expired or revoked' : 'A credential is required';
    throw new MintageError('AUTHENTICATION_FAILED', message);
  }
  if (!caller.scopes.includes(operation.scope)) {
    throw new MintageError('SCOPE_MISSING', `The credential lacks the scope ${operation.scope}`, {
      details: [{ path: 'scopes', message: operation.scope }],
    });
  }
};
