import type { DevChain, System } from '@mintage/devnet';
import { createWalletClient, erc20Abi, http, type PrivateKeyAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { readContract, sendTransaction, writeContract } from 'viem/actions';
import { expect, it } from 'vitest';
import { receiptOf } from '../src/execute/receipt.ts';
import {
  type Client,
  MintageError,
  newPlan,
  type Plan,
  type RunOptions,
  runPlan,
  type Trusted,
  type TrustedChain,
  type Wallet,
} from '../src/sdk.ts';
import { batchingWallet } from './batchingWallet.ts';

/** What plans run in. */
export interface PlanWorld {
  system: System;
  chain: DevChain;
  client: Client;
  trusted: Trusted;
  /** With the chain's coin and dollars. */
  account: PrivateKeyAccount;
  wallet: Wallet;
  /** Of a token on its curve. */
  token: string;
}

const chainSlug = 'base-sepolia';
const picture = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')}`;

/** The process ends at this point. */
class Crash extends Error {}

const crashWhen = (is: (sent: Plan['steps'][number]['sent']) => boolean) => (plan: Plan) => {
  if (plan.steps.some(({ sent }) => is(sent))) throw new Crash();
};

const statuses = (plan: Plan) => plan.steps.map(({ name, status, error }) => [name, error?.code ?? status].join(' '));

type Hook = (plan: Plan) => void | Promise<void>;

export const planCases = (world: () => PlanWorld): void => {
  const nonce = async (): Promise<number> =>
    Number(await world().chain.rpc('eth_getTransactionCount', [world().account.address, 'latest']));
  const mint = (name: string, amount: number) => ({
    name,
    operation: 'mintUsd' as const,
    asked: { chainSlug, userAddress: world().account.address, amount },
  });
  const buy = (more: object = {}) => ({
    operation: 'tradeToken' as const,
    asked: { chainSlug, direction: 'buy', buyAmountUSD: 25, userAddress: world().account.address, ...more },
  });
  /** Runs a plan as it was kept, and returns what this run kept of it; before or after something is kept the process may end. */
  const run = async (
    plan: Plan,
    more: Partial<RunOptions> = {},
    { before, after }: { before?: Hook; after?: Hook } = {},
  ) => {
    let kept = JSON.stringify(plan);
    const save = async (changed: Plan) => {
      await before?.(changed);
      kept = JSON.stringify(changed);
      await after?.(changed);
    };
    const { client, trusted, wallet } = world();
    await runPlan(client, JSON.parse(kept) as Plan, { wallet, trusted, save, ...more }).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    });
    return JSON.parse(kept) as Plan;
  };
  it('behavior: steps run when those that they wait for are done, with the token that was created; a failure stops no other', async () => {
    const { account, chain } = world();
    const plan = newPlan([
      { name: 'buy', after: ['create'], ...buy({ tokenId: '$create.token' }) },
      { ...mint('never', 1), after: ['lost'] },
      { name: 'lost', ...buy({ tokenId: chain.accounts.dave.address }) },
      {
        name: 'create',
        operation: 'createTokenTransaction',
        asked: {
          name: 'Kite',
          symbol: 'KITE',
          description: 'It flies.',
          image: picture,
          chainSlug,
          userAddress: account.address,
        },
      },
    ]);
    // What a wallet refused of it before neither holds it up nor takes its slug.
    const refusing = batchingWallet(chain.rpcUrl, account, (method) => /^(wallet|eth)_send/.test(method));
    const refused = await run(plan, { wallet: refusing.client });
    expect(statuses(refused)).toEqual(['buy open', 'never open', 'lost TOKEN_NOT_FOUND', 'create WALLET_REFUSED']);
    const done = await run(refused);
    expect(statuses(done)).toEqual(['buy done', 'never open', 'lost TOKEN_NOT_FOUND', 'create done']);
    const [bought, , , created] = done.steps.map(
      ({ executed }) => executed as { token: string | null; traded: object },
    );
    expect(bought?.traded).toMatchObject({ amountIn: '25000000' });
    const { token } = await world().client.getTokenAbout({ token_id: created?.token ?? '' });
    expect([token.symbol, token.slug]).toEqual(['KITE', 'kite']);
    const before = await nonce();
    expect(statuses(await run(done))).toEqual(statuses(done));
    expect(await nonce()).toBe(before);
  });

  it('behavior: what came too late after its approval is prepared anew, and approved once', async () => {
    const { account, chain, system, token, trusted, wallet } = world();
    const { usd, launchpad } = trusted[chainSlug] ?? expect.fail('no chain');
    const hash = await writeContract(wallet, {
      chain: null,
      address: usd,
      abi: erc20Abi,
      functionName: 'approve',
      args: [launchpad, 0n],
    });
    await receiptOf(wallet, { hash });
    const before = await nonce();
    const kept = await run(
      newPlan([{ name: 'buy', ...buy({ tokenId: token }) }]),
      {},
      {
        before: crashWhen((sent) => sent.length > 1),
      },
    );
    expect(kept.steps[0]?.sent.map(({ key }) => key)).toEqual([`${chainSlug} approve`]);
    await chain.advance(400);
    await system.caughtUp();
    expect(statuses(await run(kept))).toEqual(['buy done']);
    expect((await nonce()) - before).toBe(2);
    const args = [account.address, launchpad] as const;
    expect(await readContract(wallet, { address: usd, abi: erc20Abi, functionName: 'allowance', args })).toBe(0n);
  });

  it('behavior: what a wallet never answered ends with its deadline, also where another transaction took its nonce', async () => {
    const { account, chain, client, system, token, wallet } = world();
    const { client: page, asked } = batchingWallet(chain.rpcUrl, account);
    const asking = await run(
      newPlan([{ name: 'buy', ...buy({ tokenId: token }) }]),
      { wallet: page, batch: false },
      { after: crashWhen((sent) => sent.some(({ key }) => key === `${chainSlug} 0`)) },
    );
    const told = asking.steps[0]?.sent.at(-1);
    expect(told).toMatchObject({ hash: null, nonce: await nonce() });
    const sends = () => asked.filter((method) => /send/i.test(method)).length;
    const before = sends();
    // Its window may still be open: nothing is asked again.
    const early = await run(asking, { wallet: page, batch: false });
    expect(statuses(early)).toEqual(['buy SENT_UNCONFIRMED']);
    const hash = await sendTransaction(wallet, { chain: null, to: account.address, value: 1n });
    await receiptOf(wallet, { hash });
    await chain.advance(400);
    await system.caughtUp();
    // Without a press it is said, and left.
    const looked = await run(early, { wallet: page, batch: false, again: false });
    expect(statuses(looked)).toEqual(['buy TRANSACTION_EXPIRED']);
    expect(looked.steps[0]?.status).toBe('sent');
    expect(sends()).toBe(before);
    // With one it begins anew, also after a try that the service did not answer.
    const away = { ...client, tradeToken: () => Promise.reject(new MintageError('UNREACHABLE', 'It is away.')) };
    let kept = structuredClone(looked);
    await runPlan(away, kept, {
      wallet: page,
      trusted: world().trusted,
      batch: false,
      save: (plan) => void (kept = structuredClone(plan)),
    });
    expect(statuses(kept)).toEqual(['buy UNREACHABLE']);
    expect(statuses(await run(kept, { wallet: page, batch: false }))).toEqual(['buy done']);
  });

  it('behavior: an approval that a wallet never answered is asked for again by a press alone', async () => {
    const { account, chain, token, trusted, wallet } = world();
    const { usd, launchpad } = trusted[chainSlug] ?? expect.fail('no chain');
    const hash = await writeContract(wallet, {
      chain: null,
      address: usd,
      abi: erc20Abi,
      functionName: 'approve',
      args: [launchpad, 0n],
    });
    await receiptOf(wallet, { hash });
    const { client: page, asked } = batchingWallet(chain.rpcUrl, account);
    const asking = await run(
      newPlan([{ name: 'buy', ...buy({ tokenId: token }) }]),
      { wallet: page, batch: false },
      { after: crashWhen((sent) => sent.length > 0) },
    );
    expect(asking.steps[0]?.sent).toMatchObject([{ key: `${chainSlug} approve`, hash: null }]);
    const looked = await run(asking, { wallet: page, batch: false, again: false });
    expect(statuses(looked)).toEqual(['buy SENT_UNCONFIRMED']);
    expect(asked.filter((method) => /send/i.test(method))).toEqual([]);
    expect(statuses(await run(looked, { wallet: page, batch: false }))).toEqual(['buy done']);
  });

  it('behavior: what a wallet sent without telling the hash is found, also under a later nonce, and not sent again', async () => {
    const { account, chain, wallet } = world();
    const { client: page } = batchingWallet(chain.rpcUrl, account);
    const before = await nonce();
    const kept = await run(
      newPlan([mint('mint', 7)]),
      { wallet: page },
      {
        before: async (plan) => {
          crashWhen((sent) => sent.some((one) => one.hash !== null))(plan);
          // Between what is told and what is sent the wallet sends something else.
          const hash = await sendTransaction(wallet, { chain: null, to: account.address, value: 1n });
          await receiptOf(wallet, { hash });
        },
      },
    );
    expect(kept.steps[0]).toMatchObject({ status: 'sent', sent: [{ hash: null, nonce: before }] });
    await chain.rpc('anvil_mine', ['0x9']);

    // A wallet that stays elsewhere says nothing of it, and is asked to go to no other chain.
    const asked: string[] = [];
    const stays = ({ slug }: TrustedChain): Wallet => {
      asked.push(slug);
      if (asked.length > 1) throw new MintageError('WALLET_ELSEWHERE', 'It stays where it is.');
      return page;
    };
    const trusted = Object.fromEntries(Object.entries(world().trusted).toReversed());
    const stayed = await run(kept, { wallet: stays, trusted });
    expect(stayed.steps[0]).toMatchObject({
      status: 'sent',
      sent: [{ hash: null }],
      error: { code: 'WALLET_ELSEWHERE' },
    });
    expect(asked).toEqual([chainSlug, chainSlug]);

    expect(statuses(await run(stayed, { wallet: page }))).toEqual(['mint done']);
    expect((await nonce()) - before).toBe(2);
  });

  it('error: what may have been sent and is nowhere is told, and no other step’s transaction is taken for it', async () => {
    const { account, chain } = world();
    const { client: page } = batchingWallet(chain.rpcUrl, account);
    const asking = await run(
      newPlan([mint('one', 9), mint('other', 9)]),
      { wallet: page },
      { after: crashWhen((sent) => sent.length > 0) },
    );
    expect(asking.steps[0]).toMatchObject({ status: 'sent', sent: [{ hash: null }] });
    // The other one has the same bytes under the nonce that the first was told to have.
    const done = await run(asking, { wallet: page });
    expect(statuses(done)).toEqual(['one SENT_UNCONFIRMED', 'other done']);
    expect(statuses(await run(done, { wallet: page }))).toEqual(statuses(done));
  });

  it('behavior: what a local key could not pay the gas of was not sent, and begins anew', async () => {
    const { chain } = world();
    const poor = privateKeyToAccount(generatePrivateKey());
    const wallet = createWalletClient({ account: poor, transport: http(chain.rpcUrl), pollingInterval: 50 });
    const step = mint('mint', 3);
    const failed = await run(newPlan([{ ...step, asked: { ...step.asked, userAddress: poor.address } }]), { wallet });
    expect(statuses(failed)).toEqual(['mint INSUFFICIENT_BALANCE']);
    expect(failed.steps[0]?.sent).toEqual([]);
    await chain.rpc('anvil_setBalance', [poor.address, '0x56bc75e2d63100000']);
    expect(statuses(await run(failed, { wallet }))).toEqual(['mint done']);
  });
};
