import { type Address, chainBySlug, type Eid, launchpadAbi, toBase58 } from '@mintage/protocol';
import { decodeFunctionData } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hex, tokenRow } from '../../../test/api/reads/readsFixture.ts';
import { type SignedIn, type TestApi, testApi, testChain, testSolanaChain } from '../../../test/api/testing/testApi.ts';
import { eids } from '../../../test/eids.ts';
import { clientsOf } from '../../families.ts';

const slugs = ['base-sepolia', 'bnb-testnet', 'unichain-testnet'] as const;
const pancake = {
  factory: `0x${'fa'.repeat(20)}`,
  deployer: `0x${'de'.repeat(20)}`,
  poolCodeHash: `0x${'6c'.repeat(32)}`,
  isEra: false,
} as const;
const other = `0x${'77'.repeat(20)}` as const;

describe('claimRewards', () => {
  let api: TestApi;
  let me: SignedIn;
  const chains = slugs.map((slug) =>
    testChain(slug, 'http://127.0.0.1:1', slug === 'bnb-testnet' ? { exchange: pancake } : {}),
  );
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

  it('behavior: what other wallets of the caller can claim is named with the wallet that it needs', async () => {
    const them = await api.signIn();
    const [second, third] = [`0x${'51'.repeat(20)}`, `0x${'52'.repeat(20)}`] as const;
    const { db, auth } = api.context;
    for (const address of [second, third])
      await db.insertInto('user_wallet').values({ address, user_id: them.userId }).execute();
    auth.forgetUser(them.userId);
    const credit = (eid: Eid, recipient: Address, currency: Address, claimable: bigint) =>
      db
        .insertInto('fee_balance')
        .values({ eid, recipient, currency, earned: claimable, claimable, last_distribution_at: null })
        .execute();
    await credit(eids.baseSepolia, them.address, base.usd, 1_000_000n);
    expect((await claim({}, them.accessToken)).body).not.toHaveProperty('warnings');
    await credit(eids.baseSepolia, second, base.usd, 2_500_000n);
    await credit(eids.baseSepolia, second, other, 7n);
    await credit(chainBySlug('bnb-testnet').eid, third, bnb.usd, 1_000_000n);
    const rest = (wallet: string, what: string) => ({
      code: 'CLAIM_OTHER_WALLET',
      sentence: `Your wallet ${wallet} can claim ${what} too: ask again with it as \`userAddress\`.`,
    });
    const onBase = rest(second, `2.5 USDC and all of the currency ${other} on Base Sepolia`);
    const onBnb = rest(third, '1 USDC on BNB Smart Chain Testnet');
    const { body } = await claim({ chains: ['base-sepolia', 'bnb-testnet', 'atlantis'] }, them.accessToken);
    expect(body.transactions.map(({ from }: { from: string }) => from)).toEqual([them.address]);
    expect(body.warnings).toEqual([expect.objectContaining({ code: 'CHAIN_UNKNOWN' }), onBnb, onBase]);
    const warningsOf = async (asked: object) => (await claim(asked, them.accessToken)).body.warnings;
    expect(await warningsOf({ chains: ['base-sepolia'] })).toEqual([onBase]);
    expect(await warningsOf({ currencyAddress: base.usd, chains: ['base-sepolia'] })).toEqual([
      rest(second, '2.5 USDC on Base Sepolia'),
    ]);
    expect(await warningsOf({ userAddress: second })).toBeUndefined();
  });

  it('behavior: pools beyond those that one claim collects from are named for the next one', async () => {
    const them = await api.signIn();
    const { eid } = chainBySlug('bnb-testnet');
    const graduated = (n: number) => ({
      ...tokenRow('bnb-testnet', hex(0x9000 + n)),
      creator: them.address,
      graduated_at: new Date('2026-01-02'),
      last_trade_at: new Date('2026-01-03'),
    });
    const ten = Array.from({ length: 10 }, (_, n) => graduated(n));
    await api.context.db.insertInto('token').values(ten).execute();
    const all = await claim({}, them.accessToken);
    expect([all.body.transactions.length, all.body.warnings]).toEqual([1, undefined]);
    await api.context.db.insertInto('token').values(graduated(10)).execute();
    const { transactions, warnings } = (await claim({}, them.accessToken)).body;
    const calls = decodeFunctionData({ abi: launchpadAbi, data: transactions[0].data });
    expect(calls.args?.[0]).toHaveLength(11);
    expect(warnings).toEqual([
      {
        code: 'CLAIM_PARTIAL',
        sentence:
          `This claim collects from the pools of 10 tokens of ${them.address} on BNB Smart Chain Testnet, and more earned ` +
          'something: claim once more after it.',
      },
    ]);
    await api.context.db.deleteFrom('token').where('eid', '=', eid).execute();
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
    expect(body.warnings).toEqual([
      {
        code: 'CLAIM_NOT_PREPARED',
        sentence: expect.stringMatching(/^The claim of 0\.000005 USDC on Solana Devnet by \w+ could .* is down/),
      },
    ]);
  });
});
