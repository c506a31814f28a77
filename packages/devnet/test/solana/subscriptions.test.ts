import { generateKeyPairSigner } from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Deployed, deployedChain, transfer, World } from './world.ts';

describe('subscriptions of the local Solana node', () => {
  let deployed: Deployed;
  let world: World;
  let closing: AbortController;

  beforeAll(async () => {
    deployed = await deployedChain();
  });
  afterAll(() => deployed?.remove());
  beforeEach(async () => {
    closing = new AbortController();
    world = await World.start(deployed, { byHand: true });
    world.node.mine(5);
  });
  afterEach(async () => {
    closing?.abort();
    await world?.node.stop();
  });

  /** What arrives, in its order. */
  const heard = async <Item, Said>(
    request: { subscribe(options: { abortSignal: AbortSignal }): Promise<AsyncIterable<Item>> },
    say: (item: Item) => Said,
  ): Promise<Said[]> => {
    const said: Said[] = [];
    const items = await request.subscribe({ abortSignal: closing.signal });
    (async () => {
      for await (const item of items) said.push(say(item));
    })().catch(() => {});
    return said;
  };
  /** Everything that was sent before this has arrived after it: answers come in order. */
  const settled = async (): Promise<void> => {
    const slots = await heard(world.subscriptions.slotNotifications(), ({ slot }) => slot);
    const slot = BigInt(world.node.mine());
    await expect.poll(() => slots).toContain(slot);
  };

  it('tells a signature once, at its commitment and not before', async () => {
    const { alice, bob } = world.accounts;
    const signature = await world.send(alice, transfer(alice, bob.address, 1n));
    const levels = ['processed', 'confirmed', 'finalized'] as const;
    const said = await Promise.all(
      levels.map((commitment) =>
        heard(world.subscriptions.signatureNotifications(signature, { commitment }), ({ value }) => value.err),
      ),
    );
    const counts = () => said.map(({ length }) => length);
    expect(counts()).toEqual([0, 0, 0]);
    world.node.mine();
    await expect.poll(counts).toEqual([1, 0, 0]);
    world.node.mine();
    await expect.poll(counts).toEqual([1, 1, 0]);
    world.node.mine(2);
    await settled();
    await expect.poll(counts).toEqual([1, 1, 1]);
    expect(said).toEqual([[null], [null], [null]]);
  });

  it('tells of an account, a program and its logs when the block has the commitment', async () => {
    const { alice } = world.accounts;
    const { program } = world.deployment;
    const { places, instructions } = await world.creation(alice, 6);
    const commitment = 'confirmed' as const;
    const account = await heard(
      world.subscriptions.accountNotifications(places.launch, { commitment, encoding: 'base64' }),
      ({ value }) => value.owner,
    );
    const accounts = await heard(
      world.subscriptions.programNotifications(program, { commitment, encoding: 'base64' }),
      ({ value }) => value.pubkey,
    );
    const logs = await heard(
      world.subscriptions.logsNotifications({ mentions: [program] }, { commitment }),
      ({ value }) => value.signature,
    );
    const signature = await world.send(alice, ...instructions);
    await world.send(alice, transfer(alice, world.accounts.bob.address, 1n));
    world.node.mine();
    await settled();
    await expect.poll(() => logs).toEqual([signature]);
    await expect.poll(() => account).toEqual([program]);
    await expect.poll(() => accounts.toSorted()).toEqual([places.config, places.launch, places.creatorUser].toSorted());
    world.node.mine();
    await settled();
    expect([logs.length, account.length, accounts.length]).toEqual([1, 1, 3]);
  });

  it('does not tell of a fork that was left, and tells of what came instead', async () => {
    const { alice } = world.accounts;
    const { address: to } = await generateKeyPairSigner();
    const confirmed = await heard(
      world.subscriptions.accountNotifications(to, { commitment: 'confirmed', encoding: 'base64' }),
      ({ value }) => value.lamports,
    );
    const processed = await heard(
      world.subscriptions.accountNotifications(to, { commitment: 'processed', encoding: 'base64' }),
      ({ value }) => value.lamports,
    );
    const roots = await heard(world.subscriptions.rootNotifications(), (slot) => slot);
    await world.send(alice, transfer(alice, to, 1_000_000n));
    world.node.mine();
    await expect.poll(() => processed).toEqual([1_000_000n]);
    world.node.reorg(1);
    // What stands in the place of the lost block is told, although its height was told before.
    await world.send(alice, transfer(alice, to, 2_000_000n));
    world.node.mine();
    await settled();
    expect(processed).toEqual([1_000_000n, 2_000_000n]);
    await expect.poll(() => confirmed).toEqual([2_000_000n]);
    await expect.poll(() => processed).toEqual([1_000_000n, 2_000_000n]);
    await settled();
    expect(new Set(roots).size).toBe(roots.length);
    expect(roots).toEqual(await world.rpc.getBlocks(roots[0] as bigint, roots.at(-1)).send());
  });

  it('error: a signature that a fork took is not told', async () => {
    const { alice, bob } = world.accounts;
    const signature = await world.send(alice, transfer(alice, bob.address, 3n));
    const said = await heard(
      world.subscriptions.signatureNotifications(signature, { commitment: 'confirmed' }),
      ({ context }) => context.slot,
    );
    world.node.mine();
    world.node.reorg(1);
    world.node.mine(3);
    await settled();
    expect(said).toEqual([]);
  });

  it('ends subscriptions with their connection', async () => {
    await heard(world.subscriptions.slotNotifications(), ({ slot }) => slot);
    expect(world.node.counts().subscriptions).toBe(1);
    world.node.cutSockets();
    await expect.poll(() => world.node.counts().subscriptions).toBe(0);
    await heard(world.subscriptions.slotNotifications(), ({ slot }) => slot);
    closing.abort();
    await expect.poll(() => world.node.counts().subscriptions).toBe(0);
  });
});
