import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The caller's id when it is harmless in a log line and a header, else a new one. */
export const requestIdOf = (request: Pick<IncomingMessage, 'headers'>): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
};
