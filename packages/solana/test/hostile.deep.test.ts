import { firstErrorCode, programErrors } from '@mintage/protocol/solana';
import { AccountRole, type Address, address, type Instruction, isSignerRole, isWritableRole } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from './machine/books.ts';
import { type Call, callsOf, type Stage, setStage, wrongOnes } from './machine/calls.ts';
import { programAddress } from './machine/machine.ts';

/**
 * Every account of every instruction is replaced, doubled, robbed of its signature. The places come from the program's interface, so a
 * new account is attacked without a new line here. What may succeed stands in `harmless`, each with its reason.
 */

let stage: Stage;
let calls: Call[];
let kept: Uint8Array;
beforeAll(async () => {
  stage = await setStage();
  calls = await callsOf(stage);
  kept = stage.launchpad.machine.save();
});

const accountsOf = ({ instruction }: Call) => [...(instruction.accounts ?? [])];
const nameOf = (call: Call, at: number): string => `${call.name}.${call.declared[at]?.name}`;
const unsigned = (role: AccountRole): AccountRole =>
  isWritableRole(role) ? AccountRole.WRITABLE : AccountRole.READONLY;

/** The call with another account in one place. Only the attacker signs for what is put there; a program cannot be written. */
const put = (call: Call, at: number, by: string): Instruction => {
  const { role } = accountsOf(call)[at] ?? { role: AccountRole.READONLY };
  const isProgram = by === programAddress || /^(Token|1111)/.test(by);
  const signs = by === stage.people.attacker.wallet;
  const wrong = { address: address(by), role: isProgram ? AccountRole.READONLY : signs ? role : unsigned(role) };
  return { ...call.instruction, accounts: accountsOf(call).with(at, wrong) };
};

/** Sends it in a copy of the world: the error's code, or what does not add up then. */
const attempt = async (call: Call, instruction: Instruction): Promise<number | string[]> => {
  const { machine } = stage.launchpad;
  const { attacker } = stage.people;
  const needed = new Set<Address>(
    [...call.before, instruction].flatMap(({ accounts = [] }) =>
      accounts.filter(({ role }) => isSignerRole(role)).map((account) => account.address),
    ),
  );
  const others = call.signers.filter((one) => needed.has(one.address) && one.address !== attacker.wallet);
  const sent = await machine.send([attacker.signer, ...others], ...call.before, instruction);
  if (sent.error !== null) return sent.error;
  const everybody = [...Object.values(stage.people), stage.launchpad.treasury, stage.launchpad.owner];
  const faults = faultsOf(stage.launchpad, Object.values(stage.tokens), everybody);
  machine.restore(kept);
  return faults;
};

/**
 * What succeeds, and why nobody is worse off than by what they signed: instruction and account, what stands there, why. `gift`: dollars
 * come into a vault of ours and belong to nobody, as when somebody just sends them.
 */
const harmless: readonly { where: RegExp; what: RegExp; why: string; gift?: true }[] = [
  { where: /^(buy|sell).*\.builderUser$/, what: /User$/, why: 'the trader says who builds' },
  { where: /^(buy|sell).*\.referralUser$/, what: /User$|program$/, why: 'the trader says who referred the token' },
  { where: /^sell.*\.traderUsd$/, what: /token program owns$/, why: 'the seller says where the dollars go' },
  { where: /^sell.*\.traderUsd$/, what: /another token’s dollars$/, why: 'the same', gift: true },
  { where: /^buy.*\.traderUsd$/, what: /token program owns$/, why: 'a copy of the trader’s account is the trader’s' },
  { where: /^withdraw\.to$/, what: /attacker’s dollars$/, why: 'who earned it says where it goes' },
  { where: /^withdraw\.to$/, what: /another token’s dollars$/, why: 'the same', gift: true },
  { where: /^withdraw\.feeVault$/, what: /another vault of credits$|feeVault$/, why: 'any vaults that hold enough' },
  { where: /^mintTestUsd\.to$/, what: /token program owns$/, why: 'test dollars are for everybody' },
  { where: /^mintTestUsd\.to$/, what: /dollars$|credits$/, why: 'the same', gift: true },
  { where: /^clearReferrer\.user$/, what: /stranger’s User$/, why: 'the owner says whose' },
  { where: /^setReferrer\.user$/, what: /attacker’s User$/, why: 'who has a referrer keeps it' },
];
const isGift = (fault: string): boolean => {
  const [, held = '0', owed = '0'] = /: (\d+) held, (\d+) owed$/.exec(fault) ?? [];
  return BigInt(held) > BigInt(owed);
};
const isHarmless = (where: string, what: string, faults: string[]): boolean =>
  harmless.some((one) => {
    const fits = one.where.test(where) && one.what.test(what);
    return fits && (one.gift ? faults.every(isGift) : faults.length === 0);
  });

const missingSigner = firstErrorCode + programErrors.indexOf('MissingSigner');

describe('hostile accounts', () => {
  it('every call succeeds as it is, and the books are exact', async () => {
    for (const call of calls) expect([call.name, await attempt(call, call.instruction)]).toEqual([call.name, []]);
  });

  it('S101 S102 S106 S107 S111 no wrong account in any place', async () => {
    const passed: string[] = [];
    for (const call of calls)
      for (const [at, { address: right }] of accountsOf(call).entries())
        for (const [what, wrong] of await wrongOnes(stage, right)) {
          if (wrong === right) continue;
          const result = await attempt(call, put(call, at, wrong));
          if (typeof result === 'number' || isHarmless(nameOf(call, at), what, result)) continue;
          passed.push(`${nameOf(call, at)} ← ${what}: ${result.join('; ')}`);
        }
    expect(passed).toEqual([]);
  });

  it('S103 no signature is missing', async () => {
    const { machine } = stage.launchpad;
    // Somebody else pays, so that the account does not sign for that.
    const { stranger } = stage.people;
    for (const call of calls)
      for (const [at, account] of accountsOf(call).entries()) {
        if (!isSignerRole(account.role)) continue;
        const accounts = accountsOf(call).with(at, { ...account, role: unsigned(account.role) });
        const sent = await machine.send(stranger.signer, { ...call.instruction, accounts });
        expect([nameOf(call, at), sent.error]).toEqual([nameOf(call, at), missingSigner]);
      }
  });

  it('S104 no account in two places', async () => {
    const passed: string[] = [];
    for (const call of calls)
      for (const [at, { address: right }] of accountsOf(call).entries())
        for (const [from, { address: other }] of accountsOf(call).entries()) {
          if (at === from || right === other) continue;
          const result = await attempt(call, put(call, at, other));
          if (typeof result === 'number' || isHarmless(nameOf(call, at), nameOf(call, from), result)) continue;
          passed.push(`${nameOf(call, at)} = ${nameOf(call, from)}: ${result.join('; ')}`);
        }
    expect(passed).toEqual([]);
  });
});
