import { MintageError, type Operation } from '@mintage/protocol';
import {
  type AuthInfo,
  type CallToolResult,
  createMcpHandler,
  isInitializeRequest,
  ProtocolError,
  ProtocolErrorCode,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../accounts/caller.ts';
import { clientAddress } from '../../limits/clientAddress.ts';
import { goneSignal } from '../../wire/goneSignal.ts';
import { notOneObject } from '../../wire/parseJson.ts';
import type { ServiceContext } from '../serviceContext.ts';
import { createFrames } from './frames.ts';
import { plainMessageOf } from './plainMessage.ts';
import { type Answers, type CallParams, toolServer } from './toolServer.ts';
import type { ServedTool, ToolSet } from './toolSet.ts';

export interface McpRoute {
  path: string;
  operation: Operation;
  /** Host names under which this is reached. */
  hosts: readonly string[];
  /** Host names of web pages that may call it. */
  origins: readonly string[];
  /** @throws MintageError when the caller may not use the tool server. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<Caller>;
  /** Name of the platform, shown to the user of the assistant. */
  name: string;
  instructions: string;
  tools(): ToolSet;
  /** @param key - Idempotency key of the call, as the Idempotency-Key header is over HTTP. */
  call(one: Admitted, served: ServedTool, given: unknown, key: string | undefined): Promise<CallToolResult>;
}

/** A request that `admit` let through. */
export interface Admitted {
  caller: Caller;
  request: ToolRequest;
}

/** The HTTP request in which a message came. */
export interface ToolRequest {
  id: string;
  /** Client address as `clientAddress` normalizes it. */
  address: string;
  /** A signal that aborts when the client is gone, at the latest at `untilMs`; created on demand. */
  gone(untilMs: number): AbortSignal;
}

/** The Model Context Protocol on one path, both eras, without sessions: every request stands for itself. */
export const serveMcp = (
  app: FastifyInstance,
  { config, log }: Pick<ServiceContext, 'config' | 'log'>,
  route: McpRoute,
) => {
  const url = config.publicUrl + route.path;
  const frames = createFrames();
  let listed: { list: Answers['list']; text: string } | undefined;
  const lists = () => {
    if (listed !== undefined) return listed;
    const list = { tools: route.tools().list };
    return (listed = { list, text: JSON.stringify(list) });
  };
  const handler = createMcpHandler(
    ({ authInfo }) => toolServer(route, (authInfo as AuthInfo).extra as unknown as Answers),
    { onerror: (err) => log.debug({ err }, 'A message to the tool server was refused.') },
  );
  app.addHook('preClose', () => handler.close());
  const [hosts, origins] = [[...route.hosts], [...route.origins]];

  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: route.path,
    config: { operation: route.operation },
    exposeHeadRoute: false,
    errorHandler(error, request, reply) {
      const refusal = bodyRefusalOf(error, request);
      if (refusal === null) throw error;
      void reply.code(400).header('cache-control', 'no-store').send(refusal);
    },
    async onRequest(request, reply) {
      requireOwnHost(request, hosts, origins);
      request.caller = await route.admit(request, reply);
    },
    async handler(request, reply) {
      reply.header('cache-control', 'no-store');
      const refusal = refusalOf(request.body);
      if (refusal !== null) return reply.send(refusal);
      const gone = (untilMs: number) => goneSignal(reply.raw, untilMs);
      const { caller, id, ip } = request as FastifyRequest & { caller: Caller };
      const one = { caller, request: { id, address: clientAddress(ip), gone } };
      const plain = request.method === 'POST' ? plainMessageOf(request.headers, request.body) : null;
      const framed = plain && frames.of(plain);
      if (framed) {
        const result =
          plain.method === 'tools/list' ? lists().text : JSON.stringify(await answerCall(route, one, plain.params));
        return reply.header('content-type', 'application/json').send(framed(result));
      }
      const { list, text: listText } = lists();
      let result = listText;
      const answers: Answers = {
        list,
        async call(params) {
          const called = await answerCall(route, one, params);
          result = JSON.stringify(called);
          return called;
        },
      };
      const authInfo = { token: '', clientId: '', scopes: [], extra: { ...answers } };
      const answer = await handler.fetch(webRequest(request, url), { authInfo, parsedBody: request.body });
      // A single message is sent with its length; only lasting exchanges are streamed.
      if (!answer.headers.get('content-type')?.startsWith('application/json')) return reply.send(answer);
      const text = await answer.text();
      if (plain !== null && answer.status === 200) frames.learn(plain, result, text);
      return reply.code(answer.status).headers(Object.fromEntries(answer.headers)).send(text);
    },
  });
};

/** One call of a tool, whether the library or a learnt frame is around its answer. */
const answerCall = async (
  { tools, call }: McpRoute,
  one: Admitted,
  { name, arguments: given = {}, _meta: meta }: CallParams,
): Promise<CallToolResult> => {
  const served = tools().byName.get(name);
  if (served === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no tool of this name');
  }
  const key = meta?.idempotencyKey;
  return call(one, served, given, typeof key === 'string' ? key : undefined);
};

/** The library reports a malformed `initialize` as an internal error (-32603); it is the caller's. */
const refusalOf = (body: unknown): object | null => {
  const { method, id } = (body ?? {}) as { method?: unknown; id?: unknown };
  if (method !== 'initialize' || isInitializeRequest(body)) return null;
  const message = 'The params of initialize need protocolVersion, capabilities and clientInfo';
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return { jsonrpc: '2.0', id: known, error: { code: ProtocolErrorCode.InvalidParams, message } };
};

/** What cannot be read as one message, several among them, in the protocol's own form; null for every other error. */
const bodyRefusalOf = (error: unknown, { body }: FastifyRequest): object | null => {
  if (!(error instanceof MintageError) || error.code !== 'INVALID_JSON' || body !== undefined) return null;
  const isOther = error.message === notOneObject;
  const code = isOther ? ProtocolErrorCode.InvalidRequest : ProtocolErrorCode.ParseError;
  const message = isOther ? 'Send each message in a request of its own: several in one are not taken' : error.message;
  return { jsonrpc: '2.0', id: null, error: { code, message } };
};

/**
 * Refuses a browser page that reached this server under a foreign host name (DNS rebinding) before anything else (T3).
 *
 * @throws MintageError FORBIDDEN_ORIGIN.
 */
const requireOwnHost = ({ headers }: FastifyRequest, hosts: string[], origins: string[]): void => {
  const isOwn = validateHostHeader(headers.host, hosts).ok && validateOriginHeader(headers.origin, origins).ok;
  if (!isOwn) throw new MintageError('FORBIDDEN_ORIGIN', 'The tool server does not answer to this host or origin');
};

/**
 * The request without its body, which is read and parsed already, and without the credential. Clients that accept any
 * type, or JSON alone, get JSON: the library asks each for both of its forms.
 */
const webRequest = ({ method, headers }: FastifyRequest, url: string): Request => {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && name !== 'authorization') kept.set(name, value);
  }
  if (method === 'POST') kept.set('accept', 'application/json, text/event-stream');
  return new Request(url, { method, headers: kept });
};
