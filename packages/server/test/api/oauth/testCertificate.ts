import { generateKeyPairSync, sign } from 'node:crypto';

/** A new key with a self-signed certificate for these names, both PEM, for a test server. */
export const testCertificate = (names: readonly string[]): { key: string; cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = seq(set(seq(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from('test')))));
  const algorithm = seq(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)); // ecdsa-with-SHA256
  const alternatives = seq(...names.map((dns) => der(0x82, Buffer.from(dns))));
  const unsigned = seq(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.from([1])), // serial number
    algorithm,
    name,
    seq(time('200101000000Z'), time('490101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, seq(seq(oid(0x55, 0x1d, 0x11), der(0x04, alternatives)))), // subjectAltName
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', unsigned, privateKey)]));
  const body = seq(unsigned, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
  };
};

const der = (tag: number, content: Uint8Array): Buffer => {
  const { length } = content;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const seq = (...parts: Uint8Array[]): Buffer => der(0x30, Buffer.concat(parts));
const set = (...parts: Uint8Array[]): Buffer => der(0x31, Buffer.concat(parts));
const oid = (...bytes: number[]): Buffer => der(0x06, Buffer.from(bytes));
const time = (text: string): Buffer => der(0x17, Buffer.from(text));
