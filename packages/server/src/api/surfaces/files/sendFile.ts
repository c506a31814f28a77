import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Encoding, ServedFile } from '../../handlers/context.ts';

/** Sends a file as the client takes it best; 304 and nothing where it has it already. */
export const sendFile = async (
  request: FastifyRequest,
  reply: FastifyReply,
  file: ServedFile,
): Promise<Uint8Array | undefined> => {
  const encoding = encodingFor(request.headers['accept-encoding']);
  const tag = `"${file.tag}-${encoding}"`;
  reply.headers({ ...file.headers, etag: tag, vary: 'accept-encoding' });
  if (isKnown(request.headers['if-none-match'], tag)) {
    reply.code(304);
    return undefined;
  }
  const body = await file.body(encoding);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return body;
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

/** Whether a client has the content with this tag already, by its `if-none-match`. */
export const isKnown = (known: string | undefined, tag: string): boolean =>
  known?.split(',').some((one) => one.trim().replace(/^W\//, '') === tag) ?? false;
