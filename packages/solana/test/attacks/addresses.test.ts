import { type instructions, programAccounts, seedsOf, wellKnown } from '@mintage/protocol/solana';
import { AccountRole, generateKeyPairSigner, type Instruction, type KeyPairSigner } from '@solana/kit';
import { Rent } from 'litesvm';
import { describe, expect, it } from 'vitest';
import { faultsOf } from '../machine/books.ts';
import { Launchpad, type Token } from '../machine/launchpad.ts';
import { base58, derive, Machine, programAddress } from '../machine/machine.ts';
import {
  addressOf,
  creationAt,
  creationBy,
  dollar,
  errorOf,
  initOf,
  lamportsOf,
  nobody,
  patch,
  put,
  rentOf,
  usd,
} from './tools.ts';

/** Where an attacker waits for what the program is going to make. */

describe('addresses of the program', () => {
  /** Everything that a deployment makes, on a new machine, where `sent` lamports lie at each of its addresses before. */
  const deployWith = async (sent: (bytes: number) => bigint): Promise<void> => {
    const machine = await Machine.start();
    const { deployer } = machine;
    const payer = deployer.address;
    const must = async (instruction: Instruction, signer: KeyPairSigner = deployer) =>
      expect((await machine.send(signer, instruction)).said).toBe('');
    const prefund = (at: string, bytes: number) => machine.put(at, wellKnown.system, new Uint8Array(), sent(bytes));
    const bytesOf = (name: keyof typeof programAccounts) =>
      encodedLength(programAccounts[name].fields.map(({ type }) => type));
    const made: [at: string, bytes: number][] = [];
    const expectMade = (at: string, bytes: number) => made.push([at, bytes]);

    const dollarMint = await machine.fresh();
    machine.put(dollarMint, wellKnown.token, dollar());
    const [config] = await derive('config', {});
    prefund(config, bytesOf('Config'));
    await must(initOf(machine, payer, dollarMint));
    expectMade(config, bytesOf('Config'));
    const feeVaults: string[] = [];
    for (let index = 0; index < 16; index += 1) {
      const [feeVault] = await derive('feeVault', { index: Uint8Array.of(index) });
      prefund(feeVault, 165);
      await must(machine.instruction('openFeeVault', { payer, feeVault, dollarMint }, { index }));
      expectMade(feeVault, 165);
      feeVaults.push(feeVault);
    }
    const wallet = await machine.fresh();
    const [user] = await derive('user', { wallet: base58(wallet) });
    prefund(user, bytesOf('User'));
    await must(machine.instruction('openUser', { payer, wallet, user }, {}));
    expectMade(user, bytesOf('User'));

    const { places, instruction } = await creationBy(machine, deployer, dollarMint);
    const mintBytes = 234 + 72 + 12 + 'Paper Boat'.length + 'BOAT'.length + 'ipfs://boat'.length;
    const sizes: Record<string, number> = {
      mint: mintBytes,
      launch: bytesOf('Launch'),
      tokenVault: 165,
      usdVault: 165,
      creatorUser: bytesOf('User'),
    };
    for (const [place, bytes] of Object.entries(sizes)) prefund(places[place] as string, bytes);
    await must(instruction);
    for (const [place, bytes] of Object.entries(sizes)) expectMade(places[place] as string, bytes);

    for (const [at, bytes] of made) {
      expect([at, machine.account(at).data.length]).toEqual([at, bytes]);
      const [needs, had] = [rentOf(machine, at), sent(bytes)];
      expect([at, lamportsOf(machine, at)]).toEqual([at, had > needs ? had : needs]);
    }
  };
  const rent = (bytes: number): bigint => BigInt(bytes + 128) * 6_960n;

  it.each([
    ['one lamport', () => 1n],
    ['what an empty account has to hold', () => rent(0)],
    ['a lamport less than the rent', (bytes: number) => rent(bytes) - 1n],
    ['the rent', rent],
    ['a lamport more than the rent', (bytes: number) => rent(bytes) + 1n],
    ['a lot', () => 10n ** 10n],
  ])('S105 lamports sent ahead to every address, %s: all is made, and costs the rest of the rent', async (_, sent) => {
    await deployWith(sent);
  });

  it('S106 no mint at another bump, with all that derives from it, and none at the right one with another bump said', async () => {
    const launchpad = await Launchpad.start();
    const { machine, dollarMint } = launchpad;
    const creator = await launchpad.person();
    const salt = new Uint8Array(32).fill(7);
    const { instruction } = await launchpad.creation(creator, {}, salt);
    const seeds = seedsOf('mint', { creator: base58(creator.wallet), salt });
    const right = instruction.data?.[2] as number;
    for (let bump = 0; bump < 256; bump += 1) {
      if (bump === right) continue;
      expect((await machine.send(creator.signer, patch(instruction, 2, bump))).error).not.toBe(null);
      const mint = addressOf(seeds, bump);
      if (mint === null) continue;
      const whole = await creationAt(machine, creator.signer, dollarMint, { salt, mint, mintBump: bump });
      expect([bump, errorOf(await machine.send(creator.signer, whole.instruction))]).toEqual([bump, 'BadAccount']);
    }
    expect((await machine.send(creator.signer, instruction)).said).toBe('');
  });

  it('S106 no Launch at another bump; vaults may be, because the Launch says where they are', async () => {
    const launchpad = await Launchpad.start();
    const { machine } = launchpad;
    const creator = await launchpad.person();
    const { instruction, places } = await launchpad.creation(creator);
    const mint = places.mint as never;
    const world = machine.save();
    for (const [place, dataAt] of Object.entries({ launch: 3, tokenVault: 4, usdVault: 5 } as const)) {
      const right = instruction.data?.[dataAt] as number;
      let others = 0;
      for (let bump = 0; bump < 256; bump += 1) {
        if (bump === right) continue;
        const said = patch(instruction, dataAt, bump);
        expect((await machine.send(creator.signer, said)).error).not.toBe(null);
        const other = addressOf(seedsOf(place as 'launch', { mint }), bump);
        if (other === null) continue;
        const sent = put('create', said, place, other);
        if (place === 'launch') {
          expect([bump, errorOf(await machine.send(creator.signer, sent))]).toEqual([bump, 'BadAccount']);
          continue;
        }
        // A world to come back to takes its time: a few of them.
        others += 1;
        if (others > 2) continue;
        await launchpad.must(creator.signer, sent);
        expect(machine.state('Launch', places.launch)[place as 'usdVault']).toBe(other);
        const token = { ...(await launchpad.creation(creator)), places: { ...places, [place]: other } };
        const traderTokens = await machine.fresh();
        machine.putTokens(traderTokens, places.mint, creator.wallet, 0n, wellKnown.token2022);
        const order = { kind: 'buyExactIn', amount: usd(10) } as const;
        expect((await launchpad.trade(token, creator, order, { traderTokens })).said).toBe('');
        expect(faultsOf(launchpad, [token as Token], [creator, launchpad.treasury])).toEqual([]);
        machine.restore(world);
      }
    }
  });

  it('S106 a User, a vault of credits, a Config at another bump are refused', async () => {
    const machine = await Machine.start();
    const { deployer } = machine;
    const payer = deployer.address;
    const dollarMint = await machine.fresh();
    machine.put(dollarMint, wellKnown.token, dollar());
    const wallet = await machine.fresh();
    const right = {
      config: (await derive('config', {}))[1],
      feeVault: (await derive('feeVault', { index: Uint8Array.of(3) }))[1],
      user: (await derive('user', { wallet: base58(wallet) }))[1],
    };
    const make = {
      config: (config: string) => initOf(machine, payer, dollarMint, { config }),
      feeVault: (feeVault: string) =>
        machine.instruction('openFeeVault', { payer, feeVault, dollarMint }, { index: 3 }),
      user: (user: string) => machine.instruction('openUser', { payer, wallet, user }, {}),
    };
    const seeds = {
      config: seedsOf('config', {}),
      feeVault: seedsOf('feeVault', { index: Uint8Array.of(3) }),
      user: seedsOf('user', { wallet: base58(wallet) }),
    };
    for (const name of ['config', 'feeVault', 'user'] as const) {
      // The right one comes last: it is the first that is an address, counted from above.
      for (let bump = 0; bump < 256; bump += 1) {
        const at = addressOf(seeds[name], bump);
        if (at === null) continue;
        const result = errorOf(await machine.send(deployer, make[name](at)));
        expect([name, bump, result]).toEqual([name, bump, bump === right[name] ? 'none' : 'BadAccount']);
      }
    }
  });

  it('S106 an account that signs for itself is no address of ours, empty or made for the program by its holder', async () => {
    const empty = await Machine.start();
    const launchpad = await Launchpad.start();
    const { machine, dollarMint } = launchpad;
    const { deployer } = machine;
    const [payer, feeVault] = [deployer.address, launchpad.feeVaults[0] as string];
    const create = await creationBy(machine, deployer, dollarMint);
    const unopened = await machine.fresh();
    const [user] = await derive('user', { wallet: base58(unopened) });
    const refused = async (
      on: Machine,
      name: keyof typeof instructions,
      instruction: Instruction,
      places: readonly string[],
    ) => {
      for (const place of places)
        for (const bytes of [0, 152, 216, 968]) {
          const fake = await generateKeyPairSigner();
          if (bytes > 0) on.put(fake.address, programAddress, new Uint8Array(bytes));
          const call = put(name, instruction, place, fake.address, AccountRole.WRITABLE_SIGNER);
          const sent = await on.send([on.deployer, fake], call);
          expect([name, place, bytes, sent.error]).not.toEqual([name, place, bytes, null]);
          expect(on.account(fake.address).data.some((byte) => byte !== 0)).toBe(false);
        }
      // As it should be, it is made: nothing else refused it.
      expect((await on.send(on.deployer, instruction)).said).toBe('');
    };
    await refused(machine, 'create', create.instruction, Object.keys(create.places));
    const openUser = machine.instruction('openUser', { payer, wallet: unopened, user }, {});
    await refused(machine, 'openUser', openUser, ['user']);
    const [config] = await derive('config', {});
    machine.putState('Config', config, { ...machine.state('Config', config), feeVaults: Array(16).fill(nobody) });
    machine.put(feeVault, wellKnown.system, new Uint8Array(), 0n);
    const openFeeVault = machine.instruction('openFeeVault', { payer, feeVault, dollarMint }, { index: 0 });
    await refused(machine, 'openFeeVault', openFeeVault, ['feeVault']);
    empty.put(dollarMint, wellKnown.token, dollar());
    await refused(empty, 'init', initOf(empty, empty.deployer.address, dollarMint), ['config']);
  });

  it('nobody has a User, because who shares in a trade stands in its event by wallet, and there nobody means none', async () => {
    const launchpad = await Launchpad.start();
    const { machine } = launchpad;
    const { deployer } = machine;
    const [user] = await derive('user', { wallet: nobody });
    const open = machine.instruction('openUser', { payer: deployer.address, wallet: nobody, user }, {});
    expect(errorOf(await machine.send(deployer, open))).toBe('BadAccount');
  });
});

