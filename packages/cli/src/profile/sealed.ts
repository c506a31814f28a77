import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { Failure } from '../failure.ts';

/** A text under a password: scrypt makes the key, AES-256-GCM seals. JSON, so that it can be opened without this program. */
interface Sealed {
  kdf: { name: 'scrypt'; N: number; r: number; p: number; salt: string };
  cipher: { name: 'aes-256-gcm'; iv: string; tag: string; text: string };
}

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/** A guess costs 128 MiB and about half a second. Source: OWASP Password Storage, scrypt. */
const usualCost = { N: 2 ** 17, r: 8, p: 1 };
const maxmem = 2 ** 28;

/**
 * @param name - What it is of; under another one it does not open.
 * @param cost - Of a guess. What is sealed says it, so that it opens whatever is usual by then.
 */
export const seal = async (text: string, password: string, name: string, cost = usualCost): Promise<string> => {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', await derive(password, salt, 32, { ...cost, maxmem }), iv);
  cipher.setAAD(Buffer.from(name));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const parts: Sealed = {
    kdf: { name: 'scrypt', ...cost, salt: salt.toString('base64') },
    cipher: {
      name: 'aes-256-gcm',
      iv: iv.toString('base64'),
      tag: cipher.getAuthTag().toString('base64'),
      text: sealed.toString('base64'),
    },
  };
  return `${JSON.stringify(parts, null, 2)}\n`;
};

const bytes = (text: string) => Buffer.from(text, 'base64');

/** @throws Failure when it is not what was sealed, or not the password. */
export const unseal = async (sealed: string, password: string, name: string): Promise<string> => {
  try {
    const { kdf, cipher } = JSON.parse(sealed) as Sealed;
    const { N, r, p } = kdf;
    const key = await derive(password, bytes(kdf.salt), 32, { N, r, p, maxmem });
    const opener = createDecipheriv('aes-256-gcm', key, bytes(cipher.iv), { authTagLength: 16 });
    opener.setAAD(Buffer.from(name));
    opener.setAuthTag(bytes(cipher.tag));
    return Buffer.concat([opener.update(bytes(cipher.text)), opener.final()]).toString('utf8');
  } catch (error) {
    const failure = new Failure(
      'credential',
      'The secrets do not open: the password is wrong, or the file was changed or is of another profile.',
    );
    failure.cause = error;
    throw failure;
  }
};
