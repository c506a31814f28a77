import type { Operation } from '@mintage/protocol';
import { infoTypes, operations } from '@mintage/protocol/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApi, testApi } from '../../../test/api/testing/testApi.ts';
import { openApiDocument } from '../surfaces/openapi/openApiDocument.ts';

const types = Object.entries(infoTypes);
const own = types.filter(([, { operation }]) => (operation as Operation).access === 'caller').map(([type]) => type);

describe('info', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
  });
  afterAll(() => api?.stop());

  it('default: the answer of the operation of that name, with the type beside', async () => {
    const { status, body } = await api.call('info', { type: 'searchToken', input: 'nobody', unknownKey: 1 });
    const { body: twin } = await api.call('searchToken', { input: 'nobody' });
    expect([status, body]).toEqual([200, { type: 'searchToken', ...twin }]);
    expect(twin.success).toBe(false);
  });

  it('A7 a read of an account needs a credential, in the shape of this route, and a bad one is none', async () => {
    expect(own).toContain('getUserPortfolio');
    for (const type of own) {
      for (const bearer of [undefined, 'undefined', 'a.b.c', `0x${'a'.repeat(40)}`]) {
        const { status, body } = await api.call('info', { type }, bearer === undefined ? {} : { bearer });
        expect([type, status]).toEqual([type, 401]);
        expect(body).toMatchObject({ success: false, code: 'AUTHENTICATION_FAILED', details: null });
      }
    }
    const { status } = await api.call('info', { type: 'searchToken', input: 'x' }, { bearer: 'nonsense' });
    expect(status).toBe(200);
  });

  it('A7 a key without the scope is refused, one with it is not', async () => {
    const { accessToken } = await api.signIn();
    const keyWith = async (...scopes: string[]): Promise<string> =>
      (await api.call('createApiKey', { name: scopes.join(), scopes }, { bearer: accessToken })).body.key;
    const asked = { type: 'getUserPortfolio' };
    const refused = await api.call('info', asked, { bearer: await keyWith('prepare') });
    expect([refused.status, refused.body.code]).toEqual([403, 'SCOPE_MISSING']);
    for (const bearer of [await keyWith('read'), accessToken]) {
      const { status, body } = await api.call('info', asked, { bearer });
      expect([status, body.type, body.data.totalTokensCount]).toEqual([200, 'getUserPortfolio', 0]);
    }
  });

  it('error: no type, an unknown one, and each wrong field by path', async () => {
    for (const [input, details] of [
      [{}, [{ path: 'type', message: 'is required' }]],
      [{ type: 'getNothing' }, [{ path: 'type', message: expect.stringMatching(/^must be one of .*searchToken/) }]],
      [{ type: '__proto__' }, [{ path: 'type', message: expect.any(String) }]],
      [
        { type: 'quoteToken', amount: -1 },
        [
          { path: 'chainSlug', message: 'is required' },
          { path: 'amount', message: 'must be greater than zero' },
        ],
      ],
    ] as const) {
      const { status, body } = await api.call('info', input);
      expect([status, body]).toEqual([
        400,
        {
          success: false,
          code: 'INVALID_PARAMETERS',
          error: expect.any(String),
          details,
          requestId: expect.any(String),
        },
      ]);
    }
  });

  it('behavior: every type is a read that also has a route', () => {
    for (const [type, { operation }] of types) {
      expect([type, operation.name, operation.scope]).toEqual([type, type, 'read']);
      expect(operations).toContain(operation);
    }
  });

  it('behavior: OpenAPI tells the types apart by `type`, on both sides', () => {
    const document = openApiDocument(
      { platformName: 'Acme Pad', platformSlug: 'acme-pad', publicUrl: 'https://api.example' },
      ['evm'],
      // oxlint-disable-next-line typescript/no-explicit-any -- a document is looked into at many depths here
    ) as any;
    const { requestBody, responses } = document.paths['/info'].post;
    for (const { content } of [requestBody, responses[200]]) {
      const { schema } = content['application/json'];
      expect(Object.keys(schema.discriminator.mapping)).toEqual(types.map(([type]) => type));
      expect(Object.values(schema.discriminator.mapping)).toEqual(
        schema.oneOf.map((one: { $ref: string }) => one.$ref),
      );
      for (const [type, ref] of Object.entries<string>(schema.discriminator.mapping)) {
        const part = document.components.schemas[ref.replace('#/components/schemas/', '')];
        expect(part.properties.type.const).toBe(type);
      }
    }
  });
});
