import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wellKnown } from '@mintage/protocol/solana';
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstruction,
  compileTransactionMessage,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase58Encoder,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageEncoder,
  getSignatureFromTransaction,
  type Instruction,
  pipe,
  type Signature,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deployLaunchpad, startSolanaNode, tokenAccountOf } from '../../src/solana/solana.ts';
import { type Deployed, deployedChain, transfer, World } from './world.ts';

const json = { encoding: 'json', maxSupportedTransactionVersion: 0, commitment: 'confirmed' } as const;

describe('what the local Solana node tells of the past', () => {
  let deployed: Deployed;
  let world: World;

  beforeAll(async () => {
    deployed = await deployedChain();
  });
  afterAll(() => deployed?.remove());
  beforeEach(async () => {
    world = await World.start(deployed, { byHand: true });
    world.node.mine(2);
  });
  afterEach(async () => {
    await world?.node.stop();
  });

  /** Transfers to somebody new, two in each block. */
  const payments = async (count: number): Promise<{ to: Address; signatures: Signature[] }> => {
    const { address: to } = await generateKeyPairSigner();
    const signatures: Signature[] = [];
    for (let at = 0; at < count; at += 1) {
      signatures.push(
        await world.send(world.accounts.alice, transfer(world.accounts.alice, to, 1_000_000n + BigInt(at))),
      );
      if (at % 2 === 1) world.node.mine();
    }
    world.node.mine(2);
    return { to, signatures };
  };

  it('pages through the signatures of an address, newest first, none twice and none left out', async () => {
    const { to, signatures } = await payments(9);
    const newestFirst = signatures.toReversed();
    const page = async (config: { before?: Signature; until?: Signature; limit?: number } = {}) =>
      (await world.rpc.getSignaturesForAddress(to, { commitment: 'confirmed', ...config }).send()).map(
        ({ signature }) => signature,
      );
    expect(await page()).toEqual(newestFirst);
    const pages: Signature[] = [];
    for (let next = await page({ limit: 4 }); next.length > 0; next = await page({ limit: 4, before: pages.at(-1) }))
      pages.push(...next);
    expect(pages).toEqual(newestFirst);
    const [first, , third, , , sixth] = newestFirst;
    expect(await page({ before: first, until: sixth })).toEqual(newestFirst.slice(1, 5));
    expect(await page({ until: third, limit: 1 })).toEqual([first]);
    expect(await page({ before: (await payments(1)).signatures[0] })).toEqual(newestFirst);
    expect(await page({ before: '1'.repeat(64) as Signature })).toEqual([]);
    expect((await world.raw('getSignaturesForAddress', to, { limit: 1_001 })).error?.code).toBe(-32602);
  });

  it('lists failed transactions too, whose fee is taken', async () => {
    const { alice, bob } = world.accounts;
    const price: Instruction = {
      programAddress: address('ComputeBudget111111111111111111111111111111'),
      data: Uint8Array.of(3, 64, 66, 15, 0, 0, 0, 0, 0),
    };
    const signature = await world.send(alice, price, transfer(alice, bob.address, 1n << 60n));
    world.node.mine(2);
    const [listed] = await world.rpc.getSignaturesForAddress(bob.address, { commitment: 'confirmed', limit: 1 }).send();
    expect(listed).toMatchObject({ signature, err: { InstructionError: [1n, { Custom: 1n }] } });
    const read = await world.rpc.getTransaction(signature, json).send();
    expect(read?.meta?.err).toEqual({ InstructionError: [1n, { Custom: 1n }] });
    // One lamport for a unit, of 3,000 for each of the two programs that the cluster has built in.
    expect(read?.meta?.fee).toBe(5_000n + 6_000n);
    const [before = 0n] = read?.meta?.preBalances ?? [];
    const [after = 0n] = read?.meta?.postBalances ?? [];
    expect(before - after).toBe(11_000n);
  });

  it('takes the fee it tells, and tells it before', async () => {
    const { alice } = world.accounts;
    const { address: to } = await generateKeyPairSigner();
    const { value: lifetime } = await world.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (one) => setTransactionMessageFeePayer(alice.address, one),
      (one) => setTransactionMessageLifetimeUsingBlockhash(lifetime, one),
      compileTransactionMessage,
    );
    const text = getBase64Decoder().decode(getCompiledTransactionMessageEncoder().encode(message));
    const fee = await world.rpc.getFeeForMessage(text as never, { commitment: 'confirmed' }).send();
    expect(fee.value).toBe(5_000n);
    const signature = await world.send(alice, transfer(alice, to, 1_000_000n));
    world.node.mine(2);
    const meta = (await world.rpc.getTransaction(signature, json).send())?.meta;
    expect(meta?.fee).toBe(5_000n);
    const change = meta?.postBalances.map((after, at) => after - (meta.preBalances[at] ?? 0n));
    expect(change).toEqual([-1_005_000n, 1_000_000n, 0n]);
    const { value: left } = await world.rpc.getBalance(alice.address, { commitment: 'confirmed' }).send();
    expect(meta?.postBalances[0]).toBe(left);
  });

  it.each([
    [{ InsufficientFundsForRent: { account_index: 1 } }, 'lands'],
    ['AccountNotFound', 'never lands'],
  ] as const)('error: %j, and %s', async (err, fate) => {
    const { alice } = world.accounts;
    const stranger = await generateKeyPairSigner();
    const payer = fate === 'lands' ? alice : stranger;
    const signed = await world.transaction(payer, [transfer(payer, stranger.address, 1n)]);
    const wire = getBase64EncodedWireTransaction(signed);
    const refusal = await world.raw('sendTransaction', wire, { encoding: 'base64', preflightCommitment: 'confirmed' });
    expect(refusal.error).toMatchObject({ code: -32002, data: { err } });
    const signature = await world.post(signed);
    world.node.mine(2);
    expect(await world.rpc.getTransaction(signature, json).send()).toEqual(
      fate === 'lands' ? expect.objectContaining({ meta: expect.objectContaining({ fee: 5_000n }) }) : null,
    );
  });

  it('error: names errors of instructions, and refuses a wrong signature', async () => {
    const { alice, bob } = world.accounts;
    const { value: lifetime } = await world.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    const steal = transfer(bob, alice.address, 1n);
    const unsigned: Instruction = {
      ...steal,
      accounts: [
        { address: bob.address, role: AccountRole.WRITABLE },
        { address: alice.address, role: AccountRole.WRITABLE },
      ],
    };
    const signed = await world.transaction(alice, [unsigned], lifetime);
    const config = { encoding: 'base64', preflightCommitment: 'confirmed' };
    expect((await world.raw('sendTransaction', getBase64EncodedWireTransaction(signed), config)).error).toMatchObject({
      data: { err: { InstructionError: [0, 'MissingRequiredSignature'] } },
    });
    const wire = Buffer.from(getBase64EncodedWireTransaction(signed), 'base64');
    wire[1] = (wire[1] as number) ^ 1;
    expect((await world.raw('sendTransaction', wire.toString('base64'), config)).error?.code).toBe(-32003);
    // Nobody looks at them when a transaction is only passed on; it never lands, and nothing breaks.
    const bare = Buffer.from(wire);
    bare.fill(0, 1, 65);
    for (const one of [wire, bare]) {
      const { result } = await world.raw('sendTransaction', one.toString('base64'), { ...config, skipPreflight: true });
      expect(result).toBeTypeOf('string');
    }
    const slot = world.node.mine(2) - 1;
    const block = await world.raw('getBlock', slot, { commitment: 'confirmed', transactionDetails: 'signatures' });
    expect(block.result).toMatchObject({ signatures: [] });
    const simulate = async (sigVerify: boolean) =>
      world.raw('simulateTransaction', wire.toString('base64'), {
        encoding: 'base64',
        commitment: 'confirmed',
        sigVerify,
      });
    expect((await simulate(true)).error?.code).toBe(-32003);
    expect((await simulate(false)).result).toMatchObject({
      value: { err: { InstructionError: [0, 'MissingRequiredSignature'] } },
    });
  });

  it('error: a lookup table that there is not', async () => {
    const { alice, bob } = world.accounts;
    const { value: lifetime } = await world.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    const table = (await generateKeyPairSigner()).address;
    const signed = await pipe(
      createTransactionMessage({ version: 0 }),
      (one) => setTransactionMessageFeePayerSigner(alice, one),
      (one) => setTransactionMessageLifetimeUsingBlockhash(lifetime, one),
      (one) => appendTransactionMessageInstruction(transfer(alice, bob.address, 3n), one),
      (one) => compressTransactionMessageUsingAddressLookupTables(one, { [table]: [bob.address] }),
      (one) => signTransactionMessageWithSigners(one),
    );
    const send = (skipPreflight: boolean) =>
      world.raw('sendTransaction', getBase64EncodedWireTransaction(signed), {
        encoding: 'base64',
        preflightCommitment: 'confirmed',
        skipPreflight,
      });
    expect((await send(false)).error).toMatchObject({ data: { err: 'AddressLookupTableNotFound' } });
    expect((await send(true)).result).toBe(getSignatureFromTransaction(signed));
    world.node.mine(2);
    expect(await world.rpc.getTransaction(getSignatureFromTransaction(signed), json).send()).toBeNull();
  });

  it('simulates with another blockhash, and tells the inner instructions', async () => {
    const { alice } = world.accounts;
    const { instructions } = await world.creation(alice, 4);
    const old = { blockhash: alice.address as string as never, lastValidBlockHeight: 0n };
    const wire = getBase64EncodedWireTransaction(await world.transaction(alice, instructions, old));
    const simulate = (replaceRecentBlockhash: boolean) =>
      world.raw('simulateTransaction', wire, {
        encoding: 'base64',
        commitment: 'confirmed',
        innerInstructions: true,
        replaceRecentBlockhash,
      });
    expect((await simulate(false)).result).toMatchObject({ value: { err: 'BlockhashNotFound' } });
    expect((await simulate(true)).result).toMatchObject({
      value: {
        err: null,
        unitsConsumed: expect.any(Number),
        innerInstructions: [{ index: 0 }, { index: 1 }],
        replacementBlockhash: { blockhash: expect.any(String) },
      },
    });
  });

  it('tells what token accounts hold, before and after', async () => {
    const { alice, bob } = world.accounts;
    const { places, instructions } = await world.creation(alice, 5);
    await world.send(alice, ...instructions);
    world.node.mine(2);
    const signature = await world.send(bob, ...(await world.buy(bob, places, 40_000_000n)));
    world.node.mine(2);
    const meta = (await world.rpc.getTransaction(signature, json).send())?.meta;
    if (meta == null) throw new Error('no meta');
    const of = (list: typeof meta.preTokenBalances, owner: Address, mint: Address) =>
      list?.find((one) => one.owner === owner && one.mint === mint);
    const usd = world.deployment.dollarMint;
    const [before, after] = [of(meta.preTokenBalances, bob.address, usd), of(meta.postTokenBalances, bob.address, usd)];
    expect(after).toMatchObject({
      programId: wellKnown.token,
      uiTokenAmount: { decimals: 6, uiAmountString: '999960' },
    });
    expect(BigInt(before?.uiTokenAmount.amount ?? 0) - BigInt(after?.uiTokenAmount.amount ?? 0)).toBe(40_000_000n);
    // His account for the token was opened by this transaction.
    expect(of(meta.preTokenBalances, bob.address, places.mint)).toBeUndefined();
    const tokens = of(meta.postTokenBalances, bob.address, places.mint);
    expect(tokens?.programId).toBe(wellKnown.token2022);

    const at = tokenAccountOf(bob.address, places.mint, address(wellKnown.token2022));
    const { value: held } = await world.rpc.getTokenAccountBalance(at, { commitment: 'confirmed' }).send();
    expect(held).toEqual(tokens?.uiTokenAmount);
    const { value: supply } = await world.rpc.getTokenSupply(places.mint, { commitment: 'confirmed' }).send();
    expect(supply.uiAmountString).toBe('1000000000');
    const owned = await world.rpc
      .getTokenAccountsByOwner(bob.address, { mint: places.mint }, { commitment: 'confirmed', encoding: 'base64' })
      .send();
    expect(owned.value.map(({ pubkey }) => pubkey)).toEqual([at]);
    const finalized = await world.raw('getTokenAccountBalance', at, { commitment: 'finalized' });
    expect(finalized.error).toMatchObject({ code: -32602, message: 'Invalid param: could not find account' });
  });

  it('writes transactions in base64 and JSON, and only of versions that the caller can read', async () => {
    const { signatures } = await payments(1);
    const [signature] = signatures as [Signature];
    const base64 = await world.rpc.getTransaction(signature, { ...json, encoding: 'base64' }).send();
    expect(Buffer.from(base64?.transaction[0] ?? '', 'base64').length).toBeGreaterThan(200);
    const read = await world.rpc.getTransaction(signature, json).send();
    expect(read?.transaction).toMatchObject({
      signatures: [signature],
      message: { header: { numRequiredSignatures: 1 } },
    });
    const refusal = await world.raw('getTransaction', signature, { commitment: 'confirmed' });
    expect(refusal.error).toMatchObject({
      code: -32015,
      message: expect.stringContaining('maxSupportedTransactionVersion'),
    });
    expect((await world.raw('getTransaction', signature, { commitment: 'processed' })).error?.code).toBe(-32602);
  });

  it.each(['legacy', 1] as const)('lands a transaction of version %s too', async (version) => {
    const { alice, bob } = world.accounts;
    const { value: lifetime } = await world.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    // Version 1 says its limits itself; what it leaves out is nothing.
    const config = { computeUnitLimit: 10_000, loadedAccountsDataSizeLimit: 100_000, priorityFeeLamports: 777n };
    const instruction = transfer(alice, bob.address, 3n);
    const signed = await (version === 1
      ? pipe(
          setTransactionMessageConfig(config, createTransactionMessage({ version })),
          (one) => setTransactionMessageFeePayerSigner(alice, one),
          (one) => setTransactionMessageLifetimeUsingBlockhash(lifetime, one),
          (one) => appendTransactionMessageInstruction(instruction, one),
          (one) => signTransactionMessageWithSigners(one),
        )
      : pipe(
          createTransactionMessage({ version }),
          (one) => setTransactionMessageFeePayerSigner(alice, one),
          (one) => setTransactionMessageLifetimeUsingBlockhash(lifetime, one),
          (one) => appendTransactionMessageInstruction(instruction, one),
          (one) => signTransactionMessageWithSigners(one),
        ));
    const wire = getBase64EncodedWireTransaction(signed);
    const sent = await world.raw('sendTransaction', wire, { encoding: 'base64', preflightCommitment: 'confirmed' });
    expect(sent).toMatchObject({ result: getSignatureFromTransaction(signed) });
    world.node.mine(2);
    const most = { commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
    const { result } = await world.raw('getTransaction', sent.result, most);
    const fee = version === 1 ? 5_777 : 5_000;
    expect(result).toMatchObject({ version, meta: { err: null, fee } });
    const { preBalances, postBalances } = (result as { meta: Record<string, number[]> }).meta;
    expect((preBalances?.[0] ?? 0) - (postBalances?.[0] ?? 0)).toBe(fee + 3);
    const block = await world.raw('getBlock', (result as { slot: number }).slot, {
      ...most,
      maxSupportedTransactionVersion: 0,
    });
    expect(block.error?.code).toBe(version === 1 ? -32015 : undefined);
  });

  it('answers the other questions of clients', async () => {
    const { rpc } = world;
    const { alice, bob } = world.accounts;
    const commitment = 'processed' as const;
    const price: Instruction = {
      programAddress: address('ComputeBudget111111111111111111111111111111'),
      data: Uint8Array.of(3, 200, 0, 0, 0, 0, 0, 0, 0),
    };
    await world.send(alice, price, transfer(alice, bob.address, 1n));
    world.node.mine();
    const [slot, height, epoch] = await Promise.all([
      rpc.getSlot({ commitment }).send(),
      rpc.getBlockHeight({ commitment }).send(),
      rpc.getEpochInfo({ commitment }).send(),
    ]);
    expect(epoch).toMatchObject({ absoluteSlot: slot, blockHeight: height, slotsInEpoch: 432_000n, epoch: 0n });
    expect(await rpc.getHealth().send()).toBe('ok');
    expect(Object.keys(await rpc.getVersion().send())).toContain('solana-core');
    expect(await rpc.getMinimumBalanceForRentExemption(165n).send()).toBe(2_039_280n);
    const fees = await rpc.getRecentPrioritizationFees([bob.address]).send();
    expect(fees.at(-1)).toEqual({ slot, prioritizationFee: 200n });
    const nobody = await generateKeyPairSigner();
    const several = await rpc.getMultipleAccounts([alice.address, nobody.address], { commitment }).send();
    expect(several.value.map((one) => one?.owner ?? null)).toEqual([wellKnown.system, null]);
    const { config } = world.deployment;
    const part = { encoding: 'base64', dataSlice: { offset: 0, length: 6 } } as const;
    const cut = await rpc.getAccountInfo(config, part).send();
    expect(Buffer.from(cut.value?.data[0] ?? '', 'base64').toString()).toBe('config');
    const text = await rpc.getAccountInfo(config, { ...part, encoding: 'base58' }).send();
    expect(getBase58Encoder().encode(text.value?.data[0] ?? '')).toEqual(new TextEncoder().encode('config'));
    expect(await rpc.getAccountInfo(config, { encoding: 'jsonParsed' }).send()).toMatchObject({
      value: { data: [expect.any(String), 'base64'], space: 840n },
    });
    const late = await world.raw('getSlot', { commitment, minContextSlot: Number(slot) + 1 });
    expect(late.error).toMatchObject({ code: -32016, data: { contextSlot: Number(slot) } });
  });

  it('has bad days when told so', async () => {
    const { to, signatures } = await payments(6);
    const health = () =>
      world.raw('getHealth').then(
        ({ result, error }) => result ?? error?.code,
        () => 'broken',
      );
    world.node.fault({ method: 'getHealth', kind: 'error', times: 2 });
    expect([await health(), await health(), await health()]).toEqual([-32603, -32603, 'ok']);
    world.node.fault({ method: 'getHealth', kind: 'cut', oneOf: 3 });
    expect([await health(), await health(), await health(), await health()]).toEqual(['ok', 'ok', 'broken', 'ok']);
    world.node.clearFaults();
    await world.raw('fault', { method: 'getSignaturesForAddress', kind: 'omit', oneOf: 3 });
    const listed = await world.rpc.getSignaturesForAddress(to, { commitment: 'confirmed' }).send();
    expect(listed.map(({ signature }) => signature)).toEqual(signatures.toReversed().filter((_, at) => at % 3 !== 2));
    world.node.clearFaults();
    world.node.fault({ kind: 'busy', times: 1 });
    await expect(world.rpc.getSlot().send()).rejects.toThrow('429');
    world.node.fault({ kind: 'hang', times: 1 });
    const asked = world.rpc.getSlot().send({ abortSignal: AbortSignal.timeout(200) });
    await expect(asked).rejects.toThrow();
    await expect(world.rpc.getSlot().send()).resolves.toBeTypeOf('bigint');
    expect((await world.raw('getNothing')).error?.code).toBe(-32601);
  });

  it('keeps the chain, and goes on from there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mintage-solana-kept-'));
    try {
      const { to, signatures } = await payments(3);
      const slot = await world.rpc.getSlot({ commitment: 'processed' }).send();
      const genesis = await world.rpc.getGenesisHash().send();
      const { value: lifetime } = await world.rpc.getLatestBlockhash({ commitment: 'processed' }).send();
      world.node.save(folder);
      await world.node.stop();

      const again = await World.start({ ...deployed, folder }, { byHand: true });
      try {
        expect(await again.rpc.getGenesisHash().send()).toBe(genesis);
        // What was kept is final.
        expect(await again.rpc.getSlot({ commitment: 'finalized' }).send()).toBe(slot);
        expect((await again.rpc.getBalance(to).send()).value).toBe(3_000_003n);
        const listed = await again.rpc.getSignaturesForAddress(to).send();
        expect(listed.map(({ signature }) => signature)).toEqual(signatures.toReversed());
        // A transaction that was signed before lands after.
        const { alice } = again.accounts;
        const late = await again.post(await again.transaction(alice, [transfer(alice, to, 1n)], lifetime), false);
        again.node.mine();
        expect((await again.rpc.getSignatureStatuses([late]).send()).value[0]?.err).toBeNull();
        expect(() => again.node.reorg(3)).toThrow('the others are final');
        expect(await deployLaunchpad(again.node.url)).toMatchObject({ program: deployed.deployment.program });
      } finally {
        await again.node.stop();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('error: what it cannot read of a kept chain it puts aside, and starts anew', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'mintage-solana-kept-'));
    const folder = join(parent, 'solana');
    const lines: string[] = [];
    try {
      world.node.save(folder);
      writeFileSync(join(folder, 'chain.bin'), 'nothing');
      const node = await startSolanaNode({ folder, byHand: true, log: (line) => lines.push(line) });
      await node.stop();
      expect(lines.join()).toContain('starts anew');
    } finally {
      rmSync(parent, { recursive: true });
    }
  });

  it('has deployed the program as a cluster does, and given everybody dollars', async () => {
    const { program, programData, dollarMint, accounts } = deployed.deployment;
    const read = async (at: Address) => (await world.rpc.getAccountInfo(at, { encoding: 'base64' }).send()).value;
    expect(await read(program)).toMatchObject({ executable: true, owner: wellKnown.upgradeableLoader });
    const data = Buffer.from((await read(programData))?.data[0] ?? '', 'base64');
    expect(data.readUInt8(12)).toBe(1);
    expect((await read(dollarMint))?.owner).toBe(wellKnown.token);
    for (const { address: wallet } of Object.values(accounts)) {
      const { value } = await world.rpc.getTokenAccountBalance(tokenAccountOf(wallet, dollarMint)).send();
      expect(value.uiAmountString).toBe('1000000');
    }
  });
});
