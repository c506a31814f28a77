import { type Base58, type PoolType, poolTypeBySlug } from '@mintage/protocol';
import { feeVaultIndex, type LaunchpadCall, launchpadAddress } from '@mintage/protocol/solana';
import { decimalsOf, type Trusted, trustedSolanaOn } from '../../trusted.ts';
import { differs, requireSame } from '../differs.ts';
import { firstBuyIn, newState, wantsFirstBuy } from '../firstBuy.ts';
import type { Prepared } from '../prepared.ts';
import { requireSameItem } from '../sameItem.ts';
import { feeVaultOf, placesOf, requireAccounts, requireNone, requireOpens, userOf } from './accounts.ts';
import { checkDecoded } from './decoded.ts';
import { checkBefore, checkOrderCall, opensOf, requireUsers } from './orders.ts';
import { bytesOf, type CheckedTransaction, checkedOf, type Whole, wholeOf } from './whole.ts';

type Creation = Prepared<'createTokenTransaction'>;

/** The creation with its voucher and first buy, each where it was asked for, and the vault of its fees where it is the first there. */
export const checkCreation = ({ asked, answer }: Creation, wallet: Base58, trusted: Trusted): CheckedTransaction[] => {
  const chain = trustedSolanaOn(trusted, asked.chainSlug);
  const { transaction, transactions, metadata } = answer;
  const [item] = transactions;
  if (item === undefined || transactions.length > 1) throw differs('transactions.length', transactions.length, 1);
  requireSameItem(transaction, item);
  requireSame('chainId', answer.chainId, 0);
  requireSame('registration', answer.registration, null);
  const whole = wholeOf(chain, item, wallet);
  const { calls, transfers } = whole.read;
  requireNone('transfers', transfers);
  checkDecoded(whole, answer.decoded);
  const at = calls.findIndex(({ name }) => name === 'create');
  const create = calls[at];
  if (create === undefined) throw differs('call', calls.at(-1)?.name, 'create');
  const token = checkCreate(whole, create, { asked, answer });
  requireSame('metadata.addresses.solana', metadata.addresses.solana, token);
  const [vaults, before] = [calls.slice(0, at), calls.slice(0, at)].map((some, index) =>
    some.filter(({ name }) => (name === 'openFeeVault') === (index === 0)),
  ) as [LaunchpadCall[], LaunchpadCall[]];
  checkFeeVault(whole, vaults, token);
  const referrer = checkBefore(whole, before);
  const poolType = poolTypeBySlug(asked.poolType ?? 'meme');
  const after = calls.slice(at + 1);
  const people = checkFirstBuy(whole, after, { asked, answer }, { token, referrer, poolType, create });
  const users = [...before, ...after];
  requireUsers(users, [wallet, ...people, ...(referrer === null ? [] : [referrer])]);
  requireOpens(whole, opensOf(whole, token));
  return [checkedOf(whole)];
};

/** @returns Mint of the token. */
const checkCreate = (
  whole: Whole,
  create: LaunchpadCall,
  { asked, answer }: Pick<Creation, 'asked' | 'answer'>,
): Base58 => {
  const { program, wallet } = whole;
  const { args } = create;
  const derived = launchpadAddress(program, 'mint', { creator: wallet, salt: bytesOf(String(args.salt)) });
  const mint = derived.address;
  requireAccounts(create, { ...placesOf(whole, mint), creator: wallet, creatorUser: userOf(whole, wallet) });
  requireSame('create.mintBump', args.mintBump, derived.bump);
  for (const name of ['launch', 'tokenVault', 'usdVault'] as const)
    requireSame(`create.${name}Bump`, args[`${name}Bump`], launchpadAddress(program, name, { mint }).bump);
  requireSame('create.name', args.name, asked.name);
  requireSame('create.symbol', args.symbol, asked.symbol);
  requireSame('create.uri', args.uri, answer.metadata.tokenUri);
  requireSame('create.poolType', args.poolType, poolTypeBySlug(asked.poolType ?? 'meme').id);
  if (asked.deadline !== undefined) requireSame('create.deadline', args.deadline, asked.deadline);
  return mint;
};

/** Opened by whoever is the first to need it. */
const checkFeeVault = (whole: Whole, calls: readonly LaunchpadCall[], token: Base58): void => {
  const [call, ...more] = calls;
  requireNone('openFeeVault', more);
  if (call === undefined) return;
  const { wallet, dollarMint } = whole;
  requireAccounts(call, { payer: wallet, feeVault: feeVaultOf(whole, token), dollarMint });
  requireSame('openFeeVault.index', call.args.index, feeVaultIndex(token));
};

interface Made {
  token: Base58;
  referrer: Base58 | null;
  poolType: PoolType;
  create: LaunchpadCall;
}

/** @returns People whose Users it may open. */
const checkFirstBuy = (
  whole: Whole,
  calls: readonly LaunchpadCall[],
  { asked, answer }: Pick<Creation, 'asked' | 'answer'>,
  { token, referrer, poolType, create }: Made,
) => {
  const order = calls.at(-1);
  const { quote } = answer;
  const wantsBuy = wantsFirstBuy(asked);
  requireSame('first buy', order !== undefined, wantsBuy);
  requireSame('quote', quote !== null, wantsBuy);
  if (order === undefined || quote === null) return [];
  for (const { name } of calls.slice(0, -1)) requireSame('call', name, 'openUser');
  checkBefore(whole, calls.slice(0, -1));
  const decimals = decimalsOf(whole.chain);
  requireSame('quote.slippageBps', quote.slippageBps, 0);
  requireSame('order.deadline', order.args.deadline, create.args.deadline);
  const state = newState(poolType, decimals);
  const creator = whole.wallet;
  return checkOrderCall(whole, order, {
    ...firstBuyIn(asked, decimals),
    asked,
    token,
    creator,
    quote,
    state,
    referrer,
  });
};
