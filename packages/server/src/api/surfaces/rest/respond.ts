import type { Content, Operation } from '@mintage/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../accounts/caller.ts';
import { signedReader } from '../../accounts/evm/walletSignature.ts';
import type { Calling } from '../../call.ts';
import { clientAddress } from '../../limits/clientAddress.ts';
import { limitHeaders, requireAdmitted } from '../../limits/limiter.ts';
import { goneSignal } from '../../wire/goneSignal.ts';
import { isKnown } from '../files/sendFile.ts';
import type { ServiceContext } from '../serviceContext.ts';

/** The body of an answer; its headers are set on the reply. */
export type Respond = (request: FastifyRequest, reply: FastifyReply) => Promise<Content['body']>;

/** @param call - See `call.ts`: what is done here is only to take it in and to send its answer. */
export const responder =
  (context: ServiceContext, operation: Operation, call: Calling): Respond =>
  async (request, reply) => {
    const { id: requestId, headers } = request;
    const key = headers['idempotency-key'];
    const { output, replayed } = await call({
      operation,
      caller: request.caller ?? (operation.walletSigned ? await readerOf(context, request) : null),
      input: inputOf(request),
      key: typeof key === 'string' ? key : undefined,
      requestId,
      address: clientAddress(request.ip),
      http: { headers },
      countWrite: () => countWrite(context, request, reply),
      countAs: (caller) => countAs(context, request, reply, caller),
      gone: (untilMs) => goneSignal(reply.raw, untilMs),
    });
    if (replayed) reply.header('idempotent-replayed', 'true');
    if (operation.produces !== undefined) {
      const content = output as Content;
      reply.headers(content.headers);
      const { etag } = content.headers;
      if (etag === undefined || !isKnown(headers['if-none-match'], etag)) return content.body;
      reply.code(304);
      return '';
    }
    reply.header('cache-control', 'no-store').header('content-type', 'application/json; charset=utf-8');
    return JSON.stringify(output);
  };

/** Counts a call that was let in uncounted as this user's. */
const countAs = async (
  { limiter }: ServiceContext,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
): Promise<void> => {
  if (!request.isUncounted) return;
  request.isUncounted = false;
  const limited = await limiter.take(request.routeOptions.config.operation?.limit, caller, request.ip);
  reply.headers(limitHeaders(limited));
  requireAdmitted(limited);
};

/** Counts a call as a write that was counted as a read when it arrived. */
const countWrite = async ({ limiter }: ServiceContext, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  const limited = await limiter.take('write', request.caller, request.ip);
  reply.headers(limitHeaders(limited));
  requireAdmitted(limited);
};

const readerOf = (context: ServiceContext, { headers, body }: FastifyRequest) =>
  signedReader(context, headers, (body ?? {}) as Record<string, unknown>);

/** The input of a request: path and query of a GET, the body of a POST; a missing body counts as an empty object. */
const inputOf = (request: FastifyRequest): unknown =>
  request.method === 'POST' ? (request.body ?? {}) : { ...(request.query as object), ...(request.params as object) };
