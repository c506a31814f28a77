import { randomBytes } from 'node:crypto';
import { campaign } from '@mintage/devnet/random';
import { type Base58, toBase58 } from '@mintage/protocol';
import {
  type Message,
  mostTransactionBytes,
  readMessage,
  readPrepared,
  readTransaction,
  tokenAccountOf,
  wellKnown,
} from '@mintage/protocol/solana';
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionEncoder,
  type Instruction,
  isSignerRole,
  isWritableRole,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Call, callsOf, type Stage, setStage } from './machine/calls.ts';
import { base58, programAddress } from './machine/machine.ts';

const blockhash = toBase58(new Uint8Array(32).fill(7)) as string as Blockhash;
const program = base58(programAddress);

/** The bytes that a wallet is asked to sign, by the client library. */
const compiled = (payer: string, list: readonly Instruction[]) =>
  compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (one) => setTransactionMessageFeePayer(address(payer), one),
      (one) => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 1n }, one),
      (one) => appendTransactionMessageInstructions(list, one),
    ),
  );
/** The same by the client library's own reading. */
const byLibrary = (bytes: Uint8Array): Omit<Message, 'signers'> => {
  const message = decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(bytes));
  const list: readonly Instruction[] = message.instructions;
  return {
    payer: base58(message.feePayer.address),
    blockhash: (message.lifetimeConstraint as { blockhash: string }).blockhash as Base58,
    instructions: list.map(({ programAddress: of, accounts = [], data = new Uint8Array() }) => ({
      program: base58(of),
      accounts: accounts.map(({ address: at, role }) => ({
        address: base58(at),
        isSigner: isSignerRole(role),
        isWritable: isWritableRole(role),
      })),
      data: Uint8Array.from(data),
    })),
  };
};

