import type { AddressInfo } from 'node:net';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../src/api/main.ts';
import { basePath } from '../../src/api/wire/limits.ts';
import { forgeries } from './surfaces/forgeries.ts';
import { sampleOf } from './surfaces/samples.ts';
import { type Surface, surfacesOf } from './surfaces/surfaces.ts';
import { signInOperator } from './testing/operator.ts';
import { StreamClient } from './testing/streamClient.ts';
import { type TestApi, testApi } from './testing/testApi.ts';

/** Forged credentials times ways to call: as many of them as `CASES`, evenly spread; all of them with `CASES=all`. */
const cases = process.env.CASES === 'all' ? Number.POSITIVE_INFINITY : Number(process.env.CASES ?? 2_500);

describe('credentials', () => {
  let api: TestApi;
  let forged: [string, string][];
  const surfaces = surfacesOf('mintage', 'Testnet');

  beforeAll(async () => {
    // Another number for anonymous callers tells from an answer's headers whom it was counted for.
    const env = {
      RATE_LIMITS: JSON.stringify({ anonymous: 987_654_321, authenticated: 1e9, signIn: 1e9, streams: 1e9 }),
    };
    api = await testApi({ env });
    const elsewhere = await testApi();
    forged = [...(await forgeries(api, await api.signIn(), elsewhere))];
    await elsewhere.stop();
  });
  afterAll(() => api.stop());

  /** What is the same in every answer to the same question. */
  const ask = async (surface: Surface, authorization?: string) => {
    const request: InjectOptions = {
      ...surface.request((surface.example ?? sampleOf(surface.input)) as Record<string, unknown>),
      headers: authorization === undefined ? {} : { authorization },
    };
    const answer = await api.inject(surface.lasts ? { ...request, payloadAsStream: true } : request);
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    if (surface.lasts && !isJson) answer.stream().destroy();
    const body = isJson && !surface.lasts ? answer.json() : {};
    return {
      status: answer.statusCode,
      counted: answer.headers['ratelimit-policy'],
      code: body.code,
      keys: Object.keys(body).toSorted(),
    };
  };

  it('default: there are 200 forgeries and every operation is asked, and a good credential opens every way', async () => {
    expect(forged.length).toBeGreaterThanOrEqual(200);
    expect(new Set(forged.map(([, header]) => header)).size).toBe(forged.length);
    const { accessToken } = await signInOperator(api);
    for (const surface of surfaces) {
      const [bare, good] = [await ask(surface), await ask(surface, `Bearer ${accessToken}`)];
      // A wallet registers itself: a token does not.
      const isOpened = bare.status === 401 && (good.status !== 401 || surface.name.endsWith(' register'));
      expect([surface.name, isOpened]).toEqual([surface.name, surface.access !== 'public']);
      const byAddress = bare.counted === undefined || String(bare.counted).startsWith('"sign-in"');
      if (!byAddress) expect([surface.name, good.counted]).not.toEqual([surface.name, bare.counted]);
    }
  });

  /** Public ones that do for a caller something else than for nobody: one who is not known is refused. */
  const forCallersToo = ['/auth/passkey/register-options', '/auth/passkey/register'];

  it('A5 A6 forged credentials open nothing: 401, and on public operations they count as none', async () => {
    const step = Math.max(1, Math.floor((forged.length * surfaces.length) / cases));
    let asked = 0;
    for (const [at, surface] of surfaces.entries()) {
      const bare = await ask(surface);
      const refuses = forCallersToo.some((path) => surface.name.endsWith(path));
      for (const [which, [what, header]] of forged.entries()) {
        if ((which + at) % step !== 0) continue;
        asked += 1;
        if (refuses) {
          const { status, code } = await ask(surface, header);
          expect([surface.name, what, status, code]).toEqual([surface.name, what, 401, 'AUTHENTICATION_FAILED']);
        } else expect([surface.name, what, await ask(surface, header)]).toEqual([surface.name, what, bare]);
      }
    }
    console.log(`${asked} calls: ${forged.length} forged credentials, ${surfaces.length} ways to call`);
  });

  it('A5 S1 forged credentials open no stream: the connection is told so and ends', async () => {
    const app = buildApp(api.context);
    try {
      await app.listen({ port: 0, host: '127.0.0.1' });
      const url = `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}${basePath}/ws`;
      for (const [what, header] of forged) {
        const bearer = /^Bearer (\S{1,8000})$/.exec(header)?.[1];
        if (bearer === undefined) continue;
        const client = new StreamClient(url, { bearer });
        const refused = await client.connect().then(
          () => 'authenticated',
          (error: Error) => error.message,
        );
        client.close();
        expect([what, refused]).toEqual([what, expect.stringMatching(/^AUTHENTICATION_FAILED/)]);
      }
    } finally {
      await app.close();
    }
  });
});