const encodedLength = (types: readonly string[]): number =>
  types.reduce((sum, type) => sum + ({ pubkey: 32, pubkey16: 512 }[type] ?? 8), 8);

describe('the price of accounts', () => {
  it.each([
    [6_960n, 1],
    [3_480n, 2],
    [3_480n, 1],
    [696n, 1],
    [696n, 2],
    [348n, 2],
    [1n, 1],
  ])('S114 at a rate of %s and a threshold of %s every account holds exactly its rent', async (rate, threshold) => {
    const machine = await Machine.start();
    const { deployer } = machine;
    machine.svm.setRent(new Rent(rate, threshold, 50));
    const dollarMint = await machine.fresh();
    machine.put(dollarMint, wellKnown.token, dollar());
    const [config] = await derive('config', {});
    expect((await machine.send(deployer, initOf(machine, deployer.address, dollarMint))).said).toBe('');
    const made: string[] = [config];
    for (let index = 0; index < 16; index += 1) {
      const [feeVault] = await derive('feeVault', { index: Uint8Array.of(index) });
      const open = machine.instruction('openFeeVault', { payer: deployer.address, feeVault, dollarMint }, { index });
      expect((await machine.send(deployer, open)).said).toBe('');
      made.push(feeVault);
    }
    const { places, instruction } = await creationBy(machine, deployer, dollarMint);
    expect((await machine.send(deployer, instruction)).said).toBe('');
    for (const at of [...made, ...Object.values(places)]) {
      const bytes = machine.account(at).data.length;
      expect([at, lamportsOf(machine, at)]).toEqual([at, BigInt(128 + bytes) * rate * BigInt(threshold)]);
      expect(lamportsOf(machine, at)).toBe(rentOf(machine, at));
    }
  });
});
