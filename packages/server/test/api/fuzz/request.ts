import { chainBySlug, type Slug } from '@mintage/protocol';
import { toolsOn } from '@mintage/protocol/tools';
import type { z } from 'zod';
import { basePath } from '../../../src/api/wire/limits.ts';
import { type Surface, surfacesOf } from '../surfaces/surfaces.ts';
import { bodies, corrupted, texts, values } from './hostile.ts';
import type { Choices } from './random.ts';
import { redirectUri, type Target } from './target.ts';
import { type ValidValue, validValues } from './valid.ts';

export interface Attempt {
  /** Which way in. */
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

type Fields = Record<string, unknown>;
type Kind = (choices: Choices) => Attempt;

/** Makes a request of any kind: most are valid but for one to three places, some are valid. */
export const attemptsOn = (target: Target): Kind => {
  const valid = validValues(target.known);
  const [rest, tools, oauth] = [restAttempts(target, valid), toolAttempts(target, valid), oauthAttempts(target)];
  const kinds: Kind[] = [rest, rest, rest, rest, rest, rest, tools, tools, oauth, rawAttempts(target)];
  return (choices) => withOddHeaders(choices.one(kinds)(choices), choices);
};

const authorizationOf = (authorization: string | undefined): Record<string, string> =>
  authorization === undefined ? {} : { authorization };

/** Corrupted four times in five. */
const perhapsCorrupted = (value: Fields, choices: Choices): Fields =>
  choices.once(5) ? value : corrupted(value, choices);

/** A body as a parser would have read it, its numbers beyond JSON included. */
const bodyOf = (value: unknown): string => JSON.stringify(value) ?? 'null';

const restAttempts = ({ platformSlug, network, credentials }: Target, valid: ValidValue): Kind => {
  // Pages and scripts without any input are the same every time.
  const all = surfacesOf(platformSlug, network).filter(({ name }) => !/\/docs|\/llms|openapi/.test(name));
  return (choices) => {
    const surface = choices.one(all);
    const given = valid(surface.input, choices) as Fields;
    const own = { ...(choices.once(4) ? surface.example : {}), ...given };
    const headers = { 'content-type': 'application/json', ...authorizationOf(choices.one(credentials)) };
    const { method, url, payload } = requestOf(surface, perhapsCorrupted(own, choices));
    // The envelope around it too, now and then.
    const sent = payload === undefined || !choices.once(8) ? payload : corrupted(payload as Fields, choices);
    return { name: surface.name, method, path: url, headers, ...(sent === undefined ? {} : { body: bodyOf(sent) }) };
  };
};

/** A URL has room for texts only. */
const requestOf = (surface: Surface, fields: Fields) => {
  if (surface.request({}).method === 'POST') return surface.request(fields);
  const flat = Object.entries(fields).map(([key, value]) => [key, flatten(value)]);
  return surface.request(Object.fromEntries(flat) as Fields);
};

const flatten = (value: unknown): string => (typeof value === 'string' ? value : bodyOf(value)).toWellFormed();

const rawAttempts = ({ platformSlug, network, credentials }: Target): Kind => {
  const posts = surfacesOf(platformSlug, network).filter(({ request }) => request({}).method === 'POST');
  const types = [
    'application/json',
    'application/json; charset=utf-16',
    'text/plain',
    'application/x-www-form-urlencoded',
    '',
    'multipart/form-data; boundary=x',
  ];
  const paths = [
    '/%',
    '/%00',
    '/%zz',
    '/%c0%ae',
    '/%ed%a0%80',
    '//',
    '/..%2f..',
    `/${'a'.repeat(3_000)}`,
    '/ipfs/%2e%2e',
    '/?a[]=1&a=2&a=%',
    '/info?__proto__=1',
  ];
  return (choices) => {
    const headers = authorizationOf(choices.one(credentials));
    if (choices.once(4)) {
      const method = choices.one(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']);
      const path = (choices.once(2) ? basePath : '') + choices.one(paths);
      return { name: 'no such path', method, path, headers };
    }
    const surface = choices.one(posts);
    const type = choices.once(3) ? choices.one(types) : 'application/json';
    if (type !== '') headers['content-type'] = type;
    return {
      name: `${surface.name}, no object`,
      method: 'POST',
      path: surface.request({}).url,
      headers,
      body: choices.one(bodies),
    };
  };
};

const envelope = (version: string) => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
});

