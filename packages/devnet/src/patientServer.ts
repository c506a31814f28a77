import type { ServerOptions } from 'node:http';

/**
 * For HTTP servers that serve this machine alone. Node closes a connection that was idle for five seconds; where a busy machine lets
 * this process stand still as long, it does so before it has read the request that came meanwhile, and the caller's `fetch` fails
 * with ECONNRESET. The connection ends with the server, or with the client.
 */
export const patientServer: ServerOptions = { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 };
