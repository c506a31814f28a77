import { createHash, createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base64url, CompactEncrypt, exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { newApiKey } from '../../../src/api/accounts/apiKeyText.ts';
import { base62Of } from '../../../src/api/accounts/base62.ts';
import { type SignedIn, sessionOf, type TestApi } from '../testing/testApi.ts';

/**
 * Authorization headers that look right but for one thing, by what is wrong with them.
 *
 * @param good - Whose credential is imitated.
 * @param elsewhere - A deployment with other keys.
 */
export const forgeries = async (api: TestApi, good: SignedIn, elsewhere: TestApi): Promise<Map<string, string>> => {
  const tokens = new Map<string, string>();
  for (const some of [
    await ofOtherKeys(api, good),
    await ofOwnKey(api, good),
    edited(good.accessToken),
    await ofOtherKinds(api, good, elsewhere),
    await apiKeys(api, good, elsewhere),
    nonsense(good.accessToken),
  ]) {
    for (const [what, token] of Object.entries(some)) tokens.set(what, `Bearer ${token}`);
  }
  const key = await make(api, good, { name: 'scheme' });
  for (const scheme of ['Basic', 'Token', 'ApiKey', 'Digest', 'Bearer Bearer', 'Bearer:', 'Bearer,', '']) {
    tokens.set(`good token, scheme "${scheme}"`, `${scheme} ${good.accessToken}`);
    tokens.set(`good key, scheme "${scheme}"`, `${scheme} ${key.key}`);
  }
  for (const header of ['', 'Bearer', 'Bearer ']) tokens.set(`header "${header}"`, header);
  return tokens;
};

const text = (value: unknown): string => base64url.encode(JSON.stringify(value));
const nobody = '00000000-0000-4000-8000-000000000000';

const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

const partsOf = (token: string) => {
  const [header = '', body = '', signature = ''] = token.split('.');
  return { header, body, signature, head: read(header), claims: read(body) as JWTPayload };
};

/** Good claims, signed by somebody else, or by nobody. */
const ofOtherKeys = async (api: TestApi, { accessToken }: SignedIn): Promise<Record<string, string>> => {
  const { header, body, signature, head, claims } = partsOf(accessToken);
  const kid = String(head.kid);
  const forged: Record<string, string> = {};
  for (const alg of ['none', 'None', 'NONE', 'nOnE', '']) {
    for (const typ of ['at+jwt', 'JWT', undefined]) {
      forged[`alg ${alg}, typ ${typ}, no signature`] = `${text({ alg, typ, kid })}.${body}.`;
      forged[`alg ${alg}, typ ${typ}, the good signature`] = `${text({ alg, typ, kid })}.${body}.${signature}`;
    }
  }
  const [jwk] = await api.context.auth.publicKeys();
  const x = String((jwk as { x: string }).x);
  const { publicKey, privateKey: stranger } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const secrets = {
    'public key': Buffer.from(x, 'base64url'),
    'text of the public key': x,
    'public key as JWK': JSON.stringify(jwk),
    'key id': kid,
    issuer: String(claims.iss),
    'a stranger’s PEM': await exportSPKI(publicKey),
    secret: 'secret',
    'empty text': '',
  };
  for (const [alg, hash] of [
    ['HS256', 'sha256'],
    ['HS384', 'sha384'],
    ['HS512', 'sha512'],
  ] as const) {
    for (const [what, secret] of Object.entries(secrets)) {
      const signed = `${text({ ...head, alg })}.${body}`;
      forged[`${alg} with ${what}`] = `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
    }
  }
  for (const alg of ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const) {
    const { privateKey } = await generateKeyPair(alg);
    for (const id of [kid, 'other', '', '../../dev/null', "' or 1=1 --", undefined]) {
      const protectedHeader = { ...head, alg, ...(id === undefined ? { kid: undefined } : { kid: id }) };
      forged[`${alg} by a stranger, kid ${id}`] = await new SignJWT(claims)
        .setProtectedHeader(protectedHeader as never)
        .sign(privateKey);
    }
  }
  const own = await exportJWK(publicKey);
  for (const [what, extra] of Object.entries({
    'own jwk': { jwk: own },
    'own jwk, no kid': { jwk: own, kid: undefined },
    'own jku': { jku: 'http://127.0.0.1:9/jwks.json' },
    'own x5u': { x5u: 'http://127.0.0.1:9/cert.pem' },
    'own x5c': { x5c: ['MIIB'] },
    'unknown crit': { crit: ['exp'], exp: 4e9 },
    'kid a number': { kid: 7 },
    'kid a list': { kid: [kid] },
    'kid an object': { kid: { kid } },
    'kid very long': { kid: 'k'.repeat(2_000) },
  })) {
    const changed = text({ ...head, ...extra });
    const signer = await crypto.subtle.sign('Ed25519', stranger, Buffer.from(`${changed}.${body}`));
    forged[`a stranger’s signature, ${what}`] = `${changed}.${body}.${Buffer.from(signer).toString('base64url')}`;
  }
  forged['the header alone'] = header;
  return forged;
};

/** Signed by the deployment's own key, as no deployment would. */
const ofOwnKey = async ({ context, clock }: TestApi, { accessToken }: SignedIn): Promise<Record<string, string>> => {
  const { head, claims } = partsOf(accessToken);
  const { privateKey } = await context.auth.signingKeys.newest();
  const seconds = Math.floor(clock.ms / 1000);
  const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
  const changes: Record<string, JWTPayload> = {
    'without iss': without('iss'),
    'without aud': without('aud'),
    'without sub': without('sub'),
    'without exp': without('exp'),
    'without iat': without('iat'),
    'without sid': without('sid'),
    'just expired': { ...claims, exp: seconds },
    'expired long ago': { ...claims, exp: 1 },
    'exp negative': { ...claims, exp: -1 },
    'exp a text': { ...claims, exp: 'soon' as never },
    'not yet good': { ...claims, nbf: seconds + 60 },
    'nbf a text': { ...claims, nbf: 'soon' as never },
    'issued in an hour': { ...claims, iat: seconds + 3_600, exp: seconds + 4_000 },
    'iat a text': { ...claims, iat: 'now' as never },
  };
  for (const iss of ['https://evil.example', '', `${claims.iss}/`, `${claims.iss}.evil.example`, [claims.iss], null]) {
    changes[`iss ${JSON.stringify(iss)}`] = { ...claims, iss: iss as never };
  }
  const audiences = ['https://evil.example', '', `${claims.aud}/`, `${claims.aud}/functions/v1/mcp`, [], null];
  for (const aud of audiences) changes[`aud ${JSON.stringify(aud)}`] = { ...claims, aud: aud as never };
  for (const sub of [nobody, '', 'admin', 7, null, [claims.sub], { id: claims.sub }, "' or 1=1 --"]) {
    changes[`sub ${JSON.stringify(sub)}`] = { ...claims, sub: sub as never };
  }
  const sign = async (payload: object, header: object): Promise<string> => {
    const signed = `${text({ ...head, ...header })}.${text(payload)}`;
    const signature = await crypto.subtle.sign('Ed25519', privateKey, Buffer.from(signed));
    return `${signed}.${Buffer.from(signature).toString('base64url')}`;
  };
  const forged: Record<string, string> = {};
  for (const [what, payload] of Object.entries(changes)) forged[`our key, ${what}`] = await sign(payload, {});
  for (const typ of ['JWT', 'id_token', 'refresh+jwt', 'logout+jwt', undefined]) {
    forged[`our key, typ ${typ}`] = await sign(claims, { typ });
  }
  return forged;
};

/** A good token with something changed after it was signed. */
const edited = (token: string): Record<string, string> => {
  const { header, body, signature, head, claims } = partsOf(token);
  const forged: Record<string, string> = {};
  for (const key of Object.keys(claims)) {
    const value = key === 'sub' ? nobody : typeof claims[key] === 'number' ? Number(claims[key]) + 1 : 'other';
    forged[`${key} edited`] = `${header}.${text({ ...claims, [key]: value })}.${signature}`;
  }
  for (const key of Object.keys(head))
    forged[`${key} edited`] = `${text({ ...head, [key]: 'other' })}.${body}.${signature}`;
  forged['a claim added'] = `${header}.${text({ ...claims, admin: true })}.${signature}`;
  forged['claims written in another way'] =
    `${header}.${base64url.encode(JSON.stringify(claims, null, 1))}.${signature}`;
  for (let at = 5; at < token.length - 5; at += Math.ceil(token.length / 16)) {
    if (token[at] === '.') continue;
    forged[`cut at ${at}`] = token.slice(0, at);
    forged[`character ${at} changed`] = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
  }
  forged['first characters missing'] = token.slice(3);
  forged['without its signature'] = `${header}.${body}.`;
  forged['two parts'] = `${header}.${body}`;
  forged['four parts'] = `${token}.${signature}`;
  forged['five parts'] = `${header}..${body}.${signature}.${signature}`;
  forged['parts swapped'] = `${body}.${header}.${signature}`;
  forged['padded'] = `${header}==.${body}=.${signature}==`;
  forged['in plain base64'] = `${header}.${body}.${Buffer.from(signature, 'base64url').toString('base64')}+/`;
  forged['upper case'] = token.toUpperCase();
  forged['twice'] = token + token;
  forged['two, by comma'] = `${token},${token}`;
  return forged;
};

/** Real tokens of another kind, place or time. */
const ofOtherKinds = async (api: TestApi, good: SignedIn, elsewhere: TestApi): Promise<Record<string, string>> => {
  const foreign = await elsewhere.signIn();
  const { claims } = partsOf(good.accessToken);
  const { privateKey } = await api.context.auth.signingKeys.newest();
  const nested = await new SignJWT({ ...claims, token: good.accessToken })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', cty: 'JWT' })
    .sign(privateKey);
  const encrypted = await new CompactEncrypt(Buffer.from(good.accessToken))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', cty: 'JWT' })
    .encrypt(createHash('sha256').update('secret').digest());
  return {
    'a token of another deployment': foreign.accessToken,
    'a refresh token': good.refreshToken,
    'a refresh token of another deployment': foreign.refreshToken,
    'three refresh tokens': [good.refreshToken, good.refreshToken, good.refreshToken].join('.'),
    'a token within a token': nested,
    'a token in its own body': `${text({ alg: 'EdDSA', typ: 'at+jwt' })}.${base64url.encode(good.accessToken)}.AA`,
    'an encrypted token': encrypted,
    'the user id': good.userId,
    'a token of a user who is gone': await api.context.auth.issueAccessToken({ ...sessionOf(good), userId: nobody }),
    'a token of no session': await api.context.auth.issueAccessToken({ ...sessionOf(good), sessionId: nobody }),
  };
};

interface Key {
  id: string;
  key: string;
  prefix: string;
}

const make = async (api: TestApi, { accessToken }: SignedIn, body: object): Promise<Key> =>
  (await api.call('createApiKey', body, { bearer: accessToken })).body as Key;

const secretOf = (key: string): string => key.split('_').at(-2) ?? '';
const withCheck = (unchecked: string): string => `${unchecked}_${base62Of(crc32(unchecked))}`;

const apiKeys = async (api: TestApi, good: SignedIn, elsewhere: TestApi): Promise<Record<string, string>> => {
  const brand = api.context.auth.apiKeyBrand;
  const live = await make(api, good, { name: 'good' });
  const revoked = await make(api, good, { name: 'revoked' });
  await api.call('revokeApiKey', { id: revoked.id }, { bearer: good.accessToken });
  const soon = new Date(api.clock.ms + 1_000).toISOString();
  const expired = await make(api, good, { name: 'expired', expiresAt: soon });
  api.clock.ms += 1_000;
  const { prefix, key } = live;
  const [stored] = await api.context.db.selectFrom('api_key').select('key_hash').where('id', '=', live.id).execute();
  const forged: Record<string, string> = {
    'a revoked key': revoked.key,
    'an expired key': expired.key,
    'a key of another deployment': (await make(elsewhere, await elsewhere.signIn(), { name: 'x' })).key,
    'a key of the other network': withCheck(`${prefix.replace('_test_', '_live_')}_${secretOf(key)}`),
    'a key of another brand': newApiKey('evil_test').key,
    'a key that nobody made': newApiKey(brand).key,
    'a good id with another secret': withCheck(`${prefix}_${secretOf(newApiKey(brand).key)}`),
    'a good id with a revoked key’s secret': withCheck(`${prefix}_${secretOf(revoked.key)}`),
    'a revoked id with a good secret': withCheck(`${revoked.prefix}_${secretOf(key)}`),
    'a secret of zeros': withCheck(`${prefix}_${'0'.repeat(43)}`),
    'a secret that is short': withCheck(`${prefix}_${secretOf(key).slice(1)}`),
    'the prefix alone': prefix,
    'the id alone': live.id,
    'the hash that is stored': String(stored?.key_hash),
    'a key in upper case': key.toUpperCase(),
    'a key backwards': [...key].toReversed().join(''),
    'a key twice': key + key,
    'a key and more': `${key}0`,
    'a key with wildcards': withCheck(`${brand}_%%%%%%%%%%_${'%'.repeat(43)}`),
    'a key as three parts': key.replaceAll('_', '.'),
    'a key before a token': `${key}.${good.accessToken}`,
  };
  for (let at = 1; at < key.length; at += 5) {
    if (key[at] === '_') continue;
    forged[`a key, character ${at} changed`] = `${key.slice(0, at)}${key[at] === 'a' ? 'b' : 'a'}${key.slice(at + 1)}`;
  }
  return forged;
};

const nonsense = (token: string): Record<string, string> => ({
  undefined: 'undefined',
  null: 'null',
  'an object': '[object Object]',
  true: 'true',
  dots: '..',
  'more dots': '.'.repeat(400),
  'three letters': 'a.b.c',
  'empty JSON': `${text({})}.${text({})}.`,
  'JSON that is no object': `${text('x')}.${text([])}.${text(7)}`,
  'deep JSON': `${base64url.encode('['.repeat(600))}.${text({})}.AA`,
  SQL: "'or'1'='1",
  path: '../../../../etc/passwd',
  template: '{{7*7}}',
  bytes: 'é\u00ff\u0080',
  long: 'a'.repeat(4_097),
  huge: 'a'.repeat(60_000),
  'a huge token': `${token}${'A'.repeat(60_000)}`,
  'a token behind a space': `x ${token}`,
});
