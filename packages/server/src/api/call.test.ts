import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, type TestApi, testApi, testChain } from '../../test/api/testing/testApi.ts';

describe('createCall', () => {
  let api: TestApi;
  let user: SignedIn;
  beforeAll(async () => {
    const chains = [testChain('base-sepolia', 'http://127.0.0.1:1')];
    // Of 1,200 calls in a minute two may write.
    const limits = JSON.stringify({ authenticated: 1_200, writeDivisor: 600 });
    api = await testApi({ chains, patience: { walletMs: 0 }, env: { RATE_LIMITS: limits } });
    user = await api.signIn();
  });
  afterAll(() => api?.stop());

  const mint = async (body: object): Promise<string> => {
    const answer = await api.call('mintUsd', { chainSlug: 'base-sepolia', ...body }, { bearer: user.accessToken });
    return answer.body.code ?? 'prepared';
  };

  it('R4 behavior: what is a write only when it executes is counted as one then, and as a read else', async () => {
    const prepare = () => mint({ userAddress: user.address });
    // Nobody is here who would make the wallet.
    const execute = () => mint({ execute: true });
    expect([await prepare(), await execute(), await prepare(), await execute()]).toEqual([
      'prepared',
      'SERVICE_UNAVAILABLE',
      'prepared',
      'SERVICE_UNAVAILABLE',
    ]);
    expect([await execute(), await prepare()]).toEqual(['RATE_LIMIT_EXCEEDED', 'prepared']);
  });
});
