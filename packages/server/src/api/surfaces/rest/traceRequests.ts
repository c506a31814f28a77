import type { MintageError } from '@mintage/protocol';
import { context } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail, isTracing, startRequest } from '../../../tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where nothing is traced. */
    traced: ReturnType<typeof startRequest> | null;
  }
}

/** A span for each request, named by its route, in which whatever the request causes has its place. */
export const traceRequests = (app: FastifyInstance): void => {
  app.decorateRequest('traced', null);
  if (!isTracing()) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request;
    const { url: route, config } = routeOptions;
    request.traced = startRequest([method, route].join(' ').trim(), headers, {
      'http.request.method': method,
      'http.route': route,
      'mintage.operation': config?.operation?.name,
      'mintage.request': request.id,
    });
    done();
  });
  // Once the body is there, because it comes by events of the socket, which belong to no request.
  app.addHook('preHandler', ({ traced }, _reply, done) => {
    if (traced === null) done();
    else context.with(traced.within, done);
  });
  app.addHook('onResponse', ({ traced }, { statusCode }, done) => {
    traced?.span.setAttribute('http.response.status_code', statusCode).end();
    done();
  });
};

/** Records why a request is answered with an error; a mistake of the caller does not make the span a failed one. */
export const failRequest = ({ traced }: FastifyRequest, { code, kind }: MintageError): void => {
  if (traced === null || traced === undefined) return;
  if (kind.status >= 500) fail(traced.span, code);
  else traced.span.setAttribute('error.type', code);
};