const toolAttempts = ({ url, apiKey, credentials }: Target, valid: ValidValue): Kind => {
  const tools = toolsOn([chainBySlug('base-sepolia')?.slug as Slug]);
  return (choices) => {
    const tool = choices.one(tools);
    const given = { ...(choices.once(4) ? tool.example : {}), ...(valid(tool.input as z.ZodType, choices) as Fields) };
    const isNew = choices.chance();
    const meta = {
      ...(isNew ? envelope('2026-07-28') : {}),
      ...(choices.once(3) ? { idempotencyKey: choices.one(['a', 'b', ...texts]) } : {}),
    };
    const params = { name: tool.name, arguments: perhapsCorrupted(given, choices), _meta: meta };
    const method = choices.once(20)
      ? choices.one(['tools/list', 'initialize', 'ping', 'resources/read', ...texts])
      : 'tools/call';
    const message = { jsonrpc: '2.0', id: 1, method, params };
    const headers: Record<string, string> = {
      host: new URL(url).host,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...authorizationOf(choices.once(8) ? choices.one(credentials) : `Bearer ${apiKey}`),
      ...(isNew ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': tool.name } : {}),
    };
    const body = bodyOf(choices.once(8) ? corrupted(message, choices) : message);
    return { name: `tool ${tool.name}`, method: 'POST', path: `${basePath}/mcp`, headers, body };
  };
};

const oauthAttempts = ({ url, apiKey, oauth: { clientId }, wallet }: Target): Kind => {
  const resource = `${url}${basePath}/mcp`;
  const request = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
    state: 'state',
    scope: 'read prepare execute',
    resource,
  };
  const interaction = '/interaction/abcdefghijklmnopqrstu';
  const forms: Record<string, Fields> = {
    '/token': {
      grant_type: 'authorization_code',
      client_id: clientId,
      code: 'a'.repeat(43),
      redirect_uri: redirectUri,
      code_verifier: 'a'.repeat(43),
      resource,
    },
    '/token?': { grant_type: 'refresh_token', client_id: clientId, refresh_token: 'a'.repeat(43), scope: 'read' },
    '/revoke': { token: apiKey, client_id: clientId, token_type_hint: 'refresh_token' },
    [`${interaction}/sign-in`]: { message: 'text', signature: `0x${'5a'.repeat(65)}` },
    [`${interaction}/passkey`]: { purpose: 'login', credential: '{"id":"AAAA","type":"public-key"}' },
    [`${interaction}/consent`]: {
      decision: 'allow',
      scope: 'execute',
      chain: 'base-sepolia',
      perTradeUsd: '1',
      perDayUsd: '2',
    },
    [`${interaction}/sign-out`]: {},
  };
  const documents: Record<string, Fields> = {
    '/register': {
      client_name: 'Fuzz',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      scope: 'read',
      contacts: ['a@b.example'],
      jwks: { keys: [] },
    },
    [`${interaction}/challenge`]: { address: wallet },
    [`${interaction}/passkey-options`]: { purpose: 'register' },
  };
  const oauth = `${basePath}/oauth`;

  return (choices): Attempt => {
    switch (choices.below(4)) {
      case 0: {
        const query = formOf(perhapsCorrupted(request, choices), choices);
        return { name: 'oauth authorize', method: 'GET', path: `${oauth}/authorize?${query}`, headers: {} };
      }
      case 1: {
        const [path, form] = choices.one(Object.entries(forms));
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const body = choices.once(20) ? choices.one(bodies) : formOf(perhapsCorrupted(form, choices), choices);
        return { name: `oauth ${path}`, method: 'POST', path: oauth + path, headers, body };
      }
      case 2: {
        const [path, document] = choices.one(Object.entries(documents));
        const headers = { 'content-type': 'application/json' };
        const body = choices.once(20) ? choices.one(bodies) : bodyOf(perhapsCorrupted(document, choices));
        return { name: `oauth ${path}`, method: 'POST', path: oauth + path, headers, body };
      }
      default: {
        const path = choices.one([
          interaction,
          `/authorize/${encodeURIComponent(choices.one(texts).toWellFormed())}`,
          '/jwks',
          '/authorize/abc',
        ]);
        const cookie = `mintage_oauth=${choices.one(['abc', 'a'.repeat(500), '%00', '"', 'a;b'])}; mintage_oauth_resume=x`;
        return { name: 'oauth pages', method: 'GET', path: oauth + path, headers: { cookie } };
      }
    }
  };
};

/** Now and then a key comes twice. */
const formOf = (fields: Fields, choices: Choices): string => {
  const form = new URLSearchParams(
    Object.entries(fields).map(([key, value]): [string, string] => [key, flatten(value)]),
  );
  const [first] = form.keys();
  if (first !== undefined && choices.once(10)) form.append(first, flatten(choices.one(values)));
  return form.toString();
};

/** What a header can hold. */
const headerTexts = [
  ...texts.filter((text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)),
  'é',
  '\xff\xfe',
  'a,b;c="',
  'x'.repeat(300),
];

const oddHeaders = [
  'idempotency-key',
  'last-event-id',
  'x-info-signature',
  'x-info-nonce',
  'x-info-expires-after',
  'x-info-signature-chain-id',
  'x-request-id',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'origin',
  'cookie',
  'accept',
  'accept-encoding',
  'content-encoding',
  'mcp-protocol-version',
  'mcp-session-id',
  'mcp-method',
  'user-agent',
  'if-none-match',
  'range',
  'authorization',
];

const withOddHeaders = (attempt: Attempt, choices: Choices): Attempt => {
  if (!choices.once(5)) return attempt;
  const headers = { ...attempt.headers };
  for (let left = 1 + choices.below(4); left > 0; left -= 1)
    headers[choices.one(oddHeaders)] = choices.one(headerTexts);
  return { ...attempt, headers };
};
