import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireEvmDeployment, requireHex, voucherTypedData } from '@mintage/protocol';
import { pad, recoverTypedDataAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReferralsWorld, startReferrals } from '../../../test/api/referrals/referralsFixture.ts';
import type { SignedIn } from '../../../test/api/testing/testApi.ts';
import type { ChainContext } from '../../chain/chainContext.ts';
import { voucherSigning } from '../../chain/evm/voucherSigning.ts';
import type { Rpc } from '../../chain/rpc.ts';
import type { Caller } from '../accounts/caller.ts';
import { createVouchers, readVoucherKey } from './vouchers.ts';

describe('createVouchers', () => {
  const key = generatePrivateKey();
  const signer = privateKeyToAccount(key).address;
  let world: ReferralsWorld;
  let alice: SignedIn;
  let asked = 0;
  beforeAll(async () => {
    world = await startReferrals();
    alice = await world.trader({ base: 10_000n });
    await world.call('createReferralCode', { code: 'ALICE2025' }, { bearer: alice.accessToken });
  });
  afterAll(() => world?.stop());

  /** A chain whose Launchpad takes the vouchers of `signer`. */
  const served = (slug: string): ChainContext => {
    const chain = world.context.chains.get(slug) as ChainContext;
    const request = (async () => {
      asked += 1;
      return pad(signer);
    }) as Rpc['request'];
    const { log, now } = world.context;
    const deployment = requireEvmDeployment(chain.deployment);
    const signVoucher = voucherSigning({ slug, rpc: { request }, deployment }, { log, now, voucherKey: key });
    return { ...chain, client: { ...chain.client, signVoucher } };
  };
  /** The order that accompanies every voucher in these tests. */
  const order = () => ({ deadline: Math.floor(world.clock.ms / 1000) + 120, blockTime: null });
  const newVouchers = () => {
    const { db, now } = world.context;
    return createVouchers({ db, canSign: true, now });
  };
  const newUser = async () => {
    const user = await world.signIn();
    const caller = (await world.context.auth.verify(`Bearer ${user.accessToken}`)) as Caller;
    const enter = () => world.call('enterReferralCode', { referral_code: 'ALICE2025' }, { bearer: user.accessToken });
    return { ...user, caller, enter };
  };

  it('default: signed for this wallet, the sign-in wallet of the code’s owner, this chain and this deadline', async () => {
    const { address, caller, enter } = await newUser();
    await enter();
    const [base, ordered] = [served('base'), order()];
    const issued = await newVouchers().issue(caller, base, address, ordered);
    expect(issued).toEqual({
      user: address,
      referrer: alice.address,
      deadline: BigInt(ordered.deadline),
      signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
    });
    const { signature, user, referrer, deadline } = issued as NonNullable<typeof issued>;
    const voucher = { user: requireHex(user), referrer: requireHex(referrer), deadline };
    const typed = ({ deployment }: ChainContext) => ({
      ...voucherTypedData(voucher, requireEvmDeployment(deployment)),
      signature,
    });
    expect(await recoverTypedDataAddress(typed(base))).toBe(signer);
    expect(await recoverTypedDataAddress(typed(served('bnb')))).not.toBe(signer);
  });

  it('behavior: H18 a voucher ends with its order, and within the hour that the chain takes, by the later of both clocks', async () => {
    const { address, caller, enter } = await newUser();
    await enter();
    const now = Math.floor(world.clock.ms / 1000);
    const lifeOf = async (deadline: number, blockTime: number | null, from: number) =>
      Number((await newVouchers().issue(caller, served('base'), address, { deadline, blockTime }))?.deadline) - from;
    expect(await lifeOf(now + 120, null, now)).toBe(120);
    expect(await lifeOf(now + 86_400, now - 30, now)).toBe(3_300);
    expect(await lifeOf(now + 86_400, now + 7_200, now + 7_200)).toBe(3_300);
  });

  it('behavior: C13 a mainnet code gives no voucher on a test chain', async () => {
    const { address, caller, enter } = await newUser();
    await enter();
    expect(await newVouchers().issue(caller, served('base-sepolia'), address, order())).toBeNull();
  });

  it('behavior: another process learns of an entered code within seconds, this one at once', async () => {
    const { address, caller, enter, userId } = await newUser();
    const [here, elsewhere] = [newVouchers(), newVouchers()];
    const issue = (vouchers: typeof here) => vouchers.issue(caller, served('base'), address, order());
    expect([await issue(here), await issue(elsewhere)]).toEqual([null, null]);
    await enter();
    here.forget(userId);
    expect(await issue(here)).not.toBeNull();
    expect(await issue(elsewhere)).toBeNull();
    world.clock.ms += 4_001;
    expect(await issue(elsewhere)).not.toBeNull();
  });

  it('behavior: what was being read while the code was entered is not remembered', async () => {
    const { address, caller, enter, userId } = await newUser();
    const vouchers = newVouchers();
    const reading = vouchers.issue(caller, served('base'), address, order());
    vouchers.forget(userId);
    expect(await reading).toBeNull();
    await enter();
    expect(await vouchers.issue(caller, served('base'), address, order())).not.toBeNull();
  });

  it('behavior: the chain is asked once a minute whose vouchers it takes', async () => {
    const { address, caller, enter } = await newUser();
    await enter();
    const [vouchers, base] = [newVouchers(), served('base')];
    asked = 0;
    for (let times = 0; times < 3; times++) await vouchers.issue(caller, base, address, order());
    expect(asked).toBe(1);
    world.clock.ms += 60_001;
    await vouchers.issue(caller, base, address, order());
    expect(asked).toBe(2);
  });
});

describe('readVoucherKey', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintage-key-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileWith = (text: string): string => {
    const file = join(folder, 'key');
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };

  it('default: 64 hex digits, with or without 0x, in any case, with a line end', () => {
    for (const text of [`0x${'ab'.repeat(32)}`, `${'AB'.repeat(32)}\n`])
      expect(readVoucherKey(fileWith(text))).toBe(`0x${'ab'.repeat(32)}`);
  });

  it('error: names the variable and shows nothing of the file', () => {
    expect(() => readVoucherKey(fileWith('0xsecret'))).toThrow(
      /^VOUCHER_KEY_FILE must hold a private key: 64 hex digits\.$/,
    );
    const open = join(folder, 'open');
    writeFileSync(open, 'ab'.repeat(32), { mode: 0o604 });
    expect(() => readVoucherKey(open)).toThrow(`Others may read VOUCHER_KEY_FILE; run: chmod 600 ${open}`);
    expect(() => readVoucherKey(join(folder, 'absent'))).toThrow('VOUCHER_KEY_FILE cannot be read: ENOENT.');
  });
});
