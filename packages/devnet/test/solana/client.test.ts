import { decodeEvent, firstErrorCode, programErrors } from '@mintage/protocol/solana';
import {
  generateKeyPairSigner,
  getBase58Encoder,
  isSolanaError,
  lamports,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  sendAndConfirmTransactionFactory,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Deployed, deployedChain, type TokenPlaces, transfer, World } from './world.ts';

describe('an unmodified client of the local Solana node', () => {
  let deployed: Deployed;
  let world: World;
  let places: TokenPlaces;
  const confirm = (signed: Awaited<ReturnType<World['transaction']>>) =>
    sendAndConfirmTransactionFactory({ rpc: world.rpc, rpcSubscriptions: world.subscriptions })(signed, {
      commitment: 'confirmed',
    });

  beforeAll(async () => {
    deployed = await deployedChain();
    world = await World.start(deployed, { slotMs: 50 });
  });
  afterAll(async () => {
    await world?.node.stop();
    deployed?.remove();
  });

  it('sends, and hears of it when it is confirmed', async () => {
    const { alice, bob } = world.accounts;
    const before = await world.rpc.getBalance(bob.address, { commitment: 'confirmed' }).send();
    const signed = await world.transaction(alice, [transfer(alice, bob.address, 5_000n)]);
    await confirm(signed);
    const after = await world.rpc.getBalance(bob.address, { commitment: 'confirmed' }).send();
    expect(after.value - before.value).toBe(5_000n);
  });

  it('reads the program’s event out of the inner instructions', async () => {
    const { alice, bob } = world.accounts;
    const { instructions, ...token } = await world.creation(alice, 1);
    places = token.places;
    await confirm(await world.transaction(alice, instructions));
    await confirm(await world.transaction(bob, await world.buy(bob, places, 25_000_000n)));
    const [newest] = await world.rpc
      .getSignaturesForAddress(world.deployment.program, { limit: 1, commitment: 'confirmed' })
      .send();
    if (newest === undefined) throw new Error('The program has no signature.');
    const read = await world.rpc
      .getTransaction(newest.signature, {
        commitment: 'confirmed',
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    if (read?.meta == null) throw new Error('The transaction has no meta.');
    const keys = read.transaction.message.accountKeys;
    const events = (read.meta.innerInstructions ?? [])
      .flatMap(({ instructions }) => instructions)
      .filter(({ programIdIndex }) => keys[programIdIndex] === world.deployment.program)
      .map(({ data }) => decodeEvent(Uint8Array.from(getBase58Encoder().encode(data))));
    expect(events).toMatchObject([{ event: 'Trade', trader: bob.address, grossUsd: 25_000_000n, mint: places.mint }]);
    expect(read.meta.err).toBeNull();
    expect(read.meta.logMessages?.[0]).toContain('invoke [1]');
  });

  it('error: a refusal carries the program’s own code', async () => {
    const { bob } = world.accounts;
    const signed = await world.transaction(bob, await world.buy(bob, places, 10_000_000n, 1n << 60n));
    const error: unknown = await confirm(signed).catch((cause: unknown) => cause);
    if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)) throw error;
    if (!isSolanaError(error.cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)) throw error;
    expect(error.cause.context).toMatchObject({
      index: 1,
      code: firstErrorCode + programErrors.indexOf('TooLittleReceived'),
    });
    expect(error.context.logs?.join()).toContain('custom program error');
  });

  it('gets lamports on demand, more than a float holds', async () => {
    const { address } = await generateKeyPairSigner();
    const most = BigInt(Number.MAX_SAFE_INTEGER);
    for (const amount of [most, 2n]) await world.rpc.requestAirdrop(address, lamports(amount)).send();
    await expect
      .poll(async () => (await world.rpc.getBalance(address, { commitment: 'confirmed' }).send()).value)
      .toBe(most + 2n);
  });

  it('grows by itself, and its clock with it', async () => {
    const start = await world.rpc.getSlot({ commitment: 'finalized' }).send();
    await expect.poll(() => world.rpc.getSlot({ commitment: 'finalized' }).send()).toBeGreaterThan(start + 3n);
    const time = await world.rpc.getBlockTime(start).send();
    expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(3_600);
  });
});
