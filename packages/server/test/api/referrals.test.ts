import { type DevAccountName, devKey, type Receipt } from '@mintage/devnet';
import { encodeApprove, encodeMulticall, encodeSetReferrer, launchpadAbi, voucherTypedData } from '@mintage/protocol';
import type { DecodedCall, FeeLine, TradeQuote } from '@mintage/protocol/operations';
import { type Address, decodeFunctionData, encodeFunctionData, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/api/accounts/caller.ts';
import { createVouchers } from '../../src/api/trade/vouchers.ts';
import type { ChainContext } from '../../src/chain/chainContext.ts';
import { createEvmRpc } from '../../src/chain/evm/evmRpc.ts';
import { gasBounds, withVoucher } from '../../src/chain/evm/gas.ts';
import { voucherSigning } from '../../src/chain/evm/voucherSigning.ts';
import type { Rpc } from '../../src/chain/rpc.ts';
import {
  type Answer,
  chainFigures,
  eventsOf,
  onePixel,
  quotedFigures,
  startTradeWorld,
  type TradeWorld,
  tradeOf,
  type WorldSlug,
} from './trade/tradeWorld.ts';

const slug = 'base-sepolia';
/** Blocks behind the head that a local chain counts as final. */
const finality = 64;

/** Alice refers Bob, Carol and Dave; the builder and the promoter are strangers. */
describe('referrals on the whole system', () => {
  let world: TradeWorld;
  let tokenId: string;
  const bearers = new Map<DevAccountName, string>();
  const addressOf = (who: DevAccountName): Address => world.chain(slug).accounts[who].address.toLowerCase() as Address;

  beforeAll(async () => {
    world = await startTradeWorld();
    for (const who of ['alice', 'bob', 'carol', 'dave', 'promoter'] as const) {
      await world.fund(slug, who, 100_000n);
      bearers.set(who, await world.signIn(world.chain(slug).accounts[who]));
    }
    const token = await world.create(slug, 'promoter');
    tokenId = token.tokenId;
    await world.chain(slug).advance(10);
    await send('alice', await trade('alice', { buyAmountUSD: 10_500 }));
    await world.indexed();
  });
  afterAll(() => world?.stop());

  const ask = (who: DevAccountName, name: Parameters<TradeWorld['call']>[0], body: object): Promise<Answer> =>
    world.call(name, body, { bearer: bearers.get(who) });
  /** A buy by the trader's own credential. */
  const trade = async (who: DevAccountName, body: object, on: WorldSlug = slug): Promise<Answer> => {
    const fields = { tokenId, chainSlug: on, direction: 'buy', userAddress: addressOf(who), ...body };
    const answer = await ask(who, 'tradeToken', fields);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer;
  };
  const send = (who: DevAccountName, answer: Answer, on: WorldSlug = slug): Promise<Receipt> =>
    world.send(on, who, answer);
  const functionsOf = (decoded: DecodedCall[]): string[] => decoded.map((call) => call.function);
  const topCallOf = ({ body }: Answer): string =>
    decodeFunctionData({ abi: launchpadAbi, data: body.transactions.at(-1).data as Hex }).functionName;
  const feeOf = (quote: TradeQuote, kind: FeeLine['kind']) => quote.fees.find((line) => line.kind === kind);
  const referrerOnChain = async (who: DevAccountName, on: WorldSlug = slug): Promise<Address> => {
    const data = encodeFunctionData({ abi: launchpadAbi, functionName: 'referrerOf', args: [addressOf(who)] });
    const { rpc, deployment } = world.chain(on);
    const word = (await rpc('eth_call', [{ to: deployment.launchpad, data }, 'latest'])) as Hex;
    return `0x${word.slice(-40)}`;
  };

  it('C13 the volume counts once its blocks are final, and gives a code on the test network only', async () => {
    const code = { code: 'ALICE2025', network_mode: 'testnet' };
    const early = await ask('alice', 'createReferralCode', code);
    expect([early.status, early.body.details.finalVolumeUsd]).toEqual([403, '0']);
    await world.chain(slug).rpc('anvil_mine', [`0x${(finality + 1).toString(16)}`]);
    await world.indexed();
    expect((await ask('alice', 'createReferralCode', { ...code, network_mode: 'mainnet' })).status).toBe(403);
    const { status, body } = await ask('alice', 'createReferralCode', code);
    expect([status, body.referral_code, body.share_link]).toEqual([
      200,
      'ALICE2025',
      `${world.api.context.config.appUrl}/join/ALICE2025`,
    ]);
    for (const who of ['bob', 'carol', 'dave'] as const) {
      const entered = await ask(who, 'enterReferralCode', { referral_code: 'alice2025', network_mode: 'testnet' });
      expect([entered.status, entered.body.referrer_code]).toEqual([200, 'ALICE2025']);
    }
    const { body: me } = await ask('bob', 'me', { include_testnets: true });
    expect(me.data.referral).toEqual({ referredBy: addressOf('alice'), tradedVolumeUsd: '0' });
  });

  it('W5 a voucher is for the own wallet of the caller only: not for who is not referred, not by who is not', async () => {
    const prepare = async (who: DevAccountName, wallet: DevAccountName, simulate: boolean) => {
      const userAddress = addressOf(wallet);
      const body = { tokenId, chainSlug: slug, direction: 'buy', buyAmountUSD: 10, userAddress, simulate };
      const answer = await ask(who, 'tradeToken', body);
      return [topCallOf(answer), feeOf(answer.body.quote, 'protocol_referrer')?.recipient];
    };
    for (const simulate of [true, false]) {
      expect(await prepare('promoter', 'bob', simulate)).toEqual(['buyExactIn', undefined]);
      expect(await prepare('carol', 'promoter', simulate)).toEqual(['buyExactIn', undefined]);
      expect(await prepare('bob', 'bob', simulate)).toEqual(['multicall', addressOf('alice')]);
    }
  });

  it('the first trade sets the referrer, who gets 10 basis points of it, the trader 4, in one transaction', async () => {
    const answer = await trade('bob', { buyAmountUSD: 100 });
    const { quote, transactions } = answer.body;
    expect(functionsOf(quote.decoded)).toEqual(['setReferrer', 'buyExactIn']);
    expect(quote.decoded[0].args).toEqual({
      user: addressOf('bob'),
      referrer: addressOf('alice'),
      deadline: quote.deadline,
      signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
    });
    expect(transactions.at(-1).description).toContain('with your referrer set first');
    expect(feeOf(quote, 'protocol_referrer')).toMatchObject({
      recipient: addressOf('alice'),
      bps: 10,
      amountUsdRaw: '100000',
    });
    expect(feeOf(quote, 'cashback')).toMatchObject({ recipient: addressOf('bob'), bps: 4, amountUsdRaw: '40000' });
    expect(quote.simulation.ok).toBe(true);

    const receipt = await send('bob', answer);
    expect(eventsOf(receipt)).toEqual(['ReferrerSet', 'Trade']);
    expect(chainFigures(tradeOf(receipt))).toEqual(quotedFigures(quote));
    expect(await referrerOnChain('bob')).toBe(addressOf('alice'));

    await world.indexed();
    for (const [who, kind, amount] of [
      ['alice', 'protocol_referral', '100000'],
      ['bob', 'protocol_referral_cashback', '40000'],
    ] as const) {
      const { body } = await ask(who, 'getUserFeeHistory', { fee_type: kind });
      expect(body.distributions).toEqual([
        expect.objectContaining({
          recipient_address: addressOf(who),
          fee_type: kind,
          amount,
          transaction_hash: receipt.transactionHash,
          chain: slug,
        }),
      ]);
      const { body: fees } = await ask(who, 'getUserFees', {});
      expect(fees.balances[0]).toMatchObject({ total_earned: amount, claimable_amount: amount });
    }
    expect((await ask('alice', 'getUserFees', {})).body.summary.total_traders_referred).toBe(1);
  });

  it('later trades carry no voucher and still pay both, read from the chain or from the index', async () => {
    for (const simulate of [true, false]) {
      await world.indexed();
      const answer = await trade('bob', { buyAmountUSD: 50, simulate });
      expect(topCallOf(answer)).toBe('buyExactIn');
      expect(feeOf(answer.body.quote, 'cashback')?.amountUsdRaw).toBe('20000');
      expect(chainFigures(tradeOf(await send('bob', answer)))).toEqual(quotedFigures(answer.body.quote));
    }
  });

  it('two prepared before either is sent both go through: the second voucher does nothing', async () => {
    const [first, second] = [await trade('carol', { buyAmountUSD: 20 }), await trade('carol', { buyAmountUSD: 30 })];
    expect([topCallOf(first), topCallOf(second)]).toEqual(['multicall', 'multicall']);
    expect(eventsOf(await send('carol', first))).toEqual(['ReferrerSet', 'Trade']);
    const receipt = await send('carol', second);
    expect(eventsOf(receipt)).toEqual(['Trade']);
    expect(tradeOf(receipt).record).toMatchObject({ fees: { cashback: 12_000n }, grossUsd: 30_000_000n });
  });

  it('a creation carries it too, with a first buy and without, on a chain of 18 decimals', async () => {
    const on = 'bnb-testnet';
    await world.fund(on, 'bob', 1_000n);
    const body = {
      name: 'Referred Coin',
      symbol: 'REF',
      description: 'A coin of somebody who was referred.',
      image: onePixel,
      chainSlug: on,
      userAddress: addressOf('bob'),
    };
    const plain = await ask('bob', 'createTokenTransaction', body);
    expect([plain.status, functionsOf(plain.body.decoded)]).toEqual([200, ['setReferrer', 'create']]);
    expect(plain.body.simulation.ok).toBe(true);
    const unsimulated = await ask('bob', 'createTokenTransaction', { ...body, amountIn: 25, simulate: false });
    expect(functionsOf(unsimulated.body.decoded)).toEqual(['setReferrer', 'create', 'buyExactIn']);
    expect(feeOf(unsimulated.body.quote, 'cashback')?.amountUsdRaw).toBe((10n ** 16n).toString());
    const receipt = await send('bob', unsimulated, on);
    expect(eventsOf(receipt)).toEqual(['ReferrerSet', 'TokenCreated', 'Trade']);
    expect(chainFigures(tradeOf(receipt))).toEqual(quotedFigures(unsimulated.body.quote));
    expect(await referrerOnChain('bob', on)).toBe(addressOf('alice'));
    // The other was prepared before and still works; its voucher does nothing now.
    expect(eventsOf(await send('bob', plain, on))).toEqual(['TokenCreated']);
  });

  it('a buy of the last tokens behind a voucher graduates with the gas that the answer names', async () => {
    const last = await world.create(slug, 'promoter', { poolType: 'test' });
    await world.chain(slug).advance(10);
    await world.indexed();
    const extras = { builder: { code: fresh(), fee: 30 }, token_referral: fresh() };
    const answer = await trade('dave', { tokenId: last.tokenId, buyAmountUSD: 500, simulate: false, ...extras });
    expect(functionsOf(answer.body.quote.decoded)).toEqual(['setReferrer', 'buyExactIn']);
    expect(BigInt(answer.body.transaction.gasLimit)).toBe(withVoucher({}, gasBounds.graduatingBuy));
    const receipt = await send('dave', answer);
    expect(eventsOf(receipt)).toEqual(expect.arrayContaining(['ReferrerSet', 'Trade', 'Completed', 'Graduated']));
  });

  it('gasBounds.setReferrer is above what a voucher adds, by a tenth at least and by not much more than needed', async () => {
    const order = (await trade('promoter', { buyAmountUSD: 10 })).body.transaction;
    const { rpc, deployment, accounts } = world.chain(slug);
    const { timestamp } = (await rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex };
    const voucher = { user: addressOf('promoter'), referrer: fresh(), deadline: BigInt(timestamp) + 3_600n };
    const signature = await accounts.voucherSigner.signTypedData(voucherTypedData(voucher, deployment));
    const setReferrer = encodeSetReferrer(voucher, signature);
    /** Of the last of the calls, each in a transaction of its own. */
    const gasOf = async (...datas: Hex[]): Promise<bigint> => {
      const calls = [
        { from: addressOf('promoter'), to: deployment.usd, data: encodeApprove(deployment.launchpad, 10n ** 9n) },
        ...datas.map((data) => ({ from: addressOf('promoter'), to: deployment.launchpad, data })),
      ];
      const [block] = (await rpc('eth_simulateV1', [{ blockStateCalls: [{ calls }] }, 'latest'])) as [
        { calls: { gasUsed: Hex; status: Hex }[] },
      ];
      expect(block.calls.every(({ status }) => status === '0x1')).toBe(true);
      return BigInt(block.calls.at(-1)?.gasUsed as Hex);
    };
    // Beside the order of a trader whose referrer is set already: paying the referrer is in the order's own bound.
    const added = (await gasOf(encodeMulticall([setReferrer, order.data]))) - (await gasOf(setReferrer, order.data));
    console.log(`gas of a voucher: ${added} measured, bound ${gasBounds.setReferrer}`);
    expect(gasBounds.setReferrer).toBeGreaterThanOrEqual((added * 110n) / 100n);
    expect(gasBounds.setReferrer).toBeLessThanOrEqual((added * 150n) / 100n);
  });

  it('a service that cannot sign for a chain sends trades without a voucher', async () => {
    const { db, chains, log } = world.api.context;
    const served = chains.get(slug) as ChainContext;
    const { wallet: sender, accounts, deployment, rpcUrl } = world.chain(slug);
    const rpc = createEvmRpc({ slug, chainId: deployment.chainId, urls: [rpcUrl] });
    const stranger = privateKeyToAccount(generatePrivateKey());
    const bearer = await world.signIn(stranger);
    await world.call('enterReferralCode', { referral_code: 'ALICE2025', network_mode: 'testnet' }, { bearer });
    const caller = (await world.api.context.auth.verify(`Bearer ${bearer}`)) as Caller;
    const wallet = stranger.address.toLowerCase() as Address;
    const issue = (voucherKey: Hex | null, asked: Pick<Rpc, 'request'> = rpc) => {
      const now = Date.now;
      const signVoucher = voucherSigning({ slug, rpc: asked, deployment }, { log, now, voucherKey });
      const on = { ...served, client: { ...served.client, signVoucher } };
      const order = { deadline: 4_000_000_000, blockTime: null };
      return createVouchers({ db, canSign: voucherKey !== null, now }).issue(caller, on, wallet, order);
    };
    const right = devKey('voucherSigner');
    expect(await issue(right)).toMatchObject({ user: wallet, referrer: addressOf('alice') });
    expect(await issue(null)).toBeNull();
    expect(await issue(devKey('alice'))).toBeNull();
    expect(await issue(right, { request: () => Promise.reject(new Error('silent')) })).toBeNull();

    // A new signer on the chain: what this service signs would revert.
    const change = { abi: launchpadAbi, functionName: 'setVoucherSigner', args: [addressOf('alice')] } as const;
    await sender.send(accounts.owner, { to: deployment.launchpad, data: encodeFunctionData(change) });
    expect(await issue(right)).toBeNull();
    expect(await issue(devKey('alice'))).not.toBeNull();
    await rpc.stop();
  });
});

const fresh = (): Address => privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as Address;
