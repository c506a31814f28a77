import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { MintageError, type Operation, type Route, routesOf } from '@mintage/protocol';
import { operations } from '@mintage/protocol/operations';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type HTTPMethods } from 'fastify';
import type { Caller } from '../../accounts/caller.ts';
import { namedWallet } from '../../accounts/namedWallet.ts';
import { requireAccess } from '../../accounts/requireAccess.ts';
import { createCall } from '../../call.ts';
import { limitHeaders, requireAdmitted } from '../../limits/limiter.ts';
import { createUnproved } from '../../limits/unproved.ts';
import { errorAnswer, toMintageError } from '../../wire/errorAnswer.ts';
import { anonymousBodyLimit, basePath } from '../../wire/limits.ts';
import { requireReadable } from '../../wire/readableText.ts';
import { requestIdOf } from '../../wire/requestId.ts';
import { cutSlowClients } from '../../wire/slowClients.ts';
import { serveDocs } from '../docs/serveDocs.ts';
import { serveOauth } from '../oauth/serveOauth.ts';
import { createPages } from '../pages/pages.ts';
import { asksForPage, sendNoSuchPage, servePages } from '../pages/servePages.ts';
import type { ServiceContext } from '../serviceContext.ts';
import { acceptWebSockets, asksForWebSocket } from '../sockets/acceptWebSockets.ts';
import { serveTools } from '../tools/serveTools.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { createBodyReader } from './readBody.ts';
import { responder } from './respond.ts';
import { failRequest, traceRequests } from './traceRequests.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies HTTPMethods[];

/** Headers of every answer, also of those that a library writes. HTML pages set a policy of their own. */
const everyAnswerHeaders = {
  ...corsHeaders,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
};

const withHeaders = ({ id }: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.headers({ ...everyAnswerHeaders, 'x-request-id': id });

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Operation that the route serves, with its access rule; null on a route that only refuses. */
    operation?: Operation | null;
    /** What a request to a route without an operation counts as; absent: a read. */
    limit?: Operation['limit'];
  }
  interface FastifyRequest {
    /** Caller that the credential proves; set before the body is read. */
    caller: Caller | null;
    /** It waits for who signed it, and was not taken from any allowance yet. */
    isUncounted: boolean;
    /** The response that belongs to the request. */
    response: ServerResponse;
  }
}

/** Serves all operations over HTTP: one loop over the operation list. What an operation does is in its handler. */
export const buildApp = (context: ServiceContext): FastifyInstance => {
  const pace = context.config.clientPace;
  const app = Fastify({
    logger: false,
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: anonymousBodyLimit, // for form bodies; JSON bodies are limited by operation and caller
    requestTimeout: 0, // a long body may take long as long as it keeps its pace (`slowClients.ts`)
    keepAliveTimeout: pace.idleMs,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 128 },
    exposeHeadRoutes: true,
    trustProxy: context.config.trustedProxies.length > 0 ? [...context.config.trustedProxies] : false,
    return503OnClosing: true,
    // Of an address that cannot be read, before any hook runs.
    frameworkErrors: (error, request, reply) => void fail(context, error, request, withHeaders(request, reply)),
    clientErrorHandler: refuseUnreadable,
    http: {
      shouldUpgradeCallback: asksForWebSocket,
      headersTimeout: pace.headersMs,
      connectionsCheckingInterval: pace.checkEveryMs,
    },
  });
  const slowClients = cutSlowClients(app.server, pace);
  app.addHook('onClose', () => slowClients.stop());
  acceptWebSockets(app, context);

  app.addHook('onRoute', ({ url, config }) => {
    if (config?.operation === undefined) throw new Error(`${url} serves no operation and so has no access rule.`);
  });

  traceRequests(app);
  app.removeAllContentTypeParsers();
  const bodies = createBodyReader(context);
  app.addContentTypeParser('application/json', bodies.readJson);

  app.addHook('onRequest', (request, reply, done) => {
    request.response = reply.raw;
    withHeaders(request, reply);
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') {
      done(new MintageError('INVALID_JSON', 'Compressed bodies are not accepted'));
      return;
    }
    done();
  });
  app.decorateRequest('caller', null);
  app.decorateRequest('isUncounted', false);
  const unproved = createUnproved(context.limiter);
  app.addHook('onRequest', async (request, reply) => {
    const { operation, limit } = request.routeOptions.config ?? {};
    const kind = operation?.limit ?? limit;
    if (request.method === 'OPTIONS' || kind === 'none') return;
    const { authorization } = request.headers;
    if (authorization !== undefined) request.caller = await context.auth.verify(authorization);
    if (request.caller === null && operation?.media?.signedInside && namedWallet(authorization) !== null) {
      unproved.requireRoom(request.ip);
      request.isUncounted = true;
      return;
    }
    const taken = context.limiter.take(kind, request.caller, request.ip);
    const limited = taken instanceof Promise ? await taken : taken;
    reply.headers(limitHeaders(limited));
    requireAdmitted(limited);
    // The rule of every call is in `call.ts`; here it spares reading a body, but where the body helps to prove the caller.
    if (operation && !operation.walletSigned) await requireAccess(context, operation, request.caller);
  });
  // What a wallet signed was counted when it proved to be a user's.
  app.addHook('onSend', async (request, reply) => {
    if (!request.isUncounted) return;
    request.isUncounted = false;
    reply.headers(limitHeaders(await unproved.count(request.routeOptions.config.operation?.limit, request.ip)));
  });
  app.addHook('preParsing', (request, reply, _payload, done) => {
    bodies.admit(request);
    if (request.headers.expect !== undefined) reply.raw.writeContinue();
    done();
  });
  // A client that sends `Expect: 100-continue` gets its go-ahead only once the request is admitted.
  app.server.on('checkContinue', (request, response) => app.routing(request, response));
  // Applies to every route, also to those added later and to those that serve no operation.
  app.addHook('preValidation', async ({ params, query, headers, body, url }) => {
    for (const given of [params, query, Object.values(headers), body]) requireReadable(given);
    // Fastify leaves a value with an invalid escape undecoded; the authorization server decodes the valid escapes in
    // it.
    if (url.includes('%')) requireReadable(new URLSearchParams(url.split(/\?(.*)/s)[1]));
  });
  app.addHook('preClose', () => context.streams.stop());
  app.addHook('onClose', () => context.offLoop.close());
  app.addHook('onClose', () => context.limiter.stop());
  app.addHook('onClose', () => context.signerNews.stop());
  app.addHook('onClose', () => context.chainNews.stop());
  app.addHook('onResponse', (request, reply, done) => {
    logAnswer(context, request, reply);
    done();
  });

  const call = createCall(context);
  const pages = createPages(context, call, context.now);
  app.setErrorHandler((error, request, reply) => fail(context, error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    if (request.method === 'OPTIONS') return reply.code(204).headers(preflightHeaders).send();
    if (asksForPage(request)) return sendNoSuchPage(pages, request, reply);
    return fail(context, new MintageError('NOT_FOUND', 'There is no such path'), request, reply);
  });

  for (const [path, served] of byPath(operations, context.config.platformSlug)) {
    for (const { operation, method } of served) {
      app.route({
        method,
        url: path,
        config: { operation },
        // A stream never ends, so it cannot be run to compute its headers.
        exposeHeadRoute: operation.produces !== 'text/event-stream',
        handler: responder(context, operation, call),
      });
    }
    const allowed: string[] = served.map(({ method }) => method);
    app.route({
      method: methods.filter((method) => !allowed.includes(method)),
      url: path,
      config: { operation: null },
      handler: (request, reply) => {
        reply.header('allow', [...allowed, 'OPTIONS'].join(', '));
        const message = `${request.method} is not served here, only ${allowed.join(' and ')}`;
        return fail(context, new MintageError('METHOD_NOT_ALLOWED', message), request, reply);
      },
    });
  }
  serveDocs(app, context.documents);
  servePages(app, pages, context.config);
  serveOauth(app, context);
  serveTools(app, context, call);
  return app;
};

