import { type DevChain } from '@mintage/devnet';
import { until } from '@mintage/devnet/until';
import { encodeApprove, encodeMint } from '@mintage/protocol';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { open } from '../../src/keys/keys.ts';
import { walletSeal } from '../../src/sign/wallets/walletSeal.ts';
import { balanceOf, newAddress, startWorld, type World } from './world.ts';

let world: World;
let base: DevChain;
let unichain: DevChain;
beforeAll(async () => {
  world = await startWorld(['base-sepolia', 'unichain-testnet']);
  [base, unichain] = world.chains as [DevChain, DevChain];
  await world.signer();
});
afterAll(() => world?.stop());

const ended = (id: string) => async () => !['queued', 'signed'].includes((await world.intent(id)).status);

describe('startSigner', () => {
  test('default: a wallet is made on request, sealed to its user, and its key signs for its address', async () => {
    const { user, wallet } = await world.newWallet();
    const row = await world.db
      .selectFrom('embedded_wallet')
      .selectAll()
      .where('user_id', '=', user)
      .executeTakeFirstOrThrow();
    if (row.sealed_key === null) throw new Error('not sealed');
    const key = await open(world.keys, row.sealed_key, walletSeal(user, wallet));
    expect(privateKeyToAccount(`0x${Buffer.from(key).toString('hex')}`).address.toLowerCase()).toBe(wallet);
    await expect(open(world.keys, row.sealed_key, walletSeal('another', wallet))).rejects.toThrow('does not open');
  });

  test('default: all steps are signed together, sent in order, mined and final', async () => {
    const owner = await world.newWallet();
    const { usd, launchpad } = base.deployment;
    const id = await world.wish({
      chain: base,
      ...owner,
      steps: [
        { to: usd, data: encodeMint(owner.wallet, 5_000_000n) },
        { to: usd, data: encodeApprove(launchpad, 1_000_000n) },
      ],
    });
    await until(async () => (await world.steps(id)).every(({ status }) => status === 'sent'));
    expect(await world.intent(id)).toMatchObject({ status: 'signed' });
    await base.rpc('evm_mine');
    await until(async () => (await world.steps(id)).every(({ status }) => status === 'mined'));
    expect(await world.intent(id)).toMatchObject({ status: 'signed' });
    await world.mineUntil(ended(id));
    expect(await world.intent(id)).toMatchObject({ status: 'done', error: null });
    expect(await world.steps(id)).toMatchObject([
      { status: 'final', nonce: 0 },
      { status: 'final', nonce: 1 },
    ]);
  });

  test('behavior: lanes of two wallets and two chains go on side by side', async () => {
    const owners = [await world.newWallet(), await world.newWallet()];
    const effects = owners.flatMap((owner) =>
      [base, unichain].flatMap((chain) => [0, 1].map(() => ({ owner, chain, to: newAddress() }))),
    );
    const ids = await Promise.all(
      effects.map(({ owner, chain, to }) => world.wish({ chain, ...owner, steps: [{ to, value: 7n }] })),
    );
    for (const id of ids) await world.mineUntil(ended(id));
    for (const id of ids) expect(await world.intent(id)).toMatchObject({ status: 'done' });
    for (const { chain, to } of effects) expect(await balanceOf(chain, to)).toBe(7n);
  });
});
