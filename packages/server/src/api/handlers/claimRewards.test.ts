import { chainBySlug, type Eid, launchpadAbi } from '@mintage/protocol';
import { decodeFunctionData } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, type TestApi, testApi, testChain } from '../../../test/api/testing/testApi.ts';
import { eids } from '../../../test/eids.ts';

const slugs = ['base-sepolia', 'bnb-testnet', 'unichain-testnet'] as const;
const other = `0x${'77'.repeat(20)}` as const;

describe('claimRewards', () => {
  let api: TestApi;
  let me: SignedIn;
  const chains = slugs.map((slug) => testChain(slug, 'http://127.0.0.1:1'));
  const [base, bnb] = chains.map(({ deployment }) => deployment) as [
    (typeof chains)[0]['deployment'],
    (typeof chains)[0]['deployment'],
  ];

  beforeAll(async () => {
    api = await testApi({ chains });
    me = await api.signIn();
    const credit = (eid: Eid, currency: `0x${string}`, claimable: bigint, recipient: `0x${string}` = me.address) => ({
      eid,
      recipient,
      currency,
      earned: claimable + 5n,
      claimable,
      last_distribution_at: null,
    });
    await api.context.db
      .insertInto('fee_balance')
      .values([
        credit(eids.baseSepolia, base.usd, 12_500_000n),
        credit(eids.baseSepolia, other, 7n),
        credit(chainBySlug('bnb-testnet').eid, bnb.usd, 1n),
        credit(eids.unichainTestnet, base.usd, 0n),
        credit(eids.baseSepolia, base.usd, 99n, other),
      ])
      .execute();
  });
  afterAll(() => api?.stop());

  const claim = (body: object = {}, bearer: string | undefined = me.accessToken) =>
    api.call('claimRewards', body, { bearer });

  it('default: one withdrawal of everything per chain with a balance, for the sign-in wallet', async () => {
    const { status, body } = await claim();
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.metadata).toEqual({ totalChainsWithBalance: 2, totalCurrenciesClaimed: 3, currencyAddress: '' });
    const onBase = body.transactions.find((item: { chainSlug: string }) => item.chainSlug === 'base-sepolia');
    expect(onBase).toMatchObject({
      to: base.launchpad,
      value: '0',
      chainId: '84532',
      chainType: 'evm',
      from: me.address,
      description: `Claim 12.5 USDC and all of the currency ${other} on Base Sepolia`,
    });
    const { functionName, args } = decodeFunctionData({ abi: launchpadAbi, data: onBase.data });
    const [currencies, to, amounts] = args as unknown as [string[], string, bigint[]];
    expect(functionName).toBe('withdrawBatch');
    expect(currencies.map((currency) => currency.toLowerCase())).toEqual([base.usd, other]);
    expect(to.toLowerCase()).toBe(me.address);
    expect(amounts).toEqual([2n ** 256n - 1n, 2n ** 256n - 1n]);
  });

  it('behavior: only one currency, only some chains; names of unknown chains match nothing', async () => {
    const one = await claim({ currencyAddress: other.toUpperCase().replace('0X', '0x') });
    expect(one.body).toMatchObject({
      transactions: [{ chainSlug: 'base-sepolia' }],
      metadata: { totalCurrenciesClaimed: 1 },
    });
    expect(one.body.metadata.currencyAddress.toLowerCase()).toBe(other);
    expect((await claim({ chains: ['bnb-testnet', 'atlantis'] })).body.metadata.totalChainsWithBalance).toBe(1);
    expect((await claim({ chains: ['atlantis'] })).body.transactions).toEqual([]);
    expect((await claim({ userAddress: me.address, chains: null })).body.transactions).toHaveLength(2);
  });

  it('error: W5 a wallet of somebody else', async () => {
    const { status, body } = await claim({ userAddress: other });
    expect([status, body.code]).toEqual([401, 'AUTHENTICATION_FAILED']);
    expect(body.error).toMatch(/userAddress/);
  });

  it('error: no credential, not an address', async () => {
    expect((await api.call('claimRewards', {})).status).toBe(401);
    expect((await claim({ currencyAddress: 'usdc' })).body).toMatchObject({ code: 'INVALID_PARAMETERS' });
  });
});
