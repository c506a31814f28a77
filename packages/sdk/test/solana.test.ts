import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '@mintage/devnet';
import { testSystem } from '@mintage/devnet/testSystem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Client,
  checkPreparedSolana,
  createClient,
  execute,
  linkWallet,
  MintageError,
  type Prepared,
  prepare,
  readTrusted,
  type Sent,
  session,
  signIn,
  type Trusted,
} from '../src/sdk.ts';
import { errorOf } from './errorOf.ts';
import { askNode, type OwnWallet, ownWallet } from './solanaWallet.ts';

const chainSlug = 'solana-devnet';

let system: System;
let client: Client;
let trusted: Trusted;
let wallet: OwnWallet;
let friend: OwnWallet;
let rpcUrl: string;

const newWallet = async (): Promise<OwnWallet> => {
  const made = ownWallet(rpcUrl);
  await askNode(rpcUrl, 'requestAirdrop', made.address, 10_000_000_000);
  return made;
};

beforeAll(async () => {
  system = await testSystem({ env: { LOG_LEVEL: 'silent', CHAINS: chainSlug }, seed: false });
  rpcUrl = system.solana[0]?.rpcUrl ?? expect.fail('no cluster');
  client = createClient({ baseUrl: system.url as string, network: 'Testnet' });
  [wallet, friend] = await Promise.all([newWallet(), newWallet()]);
  trusted = await readTrusted(client);
}, 120_000);
afterAll(() => system?.stop());

const run = (prepared: Prepared, more: object = {}) => execute(prepared, { wallet, trusted, calls: client, ...more });
const userAddress = () => wallet.address;
const picture = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')}`;

describe('a wallet of Solana', { timeout: 60_000 }, () => {
  let token: string;
  const trade = async (asked: object) =>
    prepare(client, 'tradeToken', {
      tokenId: token,
      chainSlug,
      userAddress: userAddress(),
      ...asked,
    } as Parameters<Client['tradeToken']>[0]);
  /** What was quoted is what the chain did. */
  const trades = async (asked: object) => {
    const done = await run(await trade(asked));
    expect(done.traded).toMatchObject(done.quoted ?? expect.fail('no quote'));
    await system.caughtUp();
    return done;
  };

  it('default: its chain is trusted as plain JSON, and it signs in', async () => {
    expect(JSON.parse(JSON.stringify(trusted))).toEqual(trusted);
    expect(trusted[chainSlug]).toMatchObject({ type: 'solana', usdDecimals: 6, venue: 'mintage_pool' });
    client.use(session(await signIn(client, wallet, { domain: new URL(system.config.appUrl).host })));
    expect((await client.me()).data.wallets.map(({ address }) => address)).toContain(wallet.address);
  });

  it('default: it mints test dollars, creates with a first buy, and trades on the curve, each as quoted', async () => {
    await run(await prepare(client, 'mintUsd', { chainSlug, userAddress: userAddress(), amount: 2_000 }));
    const created = await run(
      await prepare(client, 'createTokenTransaction', {
        name: 'Paper Boat',
        symbol: 'BOAT',
        description: 'It floats.',
        image: picture,
        chainSlug,
        poolType: 'test',
        amountIn: 20,
        userAddress: userAddress(),
      }),
    );
    token = created.token ?? expect.fail('no token');
    expect(created.traded).toMatchObject(created.quoted ?? {});
    await system.caughtUp();
    await sleep(6_500);
    await trades({ direction: 'buy', buyAmountUSD: 25 });
    await trades({ direction: 'buy', buyAmountToken: 1_000 });
    await trades({ direction: 'sell', sellAmountToken: 1_000 });
    await trades({ direction: 'sell', sellAmountUSD: 5 });
    await trades({
      direction: 'buy',
      buyAmountUSD: 10,
      builder: { code: friend.address, fee: 50 },
      token_referral: friend.address,
    });
  });

  it('default: it opens the pool, trades there, claims what it earned, and sends tokens on', async () => {
    await trades({ direction: 'buy', buyAmountUSD: 400 });
    await trades({ direction: 'buy', buyAmountUSD: 15 });
    await trades({ direction: 'buy', buyAmountToken: 1_000 });
    await trades({ direction: 'sell', sellAmountToken: 1_000 });
    await trades({ direction: 'sell', sellAmountUSD: 5 });
    const claimed = await run(await prepare(client, 'claimRewards', { userAddress: userAddress() }));
    expect(claimed.withdrawn).toEqual([{ chainSlug, currency: trusted[chainSlug]?.usd, amount: expect.any(BigInt) }]);
    const sent = await prepare(client, 'transferToken', {
      token_id: token,
      recipient_address: friend.address,
      amount: '12.5',
      from_chain_slug: chainSlug,
      to_chain_slug: chainSlug,
      wallet_address: userAddress(),
    });
    expect((await run(sent)).transactions).toHaveLength(1);
  });
});
