import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { requireFreePort } from './freePort.ts';

/** A local stand-in for a foreign identity provider: it issues a token for any name. */
export interface LocalIssuer {
  /** `GET /token?name=…` answers with a token for the user of that name. */
  url: string;
  /** As in `JWT_ISSUERS`. */
  trusted: { issuer: string; jwksUrl: string; audience: string; algorithm: 'EdDSA' };
  stop(): Promise<void>;
}

/** Constant across runs, so that a name stays the same user. */
const issuer = 'mintage-local';

/**
 * Lets people without a wallet sign in on a laptop. It listens on this machine alone, and its key lives as long as it does.
 *
 * @param port - 0: any free one.
 * @throws PortTakenError
 */
export const startLocalIssuer = async (audience: string, port = 0): Promise<LocalIssuer> => {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA');
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'EdDSA', use: 'sig' }] });
  const tokenOf = (name: string): Promise<string> =>
    new SignJWT()
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(name)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey);
  const server = createServer(async (request, response) => {
    const url = URL.parse(request.url ?? '/', 'http://localhost');
    const { pathname, searchParams } = url ?? new URL('http://localhost');
    const name = searchParams.get('name') ?? '';
    if (pathname === '/jwks.json') response.setHeader('content-type', 'application/json').end(jwks);
    else if (pathname === '/token' && /^[\w-]{1,64}$/.test(name)) response.end(await tokenOf(name));
    else response.writeHead(404).end('GET /token?name=<letters and digits>\n');
  });
  // `once` reports errors during the start.
  server.on('error', (error) => console.error(`The local issuer: ${error.message}`));
  if (port !== 0) await requireFreePort(port, 'ISSUER_PORT');
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    trusted: { issuer, jwksUrl: `${url}/jwks.json`, audience, algorithm: 'EdDSA' },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
