import { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { oauthPath, resourceMetadata, routes, serverMetadata, wellKnown } from './addresses.ts';
import { offeredScopes } from './authorizationServer.ts';
import { limitSignIn, sendPage, serveInteraction } from './interaction.ts';
import type { OauthContext } from './oauth.ts';
import { errorPage } from './pages/errorPage.ts';

/** Adds the routes of the authorization server. They are defined by OAuth and so are not operations. */
export const serveOauth = (app: FastifyInstance, context: OauthContext): void => {
  serveDocuments(app, context);
  serveInteraction(app, context);
  app.register(async (scope) => {
    // Parsed here, so that the library's input passes the same checks as every other body.
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
      done(null, new URLSearchParams(text as string)),
    );

    const options = { config: { operation: null }, exposeHeadRoute: false };
    const limited = { ...options, preHandler: limitSignIn(context) };
    scope.get(path.authorization, options, (request, reply) => {
      const url = request.raw.url as string;
      if (asksForOtherMode(url)) {
        return sendPage(
          reply,
          errorPage(context.config, 'the answer can only be sent in the query of the address'),
          400,
        );
      }
      return answer(context, request, reply, withScopes(url));
    });
    scope.get(`${path.authorization}/:uid`, options, (request, reply) => answer(context, request, reply));
    scope.get(path.jwks, options, (request, reply) => answerAnyOrigin(context, request, reply));
    scope.post(path.token, options, (request, reply) => answerAnyOrigin(context, request, reply));
    scope.post(path.revocation, options, (request, reply) => answerAnyOrigin(context, request, reply));
    scope.post(path.registration, limited, (request, reply) => answerAnyOrigin(context, request, reply));
  });
};

/** The routes' full paths. */
const path = {
  authorization: oauthPath + routes.authorization,
  token: oauthPath + routes.token,
  registration: oauthPath + routes.registration,
  revocation: oauthPath + routes.revocation,
  jwks: oauthPath + routes.jwks,
};

/** RFC 9728 and RFC 8414. */
const serveDocuments = (app: FastifyInstance, { config, oauth }: OauthContext): void => {
  const { issuer, resource } = oauth.addresses;
  const documents = {
    [wellKnown('oauth-protected-resource', resource)]: resourceMetadata(config),
    [wellKnown('oauth-authorization-server', issuer)]: serverMetadata(config),
  };
  for (const [address, document] of Object.entries(documents)) {
    const body = JSON.stringify(document);
    app.get(new URL(address).pathname, { config: { operation: null } }, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=300').type('application/json; charset=utf-8').send(body),
    );
  }
};

/** Scopes of a client that names none: nothing that executes. */
const usualScopes = 'read prepare';

/**
 * The request reduced to the scopes that exist here: clients also ask for `openid` or `offline_access` by default. A
 * request without any known scope is left as it is, and refused.
 */
const withScopes = (url: string): string => {
  const [path, query = ''] = url.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const asked = parameters.getAll('scope');
  if (asked.length > 1) return url;
  const offered = asked.length === 0 || asked[0] === '' ? usualScopes : offeredScopes(asked[0]).join(' ');
  if (offered === '') return url;
  parameters.set('scope', offered);
  return `${path}?${parameters}`;
};

/**
 * Whether the request asks for a response mode that the library supports and we do not offer, such as fragments
 * (`serverMetadata`).
 */
const asksForOtherMode = (url: string): boolean =>
  new URLSearchParams(url.split(/\?(.*)/s)[1]).getAll('response_mode').some((mode) => mode !== 'query');

/** Lets the library answer. Its addresses derive from the public address, whatever host the request names. */
const answer = async (
  { oauth }: OauthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  url = request.raw.url as string,
): Promise<void> => {
  const raw = unread(request);
  const provider = await oauth.authorizationServer();
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined && !name.startsWith('access-control-')) reply.raw.setHeader(name, value);
  }
  const issuer = new URL(oauth.addresses.issuer);
  Object.assign(raw, { url: url.slice(oauthPath.length), baseUrl: issuer.pathname });
  delete raw.headers['x-forwarded-host'];
  Object.assign(raw.headers, { host: issuer.host, 'x-forwarded-proto': issuer.protocol.slice(0, -1) });
  await provider.callback()(raw, reply.raw);
};

/** The request with an unread body, serialised again from the parsed one. */
const unread = ({ raw, body }: FastifyRequest): IncomingMessage => {
  if (body === undefined) return raw;
  const text = Buffer.from(body instanceof URLSearchParams ? body.toString() : JSON.stringify(body));
  const { method, url, headers, httpVersionMajor } = raw;
  const again = Object.assign(new IncomingMessage(raw.socket), { method, url, httpVersionMajor, complete: true });
  again.headers = { ...headers, 'content-length': String(text.length) };
  delete again.headers['transfer-encoding'];
  again.push(text);
  again.push(null);
  return again;
};

/** Allows pages of any origin: these routes read no cookie and identify the caller by the request's content. */
const answerAnyOrigin = (context: OauthContext, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  reply.raw.setHeader('access-control-allow-origin', '*');
  delete request.raw.headers.cookie;
  return answer(context, request, reply);
};
