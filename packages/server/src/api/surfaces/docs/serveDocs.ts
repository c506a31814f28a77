import { MintageError } from '@mintage/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Documents } from '../../handlers/context.ts';
import { sendFile } from '../files/sendFile.ts';

/** The documentation at `/docs`: files and no operations. */
export const serveDocs = (app: FastifyInstance, documents: Documents): void => {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<Uint8Array | undefined> => {
    const { '*': path = '' } = request.params as { '*'?: string };
    const file = (await documents.site()).served(path.replace(/\/$/, ''));
    if (file === undefined) throw new MintageError('NOT_FOUND', 'The documentation has no such page; see /docs');
    return sendFile(request, reply, file);
  };
  for (const url of ['/docs', '/docs/*']) app.get(url, { config: { operation: null } }, answer);
};
