import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { MintageError, type Operation } from '@mintage/protocol';
import { operations } from '@mintage/protocol/operations';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type HTTPMethods } from 'fastify';
import type { Context } from '../context.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { errorAnswer, toMintageError } from './errorAnswer.ts';
import { basePath, defaultBodyLimit } from './limits.ts';
import { parseJson } from './parseJson.ts';
import { requestIdOf } from './requestId.ts';
import { responder } from './respond.ts';
import { createTimeLimit } from './timeLimit.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies HTTPMethods[];

const everyAnswerHeaders = { ...corsHeaders, 'x-content-type-options': 'nosniff' };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route serves, which has its access rule; null on a route that only refuses. */
    operation?: Operation | null;
  }
}

/** All operations over HTTP. A loop over the list; what an operation does is in its handler. */
export const buildApp = (context: Context): FastifyInstance => {
  const app = Fastify({
    logger: false,
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: defaultBodyLimit,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 128 },
    exposeHeadRoutes: true,
    return503OnClosing: true,
    frameworkErrors: (error, request, reply) => fail(context, error, request, reply),
    clientErrorHandler: refuseUnreadable,
  });

  app.addHook('onRoute', ({ url, config }) => {
    if (config?.operation === undefined) throw new Error(`${url} serves no operation and so has no access rule.`);
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, text === '' ? {} : parseJson(text as string));
    } catch (error) {
      done(error as Error);
    }
  });

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(everyAnswerHeaders);
    reply.header('x-request-id', request.id);
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') {
      done(new MintageError('INVALID_JSON', 'Compressed bodies are not accepted'));
      return;
    }
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    logAnswer(context, request, reply);
    done();
  });

  app.setErrorHandler((error, request, reply) => fail(context, error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    if (request.method === 'OPTIONS') return reply.code(204).headers(preflightHeaders).send();
    return fail(context, new MintageError('NOT_FOUND', 'There is no such path'), request, reply);
  });

  const inTime = createTimeLimit(context.config.handlerTimeoutMs);
  for (const [path, served] of byPath(operations)) {
    for (const operation of served) {
      app.route({
        method: operation.method,
        url: path,
        bodyLimit: operation.bodyLimit ?? defaultBodyLimit,
        config: { operation },
        handler: responder(context, operation, inTime),
      });
    }
    const allowed: string[] = served.map((operation) => operation.method);
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
  return app;
};

/** Full paths and the operations behind them: below the base path, and some also at the root. */
const byPath = (list: readonly Operation[]): Map<string, Operation[]> => {
  const paths = new Map<string, Operation[]>();
  for (const operation of list) {
    for (const path of operation.atRoot ? [basePath + operation.path, operation.path] : [basePath + operation.path]) {
      paths.set(path, [...(paths.get(path) ?? []), operation]);
    }
  }
  return paths;
};

const fail = (context: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const known = toMintageError(error, request.id);
  if (known.kind.status >= 500) context.log.error({ requestId: request.id, err: known.cause ?? known }, known.message);
  const { status, body } = errorAnswer(known, request.routeOptions.config?.operation?.errorShape ?? 'A', request.id);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (status === 503) reply.header('retry-after', '2');
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
};

/** What arrives is not HTTP, or too slow: there is no request yet that could be answered in the usual way. */
const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = new MintageError('INVALID_JSON', 'The request cannot be read');
  const body = JSON.stringify(errorAnswer(refusal, 'A', randomUUID()).body);
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
};

const logAnswer = (context: Context, request: FastifyRequest, reply: FastifyReply): void => {
  const operation = request.routeOptions.config?.operation?.name ?? 'none';
  const ms = reply.elapsedTime;
  context.metrics.observe(operation, reply.statusCode, ms / 1000);
  context.log.info({
    requestId: request.id,
    operation,
    method: request.method,
    path: pathOf(request.url),
    status: reply.statusCode,
    ms: Math.round(ms * 1000) / 1000,
  });
};

const pathOf = (url: string): string => {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
};
