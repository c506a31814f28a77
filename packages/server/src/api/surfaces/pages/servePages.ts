import { MintageError } from '@mintage/protocol';
import { embedPaths, pagePaths } from '@mintage/web/paths';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import { basePath } from '../../wire/limits.ts';
import { sendFile } from '../files/sendFile.ts';
import type { Pages } from './pages.ts';

/** The web app: pages and what they load, and no operations. */
export const servePages = (app: FastifyInstance, pages: Pages, config: Config): void => {
  const page = async (request: FastifyRequest, reply: FastifyReply): Promise<Uint8Array | undefined> => {
    const elsewhere = named(request, config);
    if (elsewhere !== null) {
      reply.redirect(elsewhere, 307);
      return undefined;
    }
    const { status, file } = await pages.page(request.url);
    reply.removeHeader('access-control-allow-origin').code(status);
    return sendFile(request, reply, file);
  };
  for (const url of [...Object.values(pagePaths), ...Object.values(embedPaths)])
    app.get(url, { config: { operation: null } }, page);

  // A page loads many files at once, and each of them once: they are not counted.
  const free = { config: { operation: null, limit: 'none' as const } };
  app.get('/app/:name', free, async (request, reply) => {
    const { name } = request.params as { name: string };
    const file = await pages.file(name);
    if (file === undefined) throw new MintageError('NOT_FOUND', 'There is no such file; load the page again');
    return sendFile(request, reply, file);
  });
  app.get('/embed.js', free, async (request, reply) => sendFile(request, reply, await pages.include()));
  app.get('/push.js', free, async (request, reply) => sendFile(request, reply, await pages.push()));
  app.get('/icon.svg', free, async (request, reply) => sendFile(request, reply, await pages.icon()));
};

/** Whether somebody looks for a page, and no program for an answer. */
export const asksForPage = ({ method, url, headers: { accept = '' } }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && accept.includes('text/html') && !url.startsWith(`${basePath}/`);

/** The page of an address that is nowhere: one for all of them, so that unknown addresses cost nothing. */
export const sendNoSuchPage = async (pages: Pages, request: FastifyRequest, reply: FastifyReply) => {
  const { file } = await pages.page('/no-such-page');
  reply.removeHeader('access-control-allow-origin').code(404);
  return sendFile(request, reply, file);
};

/** Passkeys belong to a name: a page that is asked for by this machine's number is at its name. Null: it is there already. */
const named = ({ url, hostname }: FastifyRequest, { appUrl }: Config): string | null => {
  const { hostname: wanted } = new URL(appUrl);
  const isNumber = hostname === '127.0.0.1' || hostname === '[::1]';
  return isNumber && wanted === 'localhost' ? appUrl + url : null;
};
