import { type Base58, families, invalid, MintageError, requireBase58 } from '@mintage/protocol';
import { mostCounted, tokenAccountOf, wellKnown } from '@mintage/protocol/solana';
import type { ChainClient } from '../../chainClient.ts';
import { tokensIn } from '../accounts.ts';
import { isSomebody, launchAddress, stateIn, userAddress } from '../launchpad.ts';
import { type Moved, transferTokens } from '../message/instructions.ts';
import { requireCountable } from './countable.ts';
import { prepareCreation } from './create.ts';
import { Draft } from './draft.ts';
import { type Preparing, type Reading, readFor } from './reading.ts';
import { configIn, prepareTrade } from './trade.ts';
import { unitBounds } from './units.ts';

type Steps = Pick<ChainClient, 'approve' | 'trade' | 'create' | 'transfer' | 'withdraw' | 'mintUsd'>;

/** Whole transactions of one signer, who pays for what they open. */
export const stepsOn = (preparing: Preparing): Steps => ({
  // The trader's signature is all that the program needs.
  approve: () => null,
  trade: (order, voucher) => prepareTrade(preparing, order, voucher),
  create: (creation, first, voucher) => prepareCreation(preparing, creation, first, voucher),
  transfer: (sender, token, recipient, amount) => prepareTransfer(preparing, sender, token, recipient, amount),
  withdraw: (wallet, currencies) => prepareWithdrawal(preparing, wallet, currencies),
  mintUsd: (sender, recipient, amount) => prepareMint(preparing, sender, recipient, amount),
});

const prepareTransfer = async (
  { rpc, launchpad: on, now }: Preparing,
  ...[from, token, to, amount]: Parameters<ChainClient['transfer']>
): ReturnType<ChainClient['transfer']> => {
  requireCountable(amount);
  const [sender, mint, recipient] = [requireBase58(from), requireBase58(token), requireBase58(to)];
  const isDollar = mint === on.dollarMint;
  const moved: Moved = isDollar
    ? { mint, tokenProgram: 'token', decimals: on.usdDecimals }
    : { mint, tokenProgram: 'token2022', decimals: families.solana.tokenDecimals };
  const account = tokenAccountOf(recipient, mint, moved.tokenProgram);
  const reading = await readFor(rpc, [recipient, account], [isDollar ? mint : launchAddress(on, mint)]);
  requireHolder(reading, recipient);
  const draft = new Draft(sender, on, reading);
  draft.tokenAccount(recipient, mint, moved.tokenProgram);
  draft.add(transferTokens(moved, sender, recipient, amount, isDollar ? [] : [on.program]), unitBounds.transfer);
  return draft.finish(now());
};

/** Nobody gets at tokens whose owner is a token account or a mint. @throws MintageError INVALID_PARAMETERS. */
const requireHolder = (reading: Reading, recipient: Base58): void => {
  const owner = reading.account(recipient)?.owner;
  if (owner === wellKnown.token || owner === wellKnown.token2022)
    throw invalid('', `${recipient} is a token account or a mint: name the wallet that the tokens are for`);
};

const prepareWithdrawal = async (
  { rpc, launchpad: on, now }: Preparing,
  ...[from, currencies]: Parameters<ChainClient['withdraw']>
): ReturnType<ChainClient['withdraw']> => {
  const wallet = requireBase58(from);
  if (!currencies.includes(on.dollarMint))
    throw new MintageError('INSUFFICIENT_BALANCE', 'Nothing but dollars is ever credited on this chain.');
  const [user, to] = [userAddress(on, wallet), tokenAccountOf(wallet, on.dollarMint, 'token')];
  const first = await readFor(rpc, [on.config], [on.config]);
  const vaults = configIn(on, first).feeVaults.filter(isSomebody);
  const reading = await readFor(rpc, [on.config, user, to, ...vaults], [user]);
  const credit = stateIn(on, 'User', reading.account(user))?.creditUsd ?? 0n;
  if (credit === 0n) throw new MintageError('INSUFFICIENT_BALANCE', `Nothing is credited to ${wallet} now.`);
  const draft = new Draft(wallet, on, reading);
  const held = vaults.map((vault) => ({ vault, amount: tokensIn(reading.account(vault)) }));
  const paying = enough(held, credit * roomForMore);
  draft.call(
    'withdraw',
    { wallet, user, to: draft.tokenAccount(wallet, on.dollarMint, 'token') },
    { amount: mostCounted },
    unitBounds.withdraw + unitBounds.withdrawVault * paying.length,
    paying,
  );
  return draft.finish(now());
};

/** All that is owed when the transaction lands has to be in the vaults that it names: so much may come in between. */
const roomForMore = 2n;

/** The fullest vaults that hold so many dollars together, or all. */
const enough = <Vault>(held: readonly { vault: Vault; amount: bigint }[], wanted: bigint): Vault[] => {
  const chosen: Vault[] = [];
  let sum = 0n;
  for (const { vault, amount } of held.toSorted((a, b) => (a.amount > b.amount ? -1 : Number(a.amount < b.amount)))) {
    if (sum >= wanted) break;
    chosen.push(vault);
    sum += amount;
  }
  return chosen;
};

const prepareMint = async (
  { rpc, launchpad: on, now }: Preparing,
  ...[from, recipient, amount]: Parameters<ChainClient['mintUsd']>
): ReturnType<ChainClient['mintUsd']> => {
  requireCountable(amount);
  const [sender, to] = [requireBase58(from), requireBase58(recipient)];
  const reading = await readFor(rpc, [to, tokenAccountOf(to, on.dollarMint, 'token')], [on.dollarMint]);
  requireHolder(reading, to);
  const draft = new Draft(sender, on, reading);
  const account = draft.tokenAccount(to, on.dollarMint, 'token');
  draft.call('mintTestUsd', { to: account }, { amount }, unitBounds.mintUsd);
  return draft.finish(now());
};
