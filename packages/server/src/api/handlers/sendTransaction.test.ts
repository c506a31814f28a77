import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApi, testApi, testChain } from '../../../test/api/testing/testApi.ts';

const to = `0x${'7'.repeat(40)}`;

/** What it sends is compared with a chain in `test/execution.test.ts`. */
describe('sendTransaction', () => {
  let api: TestApi;
  let bearer: string;
  beforeAll(async () => {
    api = await testApi({ chains: [testChain('base-sepolia', 'http://127.0.0.1:1')], patience: { walletMs: 0 } });
    const { accessToken, userId } = await api.signIn();
    bearer = accessToken;
    const address = `0x${'e'.repeat(40)}` as const;
    const made = { user_id: userId, chain_type: 'evm' as const, address, sealed_key: '{}', made_at: new Date() };
    await api.context.db.insertInto('embedded_wallet').values(made).execute();
  });
  afterAll(() => api?.stop());

  const send = (body: object, by = bearer) =>
    api.call('sendTransaction', { to, chainSlug: 'base-sepolia', ...body }, { bearer: by });

  it('error: a chain that does not answer, or is not served', async () => {
    const { status, body } = await send({});
    expect([status, body.success, body.code]).toEqual([503, false, 'NETWORK_ERROR']);
    expect((await send({ chainSlug: 'polygon' })).body.code).toBe('UNSUPPORTED_CHAIN');
    expect(await api.context.db.selectFrom('intent').selectAll().execute()).toEqual([]);
  });

  it.each([
    ['to', { to: 'vitalik.eth' }, 'must be an address'],
    ['amount', { amount: '1.5' }, 'base units'],
    ['amount', { amount: 5 }, 'string'],
    ['data', { data: '0x123' }, 'even number of digits'],
    ['data', { data: 'hello' }, 'must be hex'],
    ['data', { data: `0x${'00'.repeat(65_537)}` }, '65536 bytes'],
    ['chainSlug', { chainSlug: 'atlantis' }, 'chain slug'],
    ['usd', { usd: '0' }, 'more than 0'],
    ['usd', { usd: '1.5' }, 'base units'],
    ['amount', { usd: '5', amount: '1' }, 'left out'],
    ['data', { usd: '5', data: '0x' }, 'left out'],
  ])('error: %s of %o', async (path, input, message) => {
    const { status, body } = await send(input);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'INVALID_PARAMETERS', path]);
    expect(body.details[0].message).toContain(message);
  });

  it.each([{ usd: '5' }, { amount: '1' }])('error: %o to the zero address', async (input) => {
    const { status, body } = await send({ ...input, to: `0x${'0'.repeat(40)}` });
    expect([status, body.code, body.details[0].path]).toEqual([400, 'UNSAFE_RECIPIENT', 'to']);
  });

  it('error: no credential, and one that may only prepare', async () => {
    expect((await api.call('sendTransaction', { to, chainSlug: 'base-sepolia' })).status).toBe(401);
    const input = { name: 'timid', scopes: ['read', 'prepare'] };
    const { body: key } = await api.call('createApiKey', input, { bearer });
    const { status, body } = await send({}, key.key);
    expect([status, body.code]).toEqual([403, 'SCOPE_MISSING']);
  });

  it('error: no signer who would make the wallet', async () => {
    const { accessToken } = await api.signIn();
    const { status, body } = await send({}, accessToken);
    expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(body.error).toMatch(/not made yet/);
  });
});
