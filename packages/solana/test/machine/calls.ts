import type { Base58 } from '@mintage/protocol';
import {
  type Instruction as Declared,
  type InstructionAccount,
  type InstructionName,
  instructions,
  wellKnown,
} from '@mintage/protocol/solana';
import type { Instruction, KeyPairSigner } from '@solana/kit';
import { Launchpad, type Person, type Token } from './launchpad.ts';
import { base58, derive, programAddress } from './machine.ts';
import { signVoucher } from './vouchers.ts';

/** One call of each instruction that succeeds, and what an attacker can put in the place of each of its accounts. */

export interface Call {
  name: InstructionName;
  signers: KeyPairSigner[];
  /** Instructions that come before it in the transaction. */
  before: Instruction[];
  instruction: Instruction;
  /** By place: what the program declares of its account. */
  declared: readonly InstructionAccount[];
}

export interface Stage {
  launchpad: Launchpad;
  people: Record<'attacker' | 'creator' | 'builder' | 'referral' | 'referrer' | 'stranger', Person>;
  /** On the curve, sold out and waiting for its pool, and in its pool. */
  tokens: Record<'trading' | 'soldOut' | 'pooled' | 'other', Token>;
}

const cheap = { poolType: 9 };

export const setStage = async (): Promise<Stage> => {
  const launchpad = await Launchpad.start();
  const person = () => launchpad.person();
  const people = {
    attacker: await person(),
    creator: await person(),
    builder: await person(),
    referral: await person(),
    referrer: await person(),
    stranger: await person(),
  };
  launchpad.putReferrer(people.attacker, people.referrer);
  const token = () => launchpad.create(people.creator, cheap);
  const tokens = { trading: await token(), soldOut: await token(), pooled: await token(), other: await token() };
  const whole = { kind: 'buyExactIn', amount: 10_000_000_000n } as const;
  const bought = async (one: Token) => {
    const { said } = await launchpad.trade(one, people.stranger, whole);
    if (said !== '') throw new Error(said);
  };
  await bought(tokens.soldOut);
  launchpad.machine.wait(60n);
  await bought(tokens.pooled);
  const named = { builder: people.builder, builderBps: 100, referral: people.referral, referrer: people.referrer };
  for (const one of [tokens.trading, tokens.other, tokens.pooled]) {
    const { said } = await launchpad.trade(one, people.attacker, { kind: 'buyExactIn', amount: 20_000_000n, ...named });
    if (said !== '') throw new Error(said);
  }
  return { launchpad, people, tokens };
};

/** Takes back that a vault of credits was opened, one that no token here needs, nor the one that is created. */
const closeFeeVault = async ({ launchpad, tokens }: Stage, creation: Pick<Token, 'places'>): Promise<number> => {
  const { machine, feeVaults } = launchpad;
  const used = [...Object.values(tokens), creation].map(({ places }) => places.feeVault);
  const index = feeVaults.findIndex((vault) => !used.includes(vault));
  const [at] = await derive('config', {});
  const config = machine.state('Config', at);
  machine.putState('Config', at, { ...config, feeVaults: config.feeVaults.with(index, nobody) });
  machine.put(feeVaults[index] as string, wellKnown.system, new Uint8Array(), 0n);
  return index;
};
const nobody = '1'.repeat(32) as Base58;

/** @param signers - Who signs; the first pays. */
const call = (name: InstructionName, signers: Person[], instruction: Instruction, before: Instruction[] = []): Call => {
  const { accounts, more }: Declared = instructions[name];
  const rest = (instruction.accounts ?? []).slice(accounts.length).map(() => more as InstructionAccount);
  return {
    name,
    signers: signers.map(({ signer }) => signer),
    before,
    instruction,
    declared: [...accounts, ...rest],
  };
};

