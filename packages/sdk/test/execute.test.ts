import { type DevChain, devKey, type System, startSystem } from '@mintage/devnet';
import { createWalletClient, type Hex, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answeredState,
  type Client,
  createClient,
  execute,
  MintageError,
  newPlan,
  type Plan,
  type Prepared,
  prepare,
  priceOrder,
  readState,
  readTrusted,
  runPlan,
  type Sent,
  session,
  signIn,
  type Trusted,
  type TrustedChain,
} from '../src/sdk.ts';

let system: System;
let chain: DevChain;
let client: Client;
let trusted: Trusted;
let token: Hex;
const account = privateKeyToAccount(generatePrivateKey());
const me = account.address.toLowerCase();
const chainSlug = 'base-sepolia';

const walletOf = (key = account) =>
  createWalletClient({ account: key, transport: http(chain.rpcUrl), pollingInterval: 50 });
const here = (): TrustedChain => trusted[chainSlug] as TrustedChain;
const codeOf = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(
    () => null,
    (caught: unknown) => caught,
  );
  if (error !== null && !(error instanceof MintageError)) throw error;
  return error?.code ?? 'none';
};
const picture = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')}`;
const buy = { chainSlug, direction: 'buy', buyAmountUSD: 25, userAddress: account.address } as const;

beforeAll(async () => {
  system = await startSystem({
    env: { LOG_LEVEL: 'silent', CHAINS: chainSlug },
    heartbeat: false,
    seed: false,
  });
  chain = system.chains[0] as DevChain;
  await chain.rpc('anvil_setBalance', [account.address, '0x56bc75e2d63100000']);
  const open = createClient({ baseUrl: system.url as string, network: 'Testnet' });
  client = open;
  open.use(session(await signIn(open, account)));
  trusted = await readTrusted(open);
}, 120_000);
afterAll(() => system?.stop());

const run = <P extends Prepared>(prepared: P, more: Partial<Parameters<typeof execute>[1]> = {}) =>
  execute(prepared, { wallet: walletOf(), trusted, ...more });

describe('execute', () => {
  it('default: mints, creates with a first buy, buys, sells and transfers, with the amounts of the events', async () => {
    await run(await prepare(client, 'mintUsd', { chainSlug, userAddress: account.address, amount: 10_000 }));
    const creation = await prepare(client, 'createTokenTransaction', {
      name: 'Paper Boat',
      symbol: 'BOAT',
      description: 'It floats.',
      image: picture,
      chainSlug,
      amountIn: 50,
      userAddress: account.address,
    });
    const created = await run(creation);
    expect(created.token).toBe(creation.answer.metadata.addresses.evm);
    expect(created.traded).toMatchObject(created.quoted ?? {});
    token = created.token as Hex;
    await chain.advance(10);
    await system.caughtUp();
    const told: Sent[] = [];
    const bought = await run(await prepare(client, 'tradeToken', { ...buy, tokenId: token }), {
      onSent: (sent) => void told.push(sent),
    });
    expect(bought.traded).toMatchObject(bought.quoted ?? {});
    expect(told.map(({ hash }) => hash)).toEqual(bought.transactions.map(({ hash }) => hash));
    const sold = await run(
      await prepare(client, 'tradeToken', {
        tokenId: token,
        chainSlug,
        direction: 'sell',
        sellAmountToken: 1000,
        userAddress: account.address,
      }),
    );
    expect(sold.traded).toMatchObject(sold.quoted ?? {});
    const moved = await prepare(client, 'transferToken', {
      token_id: token,
      recipient_address: chain.accounts.bob.address,
      amount: '5',
      from_chain_slug: chainSlug,
      to_chain_slug: chainSlug,
      wallet_address: account.address,
    });
    expect((await run(moved)).transactions).toHaveLength(1);
  }, 60_000);

  it('behavior: what was told is looked up, and not sent again', async () => {
    const prepared = await prepare(client, 'tradeToken', { ...buy, tokenId: token });
    const told = new Map<string, Sent>();
    const first = await run(prepared, { onSent: (sent) => void told.set(sent.key, sent) });
    const nonce = await chain.rpc('eth_getTransactionCount', [account.address, 'latest']);
    const again = await run(prepared, { sent: [...told.values()] });
    expect(again).toEqual(first);
    expect(await chain.rpc('eth_getTransactionCount', [account.address, 'latest'])).toBe(nonce);
  });

  it('error: another wallet than was asked for, and other contracts than are trusted, are refused', async () => {
    const prepared = await prepare(client, 'tradeToken', { ...buy, tokenId: token });
    expect(await codeOf(run(prepared, { wallet: walletOf(privateKeyToAccount(devKey('bob'))) }))).toBe('BYTES_DIFFER');
    const elsewhere = { ...trusted, [chainSlug]: { ...here(), launchpad: me as Hex } };
    expect(await codeOf(run(prepared, { trusted: elsewhere }))).toBe('BYTES_DIFFER');
  });
});

describe('priceOrder', () => {
  it('default: the wei of the service, from its answer and from the chain', async () => {
    const { answer } = await prepare(client, 'tradeToken', { ...buy, tokenId: token });
    const terms = {
      kind: 'buyExactIn',
      amount: 25_000_000n,
      builderBps: 0n,
      hasReferral: false,
      hasReferrer: false,
    } as const;
    const fromAnswer = priceOrder(answeredState(answer.quote.state, here()), terms).trade;
    const fromChain = priceOrder(await readState(walletOf(), here(), token), terms).trade;
    expect(fromAnswer.amountOut.toString()).toBe(answer.quote.outputAmountRaw);
    expect(fromChain).toEqual(fromAnswer);
  });
});

describe('runPlan', () => {
  it('behavior: one step fails, the others go on, and what is done is not done again', async () => {
    let kept = '';
    const save = (plan: Plan) => {
      kept = JSON.stringify(plan);
    };
    const plan = newPlan([
      { name: 'lost', operation: 'tradeToken', asked: { ...buy, tokenId: me } },
      { name: 'mint', operation: 'mintUsd', asked: { chainSlug, userAddress: account.address, amount: 5 } },
    ]);
    const options = { wallet: walletOf(), trusted, save };
    await runPlan(client, plan, options);
    expect(plan.steps.map(({ status }) => status)).toEqual(['failed', 'done']);
    const nonce = await chain.rpc('eth_getTransactionCount', [account.address, 'latest']);
    await runPlan(client, JSON.parse(kept) as Plan, options);
    expect(await chain.rpc('eth_getTransactionCount', [account.address, 'latest'])).toBe(nonce);
  });
});