describe('the second decoder', () => {
  let stage: Stage;
  let calls: Call[];
  beforeAll(async () => {
    stage = await setStage();
    calls = await callsOf(stage);
  });
  const budget: Instruction[] = [
    { programAddress: address(wellKnown.computeBudget), data: Uint8Array.of(2, 0x40, 0x0d, 3, 0) },
    { programAddress: address(wellKnown.computeBudget), data: Uint8Array.of(3, 232, 3, 0, 0, 0, 0, 0, 0) },
  ];
  const opening = (payer: string, owner: string, mint: string, account?: string): Instruction => ({
    programAddress: address(wellKnown.associatedToken),
    accounts: [
      { address: address(payer), role: AccountRole.WRITABLE_SIGNER },
      {
        address: address(account ?? tokenAccountOf(owner as Base58, mint as Base58, 'token2022')),
        role: AccountRole.WRITABLE,
      },
      { address: address(owner), role: AccountRole.READONLY },
      { address: address(mint), role: AccountRole.READONLY },
      { address: address(wellKnown.system), role: AccountRole.READONLY },
      { address: address(wellKnown.token2022), role: AccountRole.READONLY },
    ],
    data: Uint8Array.of(1),
  });
  const own = () => calls.filter(({ signers, before }) => signers.length === 1 && before.length === 0);

  it('reads every account and argument of every call, and what surrounds it', () => {
    for (const { name, signers, instruction, declared } of own()) {
      const payer = (signers[0] as (typeof signers)[number]).address;
      const mint = stage.tokens.trading.places.mint;
      const { messageBytes } = compiled(payer, [...budget, opening(payer, payer, mint), instruction]);
      const read = readPrepared(readMessage(Uint8Array.from(messageBytes)), program);
      expect(read).toMatchObject({ payer, unitLimit: 200_000, microLamportsPerUnit: 1_000n });
      expect(read.opens).toEqual([
        { owner: payer, mint, account: tokenAccountOf(base58(payer), mint as Base58, 'token2022') },
      ]);
      const accounts = instruction.accounts ?? [];
      const named = declared.filter(({ name: one }, at) => declared.findIndex((other) => other.name === one) === at);
      expect(read.calls).toMatchObject([{ name }]);
      const [call] = read.calls;
      for (const [at, { name: one, isOptional }] of named.entries()) {
        if (call === undefined || !(one in call.accounts)) continue;
        const at32 = accounts[at]?.address;
        expect([one, call.accounts[one]]).toEqual([one, isOptional && at32 === programAddress ? null : at32]);
      }
    }
  });

  it('agrees with the client library on random transactions, and on every one with a changed byte or refuses it', () => {
    const { random, cases } = campaign('second decoder', 60);
    const key = () => toBase58(randomBytes(32));
    for (let at = 0; at < cases; at += 1) {
      const keys = Array.from({ length: 2 + random.int(8) }, key);
      const payer = random.pick(keys);
      const others = keys.filter((one) => one !== payer);
      const roles = [AccountRole.READONLY, AccountRole.WRITABLE];
      const list = Array.from(
        { length: 1 + random.int(4) },
        (): Instruction => ({
          programAddress: address(key()),
          accounts: Array.from({ length: random.int(6) }, () => ({
            address: address(random.pick(others)),
            role: random.pick(roles),
          })),
          data: randomBytes(random.int(200)),
        }),
      );
      const bytes = Uint8Array.from(compiled(payer, list).messageBytes);
      const { signers, ...read } = readMessage(bytes);
      expect({
        ...read,
        instructions: read.instructions.map((one) => ({ ...one, data: Uint8Array.from(one.data) })),
      }).toEqual(byLibrary(bytes));
      expect(signers).toEqual([payer]);
      const changed = Uint8Array.from(bytes);
      changed[random.int(bytes.length)] = random.int(256);
      if (Buffer.compare(changed, bytes) === 0) continue;
      const outcome = (reads: () => unknown): string => {
        try {
          return JSON.stringify(reads());
        } catch {
          return 'refused';
        }
      };
      expect(outcome(() => readMessage(changed))).not.toBe(outcome(() => readMessage(bytes)));
    }
  });

  it('error: refuses what no prepared transaction has', async () => {
    const [call] = own();
    const { attacker, stranger } = stage.people;
    const payer = attacker.wallet;
    const mint = stage.tokens.trading.places.mint;
    const transfer = {
      programAddress: address(wellKnown.system),
      accounts: [
        { address: payer, role: AccountRole.WRITABLE_SIGNER },
        { address: stranger.wallet, role: AccountRole.WRITABLE },
      ],
      data: Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
    };
    const readOnly = (role: AccountRole): AccountRole =>
      role === AccountRole.WRITABLE_SIGNER || role === AccountRole.READONLY_SIGNER ? role : AccountRole.READONLY;
    const right = (call as Call).instruction;
    const accounts = [...(right.accounts ?? [])];
    const refused: [Instruction[], RegExp][] = [
      [[right, transfer], /calls 1111/],
      [[{ ...right, data: Uint8Array.of(99) }], /does not read/],
      [[{ ...right, data: Uint8Array.from([...(right.data ?? []), 0]) }], /does not read/],
      [[{ ...right, accounts: accounts.slice(1) }], /does not sign|is not|too few/],
      [[{ ...right, accounts: accounts.map((one) => ({ ...one, role: readOnly(one.role) })) }], /cannot be written/],
      [[{ ...right, accounts: [...accounts, { address: stranger.wallet, role: AccountRole.WRITABLE }] }], /too many/],
      [[opening(payer, stranger.wallet, mint, stranger.usd), right], /not its owner/],
      [[budget[0] as Instruction, budget[0] as Instruction, right], /budget/],
      [[{ programAddress: address(wellKnown.computeBudget), data: Uint8Array.of(1, 0, 0, 1, 0) }, right], /budget/],
    ];
    for (const [at, { address: old, role }] of accounts.entries())
      if (old === wellKnown.token || old === wellKnown.system || old === stage.launchpad.config)
        refused.push([[{ ...right, accounts: accounts.with(at, { address: stranger.usd, role }) }], /is not/]);
    for (const [list, says] of refused)
      expect(() => readPrepared(readMessage(Uint8Array.from(compiled(payer, list).messageBytes)), program)).toThrow(
        says,
      );
    const two = {
      ...right,
      accounts: accounts.map((one, at) => (at === 10 ? { ...one, role: AccountRole.WRITABLE_SIGNER } : one)),
    };
    expect(() => readPrepared(readMessage(Uint8Array.from(compiled(payer, [two]).messageBytes)), program)).toThrow(
      /more signatures/,
    );
  });

  it('every call fits into a packet, and is read with its signatures', () => {
    for (const { signers, instruction } of own()) {
      const payer = (signers[0] as (typeof signers)[number]).address;
      const transaction = compiled(payer, [...budget, instruction]);
      const bytes = Uint8Array.from(getTransactionEncoder().encode(transaction));
      expect(bytes.length).toBeLessThanOrEqual(mostTransactionBytes);
      expect(readTransaction(bytes).message.payer).toBe(payer);
      expect(() => readTransaction(bytes.subarray(0, -1))).toThrow();
      expect(() => readTransaction(Uint8Array.from([...bytes, 0]))).toThrow(/after its end/);
    }
  });
});
