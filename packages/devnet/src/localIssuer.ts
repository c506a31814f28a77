import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { JwtIssuer } from '@mintage/server/config';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { requireFreePort } from './freePort.ts';
import { createLocalSignIn } from './localSignIn.ts';
import { patientServer } from './patientServer.ts';

/** A local stand-in for a foreign identity provider: it issues a token for any name. */
export interface LocalIssuer {
  /**
   * `GET /token?name=…` answers with a token for the user of that name. Browsers sign in at `/authorize`, which asks for the name, and
   * `POST /token`.
   */
  url: string;
  /** As in `JWT_ISSUERS`. */
  trusted: JwtIssuer;
  stop(): Promise<void>;
}

/** Constant across runs, so that a name stays the same user. */
const issuer = 'mintage-local';
const names = /^[\w-]{1,64}$/;

/**
 * Lets people without a wallet sign in on a laptop. It listens on this machine alone, and its key lives as long as it does.
 *
 * @param port - 0: any free one.
 * @throws PortTakenError
 */
export const startLocalIssuer = async (audience: string, port = 0): Promise<LocalIssuer> => {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA');
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'EdDSA', use: 'sig' }] });
  const tokenOf = (name: string, claims: Record<string, string> = {}): Promise<string> =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(name)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey);
  const signIn = createLocalSignIn(audience, names, tokenOf);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = URL.parse(request.url ?? '/', 'http://localhost');
    const { pathname, searchParams } = url ?? new URL('http://localhost');
    const name = searchParams.get('name') ?? '';
    if (pathname === '/jwks.json') response.setHeader('content-type', 'application/json').end(jwks);
    else if (pathname === '/authorize') signIn.authorize(searchParams, response);
    else if (pathname === '/token' && request.method === 'OPTIONS') signIn.allow(response).writeHead(204).end();
    else if (pathname === '/token' && request.method === 'POST')
      await signIn.exchange(new URLSearchParams(await text(request)), response);
    else if (pathname === '/token' && names.test(name)) response.end(await tokenOf(name));
    else response.writeHead(404).end('GET /token?name=<letters and digits>\n');
  };
  const server = createServer(patientServer, (request, response) => {
    answer(request, response).catch((error: Error) => {
      // A request that broke off.
      console.error(`The local issuer: ${error.message}`);
      response.destroy();
    });
  });
  // `once` reports errors during the start.
  server.on('error', (error) => console.error(`The local issuer: ${error.message}`));
  if (port !== 0) await requireFreePort(port, 'ISSUER_PORT');
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const login = {
    name: 'Local account',
    clientId: audience,
    authorizeUrl: `${url}/authorize`,
    tokenUrl: `${url}/token`,
  };
  return {
    url,
    trusted: { issuer, jwksUrl: `${url}/jwks.json`, audience, algorithm: 'EdDSA', login },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
