import { type Content, inputSchemaOf, isWrite, type Operation } from '@mintage/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireAccess } from '../../accounts/requireAccess.ts';
import { signedReader } from '../../accounts/walletSignature.ts';
import type { Call, Context } from '../../handlers/context.ts';
import { handlers } from '../../handlers/handlers.ts';
import { clientAddress } from '../../limits/clientAddress.ts';
import { once } from '../../limits/idempotency.ts';
import { limitHeaders, requireAdmitted } from '../../limits/limiter.ts';
import { goneSignal } from '../../wire/goneSignal.ts';
import { parseInput } from '../../wire/parseInput.ts';
import type { TimeLimit } from '../../wire/timeLimit.ts';

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
    const caller = request.caller ?? (operation.walletSigned ? await readerOf(context, request) : null);
    await requireAccess(context, operation, caller);
    const input = parseInput(inputSchemaOf(operation, inputOf(request)), inputOf(request));
    const writes = isWrite(operation, input);
    if (writes && operation.limit !== 'write') await countWrite(context, request, reply);
    const address = clientAddress(request.ip);
    const answer = async (more: Pick<Call, 'idempotencyKey'> = {}): Promise<unknown> => {
      const { id: requestId, headers } = request;
      const untilMs = performance.now() + context.config.handlerTimeoutMs;
      const gone = () => goneSignal(reply.raw, untilMs);
      const whence = { requestId, address, http: { headers } };
      const output = await handler(context, input, { ...more, ...whence, caller, untilMs, gone });
      if (context.config.checkOutputs) operation.output.parse(output);
      return output;
    };
    const key = request.headers['idempotency-key'];
    let output: unknown;
    if (writes && caller !== null && typeof key === 'string') {
      const { db, offLoop } = context;
      const call = { db, offLoop, operation, userId: caller.userId, address, key, input: inputOf(request) };
      const done = await inTime(once(call, () => answer({ idempotencyKey: key })));
      output = done.output;
      if (done.replayed) reply.header('idempotent-replayed', 'true');
    } else {
      output = await inTime(answer());
    }
    if (operation.produces !== undefined) {
      const { body, headers } = output as Content;
      reply.headers(headers);
      return body;
    }
    reply.header('cache-control', 'no-store').header('content-type', 'application/json; charset=utf-8');
    return JSON.stringify(output);
  };
};

/** Of a call that was counted as a read when it arrived, and turns out to be a write. */
const countWrite = async ({ limiter }: Context, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  const limited = await limiter.take('write', request.caller, request.ip);
  reply.headers(limitHeaders(limited));
  requireAdmitted(limited);
};

const readerOf = (context: Context, { headers, body }: FastifyRequest) =>
  signedReader(context, headers, (body ?? {}) as Record<string, unknown>);

/** GET takes path and query, POST the body; a POST without a body is an empty one. */
const inputOf = (request: FastifyRequest): unknown =>
  request.method === 'POST' ? (request.body ?? {}) : { ...(request.query as object), ...(request.params as object) };