export const callsOf = async (stage: Stage): Promise<Call[]> => {
  const { launchpad, people, tokens } = stage;
  const { machine, owner, treasury, dollarMint } = launchpad;
  const { attacker, builder, referral, referrer, stranger } = people;
  const named = { builder, builderBps: 100, referral, referrer };
  const order = (kind: 'buyExactIn' | 'buyExactOut' | 'sellExactIn' | 'sellExactOut', amount: bigint, token: Token) =>
    launchpad.order(token, attacker, { kind, amount, ...named });
  const unopened = await launchpad.person({ hasUser: false });
  const deadline = machine.time + 60n;
  const creation = await launchpad.creation(attacker, cheap);
  const index = await closeFeeVault(stage, creation);
  const feeVault = launchpad.feeVaults[index] as string;
  const user = await launchpad.person();
  const payer = attacker.wallet;
  const vaults = [tokens.trading, tokens.pooled].map(({ places }) => places.feeVault);
  return [
    call('create', [attacker], creation.instruction),
    call('buyExactIn', [attacker], await order('buyExactIn', 10_000_000n, tokens.trading)),
    call('buyExactIn', [attacker], await order('buyExactIn', 10_000_000n, tokens.soldOut)),
    call('buyExactIn', [attacker], await order('buyExactIn', 10_000_000n, tokens.pooled)),
    call('buyExactOut', [attacker], await order('buyExactOut', 10_000_000n, tokens.trading)),
    call('sellExactIn', [attacker], await order('sellExactIn', 10_000_000_000n, tokens.trading)),
    call('sellExactOut', [attacker], await order('sellExactOut', 100_000n, tokens.pooled)),
    call(
      'openUser',
      [attacker],
      machine.instruction('openUser', { payer, wallet: unopened.wallet, user: unopened.user }, {}),
    ),
    call('openFeeVault', [attacker], machine.instruction('openFeeVault', { payer, feeVault, dollarMint }, { index })),
    call(
      'setReferrer',
      [attacker],
      machine.instruction('setReferrer', { user: user.user, referrer: referrer.user }, { deadline }),
      [await signVoucher(launchpad, user, referrer, deadline)],
    ),
    call('withdraw', [builder], launchpad.withdrawal(builder, 100_000n, vaults)),
    call('graduate', [attacker], launchpad.graduation(tokens.soldOut)),
    call('collectTreasury', [attacker], launchpad.collection(tokens.trading)),
    call(
      'set',
      [owner],
      machine.instruction('set', { owner: owner.wallet }, { setting: 0, value: base58(stranger.wallet) }),
    ),
    call(
      'clearReferrer',
      [owner],
      machine.instruction('clearReferrer', { owner: owner.wallet, user: attacker.user }, {}),
    ),
    call('acceptOwner', [treasury], machine.instruction('acceptOwner', { newOwner: treasury.wallet }, {}), [
      machine.instruction('set', { owner: owner.wallet }, { setting: 2, value: base58(treasury.wallet) }),
    ]),
    call(
      'mintTestUsd',
      [attacker],
      machine.instruction('mintTestUsd', { dollarMint, to: attacker.usd }, { amount: 1n }),
    ),
  ].map((one) => (one.name === 'acceptOwner' ? { ...one, signers: [...one.signers, owner.signer] } : one));
};

/** What stands in the place of an account; the attacker signs for what is theirs. */
export const wrongOnes = async (
  { launchpad, people, tokens }: Stage,
  right: string,
): Promise<[what: string, at: string][]> => {
  const { machine, dollarMint } = launchpad;
  const { data, owner } = machine.account(right);
  const copy = async (bytes: Uint8Array, by: string): Promise<string> => {
    const at = await machine.fresh();
    machine.put(at, by, bytes);
    return at;
  };
  const [config] = await derive('config', {});
  const { other } = tokens;
  return [
    ['nothing', await machine.fresh()],
    ['the attacker’s wallet', people.attacker.wallet],
    ['the attacker’s dollars', people.attacker.usd],
    ['the attacker’s tokens', await launchpad.tokensOf(tokens.trading, people.attacker)],
    ['the attacker’s User', people.attacker.user],
    ['a stranger’s User', people.stranger.user],
    ['a copy that the system owns', await copy(data, wellKnown.system)],
    ['a copy that a token program owns', await copy(data, wellKnown.token)],
    [
      'a copy without its kind',
      await copy(
        Uint8Array.from(data, (byte, at) => (at < 8 ? 0 : byte)),
        owner,
      ),
    ],
    ['a copy that is a byte longer', await copy(Uint8Array.from([...data, 0]), owner)],
    ['a copy that is shorter', await copy(data.subarray(0, data.length >> 1), owner)],
    ['the Config', config],
    ['another Launch', other.places.launch],
    ['another token’s dollars', other.places.usdVault],
    ['another token’s tokens', other.places.tokenVault],
    ['another mint', other.places.mint],
    ['the dollar', dollarMint],
    [
      'another vault of credits',
      launchpad.feeVaults.find((vault) => vault !== tokens.trading.places.feeVault) as string,
    ],
    ['the program', programAddress],
    ['the system program', wellKnown.system],
    ['the other token program', right === wellKnown.token ? wellKnown.token2022 : wellKnown.token],
  ];
};
