import { type Base58, parseUnits, tokenDecimalsOn, unitsOf } from '@mintage/protocol';
import { feeVaultCount, mostCounted, tokenAccountOf } from '@mintage/protocol/solana';
import { base58In, type Trusted, trustedSolanaOn } from '../../trusted.ts';
import { differs, requireSame } from '../differs.ts';
import { mintedByDefault, type Prepared } from '../prepared.ts';
import { requireSameItem } from '../sameItem.ts';
import { requireToken } from '../tokenNamed.ts';
import { dollarAccountOf, feeVaultAt, requireAccounts, requireNone, requireOpens, userOf } from './accounts.ts';
import { type CheckedTransaction, checkedOf, type Whole, wholeOf } from './whole.ts';

/** Tokens to somebody on the same cluster, by the token program. */
export const checkTransfer = (
  { asked, answer }: Prepared<'transferToken'>,
  wallet: Base58,
  trusted: Trusted,
): CheckedTransaction[] => {
  const chain = trustedSolanaOn(trusted, asked.from_chain_slug);
  requireSame('to_chain_slug', asked.to_chain_slug, chain.slug);
  const { transaction, transactions, metadata } = answer;
  requireSame('transactions.length', transactions.length, 1);
  requireSameItem(transaction, transactions[0]);
  const whole = wholeOf(chain, transaction, wallet);
  const decimals = tokenDecimalsOn(chain.slug);
  const amount = parseUnits(asked.amount, decimals, 'amount');
  requireSame('metadata.crossChain', metadata.crossChain, false);
  requireSame('metadata.amountRaw', metadata.amountRaw, amount);
  requireNone('calls', whole.read.calls);
  const [transfer, ...more] = whole.read.transfers;
  if (transfer === undefined || more.length > 0)
    throw differs('transfers.length', whole.read.transfers.length, 'one transfer');
  const recipient = base58In(asked.recipient_address);
  const { mint } = transfer;
  requireSame('transfer.tokenProgram', transfer.tokenProgram, 'token2022');
  requireToken('token_id', asked.token_id, mint);
  requireSame('transfer.to', transfer.to, tokenAccountOf(recipient, mint, 'token2022'));
  requireSame('transfer.amount', transfer.amount, amount);
  requireSame('transfer.decimals', transfer.decimals, decimals);
  requireOpens(whole, [{ owner: recipient, mint }]);
  return [checkedOf(whole)];
};

/** The one call of a transaction that sends nothing. */
const onlyCall = ({ read: { calls, transfers } }: Whole, name: string) => {
  requireNone('transfers', transfers);
  const [call, ...more] = calls;
  if (call?.name !== name || more.length > 0) throw differs('call', calls.map((one) => one.name).join(', '), name);
  return call;
};

/** Everything that is owed to the wallet, into its own account, out of the launchpad's vaults, whichever hold enough. */
export const checkClaims = (
  { asked, answer }: Prepared<'claimRewards'>,
  wallet: Base58,
  trusted: Trusted,
): CheckedTransaction[] => {
  const slugs = answer.transactions.map(({ chainSlug }) => chainSlug);
  requireSame('chains', new Set(slugs).size, slugs.length);
  const strange = asked?.chains?.length ? slugs.find((slug) => !asked.chains?.includes(slug)) : undefined;
  if (strange !== undefined) throw differs('chains', strange, asked?.chains);
  requireSame('metadata.totalCurrenciesClaimed', answer.metadata.totalCurrenciesClaimed, slugs.length);
  return answer.transactions.map((item): CheckedTransaction => {
    requireSame('from', item.from, wallet);
    const whole = wholeOf(trustedSolanaOn(trusted, item.chainSlug), item, wallet);
    const { dollarMint } = whole;
    const call = onlyCall(whole, 'withdraw');
    const to = dollarAccountOf(whole, wallet);
    requireAccounts(call, { wallet, user: userOf(whole, wallet), to, dollarMint });
    requireSame('withdraw.amount', call.args.amount, mostCounted);
    const vaults = Array.from({ length: feeVaultCount }, (_, index) => feeVaultAt(whole, index));
    const foreign = call.more.find((vault) => !vaults.includes(vault));
    if (foreign !== undefined) throw differs('withdraw.vaults', foreign, 'only vaults of the launchpad');
    requireSame('withdraw.vaults', new Set(call.more).size, call.more.length);
    if (asked?.currencyAddress !== undefined) requireSame('currencyAddress', asked.currencyAddress, dollarMint);
    requireOpens(whole, [{ owner: wallet, mint: dollarMint }]);
    return checkedOf(whole);
  });
};

export const checkMint = (
  { asked, answer }: Prepared<'mintUsd'>,
  wallet: Base58,
  trusted: Trusted,
): CheckedTransaction[] => {
  const chain = trustedSolanaOn(trusted, asked.chainSlug);
  const whole = wholeOf(chain, answer.transaction, wallet);
  const { dollarMint } = whole;
  const call = onlyCall(whole, 'mintTestUsd');
  const recipient = asked.userAddress === undefined ? wallet : base58In(asked.userAddress);
  requireAccounts(call, { dollarMint, to: dollarAccountOf(whole, recipient) });
  requireSame('mint.amount', call.args.amount, unitsOf(asked.amount ?? mintedByDefault, chain.usdDecimals, 'amount'));
  requireOpens(whole, [{ owner: recipient, mint: dollarMint }]);
  return [checkedOf(whole)];
};
