import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '@mintage/devnet/patientServer';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** `iss` of its tokens. */
export const foreignIssuer = 'https://id.example';
const audience = 'mintage';

export interface ForeignIssuer {
  /** Value of `JWT_ISSUERS` that has its tokens taken. */
  jwtIssuers: string;
  /** @param claims - `sub` and the times, at least; they replace `iss` and `aud`. */
  sign(claims: JWTPayload, head?: object): Promise<string>;
  stop(): Promise<void>;
}

/** An identity provider of other people, with a key set on a port of its own. */
export const startForeignIssuer = async (): Promise<ForeignIssuer> => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }] });
  const server = createServer(patientServer, (_request, response) =>
    response.setHeader('content-type', 'application/json').end(jwks),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  return {
    jwtIssuers: JSON.stringify([{ issuer: foreignIssuer, jwksUrl, audience }]),
    sign: (claims, head = {}) =>
      new SignJWT({ iss: foreignIssuer, aud: audience, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1', ...head })
        .sign(privateKey),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
