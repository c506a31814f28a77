import { randomBytes } from 'node:crypto';
import { type Base58, type SolanaDeployment, solanaDeployment, toBase58 } from '@mintage/protocol';
import { type ArgsOf, type InstructionName, tokenAccountOf, wellKnown } from '@mintage/protocol/solana';
import { describe, expect, it } from 'vitest';
import { hexOf } from '../../../src/chain/solana/bytes.ts';
import { ed25519Key } from '../../../src/chain/solana/ed25519Key.ts';
import { launchpadOf, userAddress } from '../../../src/chain/solana/launchpad.ts';
import { compileMessage, unsignedTransaction } from '../../../src/chain/solana/message/compile.ts';
import { launchpadInstruction, openTokenAccount, type Places } from '../../../src/chain/solana/message/instructions.ts';
import { solanaReader } from '../../../src/sign/solana/readActions.ts';

const someone = (): Base58 => ed25519Key(randomBytes(32)).address;
const place = (): Base58 => toBase58(randomBytes(32));

const [payer, stranger, mint, program, usd] = [someone(), someone(), place(), place(), place()];
const deployment: SolanaDeployment = solanaDeployment({
  startBlock: 0,
  launchpad: program,
  usd,
  usdDecimals: 6,
  usdSymbol: 'USDC',
  usdMintable: true,
  owner: stranger,
});
const on = launchpadOf(deployment);
const reader = solanaReader(deployment);

const own = { tokens: tokenAccountOf(payer, mint, 'token2022'), usd: tokenAccountOf(payer, usd, 'token') };
const foreign = { tokens: tokenAccountOf(stranger, mint, 'token2022'), usd: tokenAccountOf(stranger, usd, 'token') };

const instruction = <Name extends InstructionName>(
  name: Name,
  places: Places,
  args: ArgsOf<Name>,
  more: Base58[] = [],
) => launchpadInstruction(program, name, { config: on.config, dollarMint: usd, ...places }, args, more);

type Instruction = ReturnType<typeof launchpadInstruction>;
const actionsOf = (...list: Instruction[]) =>
  reader.actions({
    to: program,
    value: 0n,
    data: hexOf(unsignedTransaction(compileMessage(payer, list, place()))),
  });

const trade = (kind: 'buyExactIn' | 'sellExactIn', places: Places = {}): Instruction =>
  instruction(
    kind,
    {
      trader: payer,
      launch: place(),
      mint,
      tokenVault: place(),
      usdVault: place(),
      traderTokens: own.tokens,
      traderUsd: own.usd,
      traderUser: userAddress(on, payer),
      creatorUser: place(),
      feeVault: place(),
      builderUser: null,
      referralUser: null,
      referrerUser: null,
      ...places,
    },
    { amount: 5n, limit: 6n, deadline: 7n, builderBps: 8 },
  );

describe('what a budget reads of Solana’s bytes', () => {
  const order = { does: 'order', token: mint, amount: 5n, limit: 6n, builderBps: 8n, recipient: payer };

  it('default: each call that we prepare is what it does', () => {
    expect(actionsOf(trade('buyExactIn'), trade('sellExactIn'))).toEqual([
      { ...order, kind: 'buyExactIn' },
      { ...order, kind: 'sellExactIn' },
    ]);
    const pay = { wallet: payer, user: userAddress(on, payer), to: own.usd };
    expect(actionsOf(instruction('withdraw', pay, { amount: 2n ** 64n - 1n }, [place()]))).toEqual([
      { does: 'withdraw', currency: usd, to: payer, amount: 'everything' },
    ]);
    expect(actionsOf(instruction('openUser', { payer, wallet: stranger, user: place() }, {}))).toEqual([
      { does: 'nothing' },
    ]);
    expect(actionsOf(instruction('mintTestUsd', { to: own.usd }, { amount: 3n }))).toEqual([
      { does: 'mint', token: usd, to: payer },
    ]);
    expect(
      actionsOf(instruction('setReferrer', { user: userAddress(on, payer), referrer: place() }, { deadline: 1n })),
    ).toEqual([{ does: 'refer', user: payer }]);
  });

  it('W4 attack: what goes into somebody else’s account is theirs, and never the wallet’s own', () => {
    const [bought] = actionsOf(trade('buyExactIn', { traderTokens: foreign.tokens }));
    expect(bought).toMatchObject({ does: 'order', recipient: foreign.tokens });
    const [sold] = actionsOf(trade('sellExactIn', { traderUsd: foreign.usd }));
    expect(sold).toMatchObject({ does: 'order', recipient: foreign.usd });
    const [named] = actionsOf(
      openTokenAccount(payer, stranger, usd, 'token'),
      trade('sellExactIn', { traderUsd: foreign.usd }),
    );
    expect(named).toMatchObject({ recipient: stranger });
    const to = { wallet: payer, user: userAddress(on, payer), to: foreign.usd };
    expect(actionsOf(instruction('withdraw', to, { amount: 9n }))).toEqual([
      { does: 'withdraw', currency: usd, to: foreign.usd, amount: 9n },
    ]);
    // Dollars in an account of tokens are not the wallet's own account of dollars.
    expect(actionsOf(instruction('withdraw', { ...to, to: own.tokens }, { amount: 9n }))).toMatchObject([
      { to: own.tokens },
    ]);
    const user = { user: userAddress(on, stranger), referrer: place() };
    expect(actionsOf(instruction('setReferrer', user, { deadline: 1n }))).toEqual([{ does: 'refer', user: user.user }]);
  });

  it('default: a step without data sends its lamports, which a budget is told of', () => {
    const payment = { to: stranger, value: 5n, data: '0x' } as const;
    expect(reader.actions(payment)).toEqual([{ does: 'call', to: stranger, selector: '0x' }]);
    expect(reader.coinsSent(payment)).toBe(5n);
    expect(reader.coinsSent({ ...payment, to: program, data: '0x01' })).toBe(0n);
  });

  it('W4 error: settings, other programs and torn bytes are nothing that a budget allows', () => {
    const set = instruction('set', { owner: payer }, { setting: 0, value: stranger });
    expect(actionsOf(set)).toEqual([{ does: 'unknown', to: program, selector: 'set' }]);
    const unreadable = [expect.objectContaining({ does: 'unreadable' })];
    const system = { ...set, program: wellKnown.system as Base58 };
    expect(actionsOf(trade('buyExactIn'), system)).toEqual(unreadable);
    expect(reader.actions({ to: stranger, value: 0n, data: '0x00' })).toEqual(unreadable);
    expect(reader.actions({ to: program, value: 0n, data: '0x01' })).toEqual(unreadable);
  });
});
