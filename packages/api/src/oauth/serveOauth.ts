import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { resourceMetadata, serverMetadata, wellKnown } from './addresses.ts';

/** Adds the authorization server's routes: they are OAuth's, and so no operations. */
export const serveOauth = (app: FastifyInstance, context: Context): void => {
  const { issuer, resource } = context.oauth.addresses;
  const documents = {
    [wellKnown('oauth-protected-resource', resource)]: resourceMetadata(context.config),
    [wellKnown('oauth-authorization-server', issuer)]: serverMetadata(context.config),
  };
  for (const [address, document] of Object.entries(documents)) {
    const body = JSON.stringify(document);
    app.get(new URL(address).pathname, { config: { operation: null } }, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=300').type('application/json; charset=utf-8').send(body),
    );
  }
};
