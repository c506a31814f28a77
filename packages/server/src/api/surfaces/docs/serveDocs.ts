import { MintageError } from '@mintage/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Documents, Encoding } from '../../handlers/context.ts';

/** The documentation at `/docs`: files and no operations. */
export const serveDocs = (app: FastifyInstance, documents: Documents): void => {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<Uint8Array | undefined> => {
    const { '*': path = '' } = request.params as { '*'?: string };
    const file = (await documents.site()).served(path.replace(/\/$/, ''));
    if (file === undefined) throw new MintageError('NOT_FOUND', 'The documentation has no such page; see /docs');
    const encoding = encodingFor(request.headers['accept-encoding']);
    const tag = `"${file.tag}-${encoding}"`;
    reply.headers({ ...file.headers, etag: tag, vary: 'accept-encoding' });
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    if (isKnown(request.headers['if-none-match'], tag)) {
      reply.code(304);
      return undefined;
    }
    return file.body(encoding);
  };
  for (const url of ['/docs', '/docs/*']) app.get(url, { config: { operation: null } }, answer);
};

/** The best that a client takes. One that it names with weight zero it does not take. */
const encodingFor = (accepted = ''): Encoding => {
  const names = accepted
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';')[0]);
  return (['br', 'gzip'] as const).find((name) => names.includes(name)) ?? 'identity';
};

const isKnown = (known: string | undefined, tag: string): boolean =>
  known?.split(',').some((one) => one.trim().replace(/^W\//, '') === tag) ?? false;