interface Served {
  operation: Operation;
  method: Route['method'];
}

/** Operations by full path: below the base path, and some also at the root. */
const byPath = (list: readonly Operation[], platformSlug: string): Map<string, Served[]> => {
  const paths = new Map<string, Served[]>();
  for (const operation of list) {
    for (const { method, path } of routesOf(operation, platformSlug)) {
      for (const full of operation.atRoot ? [basePath + path, path] : [basePath + path]) {
        paths.set(full, [...(paths.get(full) ?? []), { operation, method }]);
      }
    }
  }
  return paths;
};

/** Error shape for requests that match no operation. */
const anyOperation = { errorShape: 'A' } as const;

const fail = (context: ServiceContext, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const known = toMintageError(error, request.id);
  if (known.kind.status >= 500) context.log.error({ requestId: request.id, err: known.cause ?? known }, known.message);
  failRequest(request, known);
  const { status, body } = errorAnswer(known, request.routeOptions.config?.operation ?? anyOperation, request.id);
  if (status === 401 && !reply.hasHeader('www-authenticate')) reply.header('www-authenticate', 'Bearer');
  if ((status === 503 || status === 429) && !reply.hasHeader('retry-after')) reply.header('retry-after', '2');
  // `slowClients.ts` closes the connection a moment later; closing it at once would keep a client that still sends from
  // reading the answer.
  reply.removeHeader('connection');
  if (hasMuchToSend(request)) request.raw.read(0); // after a read has begun, Node does not drain the rest of the body
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
};

/** Whether the client still has a body to send that nobody will read. */
const hasMuchToSend = ({ raw, headers }: FastifyRequest): boolean =>
  !raw.complete &&
  (headers.expect !== undefined ||
    headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) > anonymousBodyLimit);

/**
 * Answers connections whose bytes are not HTTP or come too slowly: there is no request yet to answer in the usual way.
 */
const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  // The clock alone does not say who was slow: the sender, or this process, which had not read what lay there.
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const refusal = isLate
    ? new MintageError('SERVICE_UNAVAILABLE', 'The request did not arrive in time')
    : new MintageError('INVALID_JSON', 'The request cannot be read');
  const { status, body: answer } = errorAnswer(refusal, anyOperation, randomUUID());
  const body = JSON.stringify(answer);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n${isLate ? 'retry-after: 2\r\n' : ''}content-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
};

const logAnswer = (context: ServiceContext, request: FastifyRequest, reply: FastifyReply): void => {
  const { url, config } = request.routeOptions;
  const operation = config?.operation?.name ?? 'none';
  const ms = reply.elapsedTime;
  context.metrics.observe(operation, reply.statusCode, ms / 1000);
  if (!context.log.isLevelEnabled('info')) return;
  context.log.info({
    requestId: request.id,
    operation,
    method: request.method,
    // Routes that are no operation are logged by their pattern, because the paths of OAuth contain ids of running
    // flows.
    path: config?.operation === null && url !== undefined ? url : pathOf(request.url),
    status: reply.statusCode,
    ms: Math.round(ms * 1000) / 1000,
  });
};

const pathOf = (url: string): string => {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
};
