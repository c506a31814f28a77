import { type OperationName, operations } from '@mintage/protocol/operations';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { LocalAccount } from 'viem';
import { basePath } from '../../src/api/wire/limits.ts';

export interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape differs from call to call and is what the test asserts
  body: any;
  headers: LightMyRequestResponse['headers'];
}

/** Rate limits for tests that call much, tools too, and are about something else. */
export const noLimits = JSON.stringify({
  anonymous: 1e9,
  authenticated: 1e9,
  signIn: 1e9,
  writeDivisor: 1,
  posts: 1e9,
  votes: 1e9,
  profile: 1e9,
  toolAnonymous: 1e9,
  toolAuthenticated: 1e9,
});

export interface CallOptions {
  bearer?: string | undefined;
  idempotencyKey?: string | undefined;
  /** Where it comes from. */
  address?: string | undefined;
}

/** Calls an operation; `input` is the body (text is sent as it is), or the path parameters of a GET. */
export type Call = (name: OperationName, input?: object | string, options?: CallOptions) => Promise<Answer>;

const operationOf = (name: OperationName) => {
  const operation = operations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  return operation;
};

/** Calls of an app without a port. */
export const callsOf =
  (app: FastifyInstance): Call =>
  async (name, input = {}, { bearer, idempotencyKey, address } = {}) => {
    const { method, path } = operationOf(name);
    const values = typeof input === 'string' ? {} : (input as Record<string, string>);
    const answer = await app.inject({
      method,
      ...(address === undefined ? {} : { remoteAddress: address }),
      url: basePath + path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(values[key] ?? '')),
      headers: {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      ...(method === 'POST' ? { payload: typeof input === 'string' ? input : JSON.stringify(input) } : {}),
    });
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    return { status: answer.statusCode, headers: answer.headers, body: isJson ? answer.json() : answer.rawPayload };
  };

/** Asks by a path, over the network. */
export type Post = (path: string, body: object, bearer?: string) => Promise<Pick<Answer, 'status' | 'body'>>;

/** @param url - Of the API, without the base path. */
export const postsTo =
  (url: string): Post =>
  async (path, body, bearer) => {
    const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    const headers = { 'content-type': 'application/json', ...authorization };
    const answer = await fetch(url + basePath + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
  };

export const signInOver = (post: Post, account: LocalAccount): Promise<Answer['body']> =>
  signInWith((name, input) => post(operationOf(name).path, input), account);

type Asks = (name: OperationName, input: object) => Promise<Pick<Answer, 'body'>>;

/** Signs in with a wallet; the session as the API answers it. */
export const signInWith = async (call: Asks, account: LocalAccount): Promise<Answer['body']> => {
  const { body: challenge } = await call('authChallenge', { address: account.address });
  const signature = await account.signMessage({ message: challenge.message });
  return (await call('authLogin', { message: challenge.message, signature })).body;
};
