import { type Address, chainBySlug, type Eid, launchpadAbi, toBase58 } from '@mintage/protocol';
import { decodeFunctionData } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, type TestApi, testApi, testChain, testSolanaChain } from '../../../test/api/testing/testApi.ts';
import { eids } from '../../../test/eids.ts';
import { clientsOf } from '../../families.ts';

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

/** Where a claim cannot be prepared without its chain, as on Solana. */
describe('claimRewards while a chain is away', () => {
  let api: TestApi;
  let me: SignedIn;
  const [evm, solana] = [testChain('base-sepolia', 'http://127.0.0.1:1'), testSolanaChain('http://127.0.0.1:1')];
  const onSolana = toBase58(new Uint8Array(32).fill(9));
  beforeAll(async () => {
    const chains = [evm, solana];
    api = await testApi({ chains, createClient: await clientsOf(chains) });
    me = await api.signIn();
    await api.context.db.insertInto('user_wallet').values({ address: onSolana, user_id: me.userId }).execute();
    api.context.auth.forgetUser(me.userId);
  });
  afterAll(() => api?.stop());

  const credit = (of: typeof solana, recipient: Address) => {
    const row = { eid: of.chain.eid, recipient, currency: of.deployment.usd, last_distribution_at: null };
    return api.context.db
      .insertInto('fee_balance')
      .values({ ...row, earned: 5n, claimable: 5n })
      .execute();
  };
  const claim = () => api.call('claimRewards', {}, { bearer: me.accessToken });

  it('error: nothing could be prepared', async () => {
    await credit(solana, onSolana);
    const { status, body } = await claim();
    expect([status, body.code]).toEqual([503, 'NETWORK_ERROR']);
  });

  it('behavior: the claims on other chains are prepared all the same', async () => {
    await credit(evm, me.address);
    const { status, body } = await claim();
    expect([status, body.transactions.map(({ chainSlug }: { chainSlug: string }) => chainSlug)]).toEqual([
      200,
      ['base-sepolia'],
    ]);
  });
});
