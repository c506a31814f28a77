import {
  getBase64EncodedWireTransaction,
  isSolanaError,
  lamports,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
} from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deployLaunchpad, startSolanaNode } from '../../src/solana/solana.ts';
import { type Deployed, deployedChain, type Lifetime, transfer, World } from './world.ts';

const levels = ['processed', 'confirmed', 'finalized'] as const;

describe('commitments and forks of the local Solana node', () => {
  let deployed: Deployed;
  let world: World;

  beforeAll(async () => {
    deployed = await deployedChain();
  });
  afterAll(() => deployed?.remove());
  beforeEach(async () => {
    world = await World.start(deployed, { byHand: true });
    world.node.mine(5);
  });
  afterEach(async () => {
    await world?.node.stop();
  });

  const balances = (at: World['accounts']['bob']['address']) =>
    Promise.all(
      levels.map(async (commitment) => {
        const { value } = await world.rpc.getBalance(at, { commitment }).send();
        const info = await world.rpc.getAccountInfo(at, { commitment, encoding: 'base64' }).send();
        expect(info.value?.lamports).toBe(value);
        return value;
      }),
    );
  const statusOf = async (signature: Awaited<ReturnType<World['post']>>) => {
    const { value } = await world.rpc.getSignatureStatuses([signature]).send();
    return value[0]?.confirmationStatus ?? null;
  };

  it('every commitment shows the state of its own block', async () => {
    const { alice, carol } = world.accounts;
    const [start = 0n] = await balances(carol.address);
    const signature = await world.send(alice, transfer(alice, carol.address, 7n));
    expect(await statusOf(signature)).toBeNull();
    world.node.mine();
    expect(await balances(carol.address)).toEqual([start + 7n, start, start]);
    expect(await statusOf(signature)).toBe('processed');
    world.node.mine();
    expect(await balances(carol.address)).toEqual([start + 7n, start + 7n, start]);
    expect(await statusOf(signature)).toBe('confirmed');
    world.node.mine(2);
    expect(await balances(carol.address)).toEqual([start + 7n, start + 7n, start]);
    world.node.mine();
    expect(await balances(carol.address)).toEqual([start + 7n, start + 7n, start + 7n]);
    expect(await statusOf(signature)).toBe('finalized');
  });

  it('several changes of one account stand at one commitment each', async () => {
    const { alice, carol } = world.accounts;
    const [start = 0n] = await balances(carol.address);
    for (const amount of [1n, 10n, 100n, 1_000n, 10_000n]) {
      await world.send(alice, transfer(alice, carol.address, amount));
      world.node.mine();
    }
    expect(await balances(carol.address)).toEqual([start + 11_111n, start + 1_111n, start + 1n]);
  });

  it('lists accounts of a program, and the clock, as of the commitment', async () => {
    const { alice } = world.accounts;
    const { program } = world.deployment;
    const { places, instructions } = await world.creation(alice, 2);
    await world.send(alice, ...instructions);
    world.node.mine();
    const listed = (commitment: (typeof levels)[number]) =>
      world.rpc
        .getProgramAccounts(program, {
          commitment,
          encoding: 'base64',
          filters: [{ memcmp: { offset: 8n, bytes: places.mint as never, encoding: 'base58' } }],
        })
        .send();
    expect((await listed('processed')).map(({ pubkey }) => pubkey)).toEqual([places.launch]);
    expect(await listed('confirmed')).toEqual([]);

    const clock = async (commitment: (typeof levels)[number]) => {
      const { value } = await world.rpc
        .getAccountInfo('SysvarC1ock11111111111111111111111111111111' as never, { commitment, encoding: 'base64' })
        .send();
      return Buffer.from(value?.data[0] ?? '', 'base64').readBigInt64LE(32);
    };
    const now = await clock('processed');
    world.node.addSeconds(1_000);
    world.node.mine();
    expect((await clock('processed')) - now).toBeGreaterThanOrEqual(1_000n);
    expect(await clock('confirmed')).toBe(now);
  });

  it('a fork takes back state, status and history, and the same transaction lands again', async () => {
    const { alice, carol } = world.accounts;
    const [start = 0n] = await balances(carol.address);
    const { value: lifetime } = await world.rpc.getLatestBlockhash({ commitment: 'finalized' }).send();
    const signed = await world.transaction(alice, [transfer(alice, carol.address, 7n)], lifetime);
    const signature = await world.post(signed);
    world.node.mine(2);
    const [slot, height] = await Promise.all([
      world.rpc.getSlot({ commitment: 'confirmed' }).send(),
      world.rpc.getBlockHeight({ commitment: 'confirmed' }).send(),
    ]);
    const lost = await world.rpc.getBlock(slot, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }).send();
    expect(await balances(carol.address)).toEqual([start + 7n, start + 7n, start]);

    expect(world.node.reorg(2)).toEqual([signature]);
    expect(await balances(carol.address)).toEqual([start, start, start]);
    expect(await statusOf(signature)).toBeNull();
    world.node.mine(3);
    expect(await balances(carol.address)).toEqual([start, start, start]);
    expect(await statusOf(signature)).toBeNull();
    const listed = await world.rpc.getSignaturesForAddress(carol.address, { commitment: 'confirmed' }).send();
    expect(listed.map((one) => one.signature)).not.toContain(signature);
    const config = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 } as const;
    expect(await world.rpc.getTransaction(signature, config).send()).toBeNull();

    // The lost slot is another's or nobody's: the block of the same height is another one.
    const slots = await world.rpc.getBlocks(slot, undefined, { commitment: 'confirmed' }).send();
    const now = await Promise.all(
      slots.map((one) =>
        world.rpc.getBlock(one, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }).send(),
      ),
    );
    const instead = now.find((block) => block?.blockHeight === height);
    expect(instead?.blockhash).toBeTypeOf('string');
    expect(instead?.blockhash).not.toBe(lost?.blockhash);
    expect(slots).not.toContain(slot);

    await world.post(signed);
    world.node.mine();
    expect(await balances(carol.address)).toEqual([start + 7n, start, start]);
    expect(await statusOf(signature)).toBe('processed');
  });

  it('a fork can bring the same slots, and transactions that were lost, again', async () => {
    const { alice, carol } = world.accounts;
    const { value: lifetime } = await world.rpc.getLatestBlockhash({ commitment: 'finalized' }).send();
    const send = async (amount: bigint) =>
      world.post(await world.transaction(alice, [transfer(alice, carol.address, amount)], lifetime));
    const [kept, gone] = [await send(1n), await send(2n)];
    const slot = BigInt(world.node.mine());
    expect(world.node.reorg(1, { again: [kept], sameSlots: true }).toSorted()).toEqual([kept, gone].toSorted());
    expect(BigInt(world.node.mine(2))).toBe(slot + 1n);
    const block = await world.rpc
      .getBlock(slot, { commitment: 'confirmed', transactionDetails: 'signatures', maxSupportedTransactionVersion: 0 })
      .send();
    expect(block?.signatures).toEqual([kept]);

    const newest = async () => (await world.rpc.getLatestBlockhash({ commitment: 'processed' }).send()).value.blockhash;
    const lost = await newest();
    world.node.reorg(1, { sameSlots: true });
    expect(BigInt(world.node.mine())).toBe(slot + 1n);
    expect(await newest()).not.toBe(lost);
  });

  it('a fork also takes back accounts that were opened', async () => {
    const { alice } = world.accounts;
    const { places, instructions } = await world.creation(alice, 3);
    const there = async () =>
      (await world.rpc.getAccountInfo(places.launch, { commitment: 'processed', encoding: 'base64' }).send()).value;
    await world.send(alice, ...instructions);
    world.node.mine();
    expect(await there()).not.toBeNull();
    world.node.reorg(1);
    expect(await there()).toBeNull();
    world.node.mine();
    await world.send(alice, ...instructions);
    world.node.mine();
    expect(await there()).not.toBeNull();
  });

  it('a fork takes back a whole deployment, and it can be made again', async () => {
    const node = await startSolanaNode({ slotMs: 20, finalAfter: 5_000 });
    try {
      const { program } = await deployLaunchpad(node.url);
      const fresh = new World(node, deployed.deployment);
      const there = async () =>
        (await fresh.rpc.getAccountInfo(program, { commitment: 'processed', encoding: 'base64' }).send()).value !==
        null;
      const height = async () => Number(await fresh.rpc.getBlockHeight({ commitment: 'processed' }).send());
      expect(await there()).toBe(true);
      node.reorg((await height()) - 1);
      expect(await there()).toBe(false);
      await deployLaunchpad(node.url);
      expect(await there()).toBe(true);
    } finally {
      await node.stop();
    }
  });

  it('error: a final block never goes', async () => {
    world.node.mine(3);
    expect(() => world.node.reorg(5)).toThrow('Between 1 and 4 blocks');
    expect((await world.raw('reorg', 5)).error?.code).toBe(-32602);
    expect(world.node.reorg(4)).toEqual([]);
  });

  it('error: a transaction whose blockhash is too old is refused, and lands no more', async () => {
    const { alice, carol } = world.accounts;
    const { value: lifetime } = await world.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    const make = (amount: bigint) => world.transaction(alice, [transfer(alice, carol.address, amount)], lifetime);
    const isValid = async () =>
      (await world.rpc.isBlockhashValid(lifetime.blockhash, { commitment: 'processed' }).send()).value;
    const heightNow = () => world.rpc.getBlockHeight({ commitment: 'processed' }).send();

    world.node.mine(Number(lifetime.lastValidBlockHeight - (await heightNow())));
    expect(await isValid()).toBe(true);
    const last = await world.post(await make(1n), false);
    world.node.mine();
    expect(await statusOf(last)).toBe('processed');

    expect(await isValid()).toBe(false);
    const error: unknown = await world.post(await make(2n), false).catch((cause: unknown) => cause);
    if (!isSolanaError(error)) throw error;
    expect(isSolanaError(error.cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)).toBe(true);
    const late = await world.post(await make(3n));
    world.node.mine();
    expect(await statusOf(late)).toBeNull();
  });

  it('error: a blockhash that the asked commitment has not seen is unknown there, a landed transaction is refused', async () => {
    const { alice, carol } = world.accounts;
    const { value: newest } = await world.rpc.getLatestBlockhash({ commitment: 'processed' }).send();
    const signed = await world.transaction(alice, [transfer(alice, carol.address, 1n)], newest);
    const wire = getBase64EncodedWireTransaction(signed);
    const send = (preflightCommitment: string) =>
      world.raw('sendTransaction', wire, { encoding: 'base64', preflightCommitment });
    expect((await send('confirmed')).error).toMatchObject({ code: -32002, data: { err: 'BlockhashNotFound' } });
    await send('processed');
    await send('processed');
    world.node.mine();
    expect((await send('processed')).error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: This transaction has already been processed',
      data: { err: 'AlreadyProcessed' },
    });
    await world.post(signed);
    const block = await world.rpc
      .getBlock(BigInt(world.node.mine(2)) - 1n, { commitment: 'confirmed', transactionDetails: 'signatures' })
      .send();
    expect(block?.signatures).toEqual([]);
  });

  it('skipped slots have no block, and no height', async () => {
    const before = BigInt(world.node.mine());
    const height = await world.rpc.getBlockHeight({ commitment: 'processed' }).send();
    world.node.skipSlots(3);
    const next = BigInt(world.node.mine());
    expect(next).toBe(before + 4n);
    expect(await world.rpc.getBlockHeight({ commitment: 'processed' }).send()).toBe(height + 1n);
    // Whether a slot stays empty is not known before it is final.
    expect((await world.raw('getBlock', Number(before) + 2)).error?.code).toBe(-32004);
    world.node.mine(4);
    expect((await world.raw('getBlock', Number(before) + 2)).error).toMatchObject({
      code: -32007,
      message: `Slot ${before + 2n} was skipped, or missing due to ledger jump to recent snapshot`,
    });
    expect(await world.rpc.getBlocks(before, next).send()).toEqual([before, next]);
    const block = await world.rpc.getBlock(next, { maxSupportedTransactionVersion: 0 }).send();
    expect(block?.parentSlot).toBe(before);
  });

  it('leaves out slots by itself when told so', async () => {
    const skipping = await World.start(deployed, { slotMs: 10, skipEvery: 3 });
    try {
      const start = await skipping.rpc.getSlot({ commitment: 'finalized' }).send();
      await expect.poll(() => skipping.rpc.getSlot({ commitment: 'finalized' }).send()).toBeGreaterThan(start + 12n);
      const slots = await skipping.rpc.getBlocks(start, start + 12n).send();
      expect(slots.filter((slot) => slot % 3n === 0n && slot !== start)).toEqual([]);
      expect(slots.length).toBeGreaterThan(6);
    } finally {
      await skipping.node.stop();
    }
  });

  it('simulates on the commitment that is asked, and leaves nothing behind', async () => {
    const { alice, carol } = world.accounts;
    const { value: old } = await world.rpc.getLatestBlockhash({ commitment: 'finalized' }).send();
    const [start = 0n] = await balances(carol.address);
    await world.send(alice, transfer(alice, carol.address, 5n));
    world.node.mine();
    const simulate = async (commitment: (typeof levels)[number], lifetime: Lifetime) => {
      const signed = await world.transaction(alice, [transfer(alice, carol.address, 100n)], lifetime);
      const { value } = await world.rpc
        .simulateTransaction(getBase64EncodedWireTransaction(signed), {
          commitment,
          encoding: 'base64',
          accounts: { addresses: [carol.address], encoding: 'base64' },
        })
        .send();
      expect(value.err).toBeNull();
      return value.accounts[0]?.lamports;
    };
    expect(await simulate('processed', old)).toBe(lamports(start + 105n));
    expect(await simulate('finalized', old)).toBe(lamports(start + 100n));
    expect(await balances(carol.address)).toEqual([start + 5n, start, start]);
  });
});
