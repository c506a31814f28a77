import { encodeApprove, encodeMint, encodeSetReferrer, launchpadAbi, voucherTypedData } from '@mintage/protocol';
import { encodeFunctionData, type LocalAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gasBounds } from '../../../src/chain/evm/gas.ts';
import { startTradeWorld, type TradeWorld } from './tradeWorld.ts';

const slug = 'base-sepolia';
const fresh = (): LocalAccount => privateKeyToAccount(generatePrivateKey());

/** The bound holds with room, and is not far above what can happen. */
const expectBound = (name: string, bound: bigint, ...measured: bigint[]) => {
  const most = measured.reduce((a, b) => (a > b ? a : b));
  console.log(`gas ${name}: at most ${most} measured, bound ${bound}`);
  expect.soft(bound, name).toBeGreaterThanOrEqual((most * 110n) / 100n);
  expect.soft(bound, name).toBeLessThanOrEqual((most * 150n) / 100n);
};

describe('gasBounds', () => {
  let world: TradeWorld;
  beforeAll(async () => {
    world = await startTradeWorld();
    await world.fund(slug, 'alice', 1_000_000n);
  });
  afterAll(() => world?.stop());

  /** A wallet that never traded, with gas, dollars and a protocol referrer who never earned. */
  const newTrader = async (dollars: bigint): Promise<LocalAccount> => {
    const { wallet, deployment, accounts, rpc } = world.chain(slug);
    const trader = fresh();
    await rpc('anvil_setBalance', [trader.address, '0x56bc75e2d63100000']);
    await wallet.send(accounts.alice, { to: deployment.usd, data: encodeMint(trader.address, dollars * 1_000_000n) });
    const { timestamp } = (await rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: `0x${string}` };
    const voucher = { user: trader.address, referrer: fresh().address, deadline: BigInt(timestamp) + 3_600n };
    const signature = await accounts.voucherSigner.signTypedData(voucherTypedData(voucher, deployment));
    await wallet.send(trader, { to: deployment.launchpad, data: encodeSetReferrer(voucher, signature) });
    return trader;
  };

  /** A token whose creator never earned. */
  const newToken = async (body: object = {}) => {
    const creator = await newTrader(1_000n);
    const created = await world.call(
      'createTokenTransaction',
      {
        name: 'Tested Coin',
        symbol: 'TEST',
        description: 'A coin of a test.',
        image:
          'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        chainSlug: slug,
        userAddress: creator.address,
        ...body,
      },
      { bearer: world.bearer },
    );
    expect(created.status, JSON.stringify(created.body)).toBe(200);
    const gas = await gasOf(creator, created.body);
    await world.chain(slug).advance(10);
    return { tokenId: created.body.metadata.tokenId as string, gas, creator, metadata: created.body.metadata };
  };

  const gasOf = async (sender: LocalAccount, body: { transactions: { to: `0x${string}`; data: `0x${string}` }[] }) => {
    const used: bigint[] = [];
    for (const { to, data } of body.transactions)
      used.push((await world.chain(slug).wallet.send(sender, { to, data })).gasUsed);
    return used;
  };

  /** Gas of a trade in which every recipient is paid for the first time. */
  const tradeGas = async (trader: LocalAccount, body: object) => {
    const extras = { builder: { code: fresh().address, fee: 30 }, token_referral: fresh().address };
    const input = { chainSlug: slug, userAddress: trader.address, ...extras, ...body };
    const answer = await world.call('tradeToken', input, { bearer: world.bearer });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return (await gasOf(trader, answer.body)).at(-1) as bigint;
  };

  const readUint = async (functionName: 'graduationGas'): Promise<bigint> => {
    const { rpc, deployment } = world.chain(slug);
    const data = encodeFunctionData({ abi: launchpadAbi, functionName });
    return BigInt((await rpc('eth_call', [{ to: deployment.launchpad, data }, 'latest'])) as string);
  };

  it('default: above the most that each kind of call takes, by a tenth at least and a half at most', async () => {
    const { wallet, deployment } = world.chain(slug);
    const approver = await newTrader(1n);
    const approve = { to: deployment.usd, data: encodeApprove(deployment.launchpad, 1n) };
    expectBound('approve', gasBounds.approve, (await wallet.send(approver, approve)).gasUsed);

    const long = { name: '🦊'.repeat(32), symbol: '🦊'.repeat(10) };
    for (const text of [{}, long]) {
      const { gas, metadata } = await newToken(text);
      const bytes = BigInt(Buffer.byteLength(metadata.name + metadata.symbol + metadata.tokenUri));
      expectBound(`create ${bytes} bytes`, gasBounds.create + gasBounds.createByte * bytes, gas.at(-1) as bigint);
    }
    const bought = await newToken({
      amountIn: 1_000,
      builder: { code: fresh().address, fee: 30 },
      token_referral: fresh().address,
    });
    const bytes = BigInt(Buffer.byteLength(`Tested CoinTEST${bought.metadata.tokenUri}`));
    const both = gasBounds.create + gasBounds.createByte * bytes + gasBounds.curveTrade;
    expectBound('create and buy', both, bought.gas.at(-1) as bigint);

    const { tokenId } = await newToken({ poolType: 'test' });
    const first = await newTrader(5_000n);
    const buy = await tradeGas(first, { tokenId, direction: 'buy', buyAmountUSD: 20 });
    const seller = await newTrader(10n);
    const other = await newToken();
    await tradeGas(seller, { tokenId: other.tokenId, direction: 'buy', buyAmountUSD: 10 });
    const sell = await tradeGas(seller, { tokenId: other.tokenId, direction: 'sell', sellAmountUSD: 3 });
    expectBound('curve trade', gasBounds.curveTrade, buy, sell);

    const last = await newTrader(5_000n);
    const graduating = await tradeGas(last, { tokenId, direction: 'buy', buyAmountUSD: 500 });
    console.log(`gas graduating buy: ${graduating} measured, bound ${gasBounds.graduatingBuy}`);
    // Launchpad._buy: what must be left after the trade for the graduation to be tried.
    const gasOfGraduation = await readUint('graduationGas');
    const wanted = gasOfGraduation + gasOfGraduation / 32n + 10_000n;
    expect.soft(gasBounds.graduatingBuy).toBeGreaterThanOrEqual(gasBounds.curveTrade + wanted);
    expect.soft(gasBounds.graduatingBuy).toBeLessThanOrEqual(((gasBounds.curveTrade + wanted) * 11n) / 10n);

    const claims = bought.creator;
    await world.indexed();
    const { status, body } = await world.call('claimRewards', {}, { bearer: await world.signIn(claims) });
    expect(status, JSON.stringify(body)).toBe(200);
    const [withdrawn] = await gasOf(claims, body);
    const claimBound = gasBounds.withdrawBatch + gasBounds.withdrawBatchCurrency;
    expectBound('claim of one currency', claimBound, withdrawn as bigint);

    const whale = await newTrader(1_000_000_000_000n);
    const poolBuy = await tradeGas(whale, { tokenId, direction: 'buy', buyAmountUSD: 999_999_999_000 });
    const poolSell = await tradeGas(whale, { tokenId, direction: 'sell', sellAmountUSD: 900_000_000_000 });
    expectBound('pool trade', gasBounds.poolTrade, poolBuy, poolSell);
  });
});
