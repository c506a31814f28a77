import {
  bridgeUnit,
  chainIds,
  crossingAmountDown,
  decodeStrictly,
  parseUnits,
  tokenAddressOf,
  tokenBridgeAbi,
  tokenDecimalsOn,
  unitsOf,
} from '@mintage/protocol';
import { erc20Abi, type Hex, maxUint256, pad, parseAbi, zeroAddress, zeroHash } from 'viem';
import { lower, type Trusted, trustedOn } from '../trusted.ts';
import { checkAnnouncement } from './checkAnnouncement.ts';
import { differs, requireSame } from './differs.ts';
import { type CheckedCall, callOf, launchpadCalls } from './items.ts';
import { mintedByDefault, type Prepared } from './prepared.ts';
import { requireSameItem } from './sameItem.ts';
import { requireToken } from './tokenNamed.ts';

/** Tokens to somebody: by the token itself on one chain, by the bridge to another. */
export const checkTransfer = (
  { asked, answer }: Prepared<'transferToken'>,
  wallet: Hex,
  trusted: Trusted,
): CheckedCall[] => {
  const chain = trustedOn(trusted, asked.from_chain_slug);
  const { transaction, transactions, metadata } = answer;
  requireSame('transactions.length', transactions.length, 1);
  requireSameItem(transaction, transactions[0]);
  const call = callOf(chain, transaction);
  const amount = parseUnits(asked.amount, tokenDecimalsOn(chain.slug), 'amount');
  const recipient = lower(asked.recipient_address);
  requireSame('metadata.amountRaw', metadata.amountRaw, amount);
  requireSame('metadata.crossChain', metadata.crossChain, asked.from_chain_slug !== asked.to_chain_slug);
  if (!metadata.crossChain) {
    const read = decodeStrictly(erc20Abi, call.data);
    if (read?.functionName !== 'transfer') throw differs('transfer', call.data.slice(0, 10), 'transfer');
    requireToken('token_id', asked.token_id, call.to);
    requireSame('transfer.to', lower(read.args[0]), recipient);
    requireSame('transfer.amount', read.args[1], amount);
    requireSame('value', call.value, 0n);
    return [call];
  }
  requireSame('to', call.to, chain.tokenBridge);
  const read = decodeStrictly(tokenBridgeAbi, call.data);
  if (read?.functionName !== 'send') throw differs('send', call.data.slice(0, 10), 'send');
  const [sent, refundTo] = read.args;
  const token = lower(sent.token);
  requireToken('token_id', asked.token_id, token);
  requireSame('send.to', sent.to, pad(recipient, { size: 32 }));
  requireSame('send.dstEid', sent.dstEid, chainIds[asked.to_chain_slug].eid);
  // The bridge takes whole units of its own and leaves the rest with the sender.
  requireSame('send.amount', sent.amount, crossingAmountDown(amount));
  requireSame('metadata.amountReceivedRaw', metadata.amountReceivedRaw, amount - (amount % bridgeUnit));
  requireSame('send.refundTo', lower(refundTo), wallet);
  requireSame('send.register', sent.register, metadata.registersToken);
  if (sent.register) requireSame('send.origin', tokenAddressOf(chain, sent.creator, sent.salt), token);
  else requireSame('send.origin', [sent.creator, sent.salt], [zeroAddress, zeroHash]);
  requireSame('value', call.value, metadata.nativeFeeMax);
  const most = asked.max_native_fee == null ? withReserveUp(BigInt(metadata.nativeFee)) : BigInt(asked.max_native_fee);
  if (call.value > most) throw differs('value', call.value, `at most ${most}`);
  return [call];
};

/** A fee may rise by a tenth on its way. */
const withReserveUp = (nativeFee: bigint): bigint => (nativeFee * 11n + 9n) / 10n;

export const checkRegistration = (
  { asked, answer }: Prepared<'registerToken'>,
  _wallet: Hex,
  trusted: Trusted,
): CheckedCall[] => {
  const { transaction, transactions, metadata } = answer;
  const chain = trustedOn(trusted, metadata.fromChain);
  requireSame('transactions.length', transactions.length, 1);
  requireSameItem(transaction, transactions[0]);
  const call = callOf(chain, transaction);
  const read = decodeStrictly(tokenBridgeAbi, call.data);
  if (read?.functionName !== 'announce') throw differs('announce', call.data.slice(0, 10), 'announce');
  const token = lower(read.args[0]);
  requireToken('token_id', asked.token_id, token);
  const slugs = metadata.chains.map(({ chain: slug }) => slug);
  const strange = slugs.find((slug) => !asked.chains.includes(slug));
  if (strange !== undefined) throw differs('metadata.chains', strange, asked.chains);
  requireSame('metadata.chains', new Set(slugs).size, slugs.length);
  checkAnnouncement(call, { token, creator: null, salt: null, slugs, value: metadata.nativeFeeMax });
  const most = withReserveUp(BigInt(metadata.nativeFee));
  if (call.value > most) throw differs('value', call.value, `at most ${most}`);
  return [call];
};

/**
 * Everything that is owed to the wallet, paid to the wallet. Which currencies these are is for the vault: of one in which it
 * owes nothing it pays nothing, and what pools earned is collected for whom it belongs to, whoever calls.
 */
export const checkClaims = (
  { asked, answer }: Prepared<'claimRewards'>,
  wallet: Hex,
  trusted: Trusted,
): CheckedCall[] => {
  const slugs = answer.transactions.map(({ chainSlug }) => chainSlug);
  requireSame('chains', new Set(slugs).size, slugs.length);
  const strange = asked?.chains?.length ? slugs.find((slug) => !asked.chains?.includes(slug)) : undefined;
  if (strange !== undefined) throw differs('chains', strange, asked?.chains);
  const counts = answer.transactions.map((item): { call: CheckedCall; currencies: number } => {
    requireSame('from', lower(item.from), wallet);
    const call = callOf(trustedOn(trusted, item.chainSlug), item);
    const [withdraw, ...collects] = launchpadCalls(call).toReversed();
    if (withdraw?.functionName !== 'withdrawBatch') throw differs('call', withdraw?.functionName, 'withdrawBatch');
    for (const { functionName } of collects) requireSame('call', functionName, 'collectPoolFees');
    const [currencies, to, amounts] = withdraw.args;
    requireSame('withdraw.to', lower(to), wallet);
    requireSame(
      'withdraw.amounts',
      amounts,
      currencies.map(() => maxUint256),
    );
    requireSame('withdraw.currencies', new Set(currencies.map(lower)).size, currencies.length);
    if (asked?.currencyAddress !== undefined)
      requireSame('withdraw.currencies', currencies.map(lower), [lower(asked.currencyAddress)]);
    return { call, currencies: currencies.length };
  });
  const total = counts.reduce((sum, { currencies }) => sum + currencies, 0);
  requireSame('metadata.totalCurrenciesClaimed', answer.metadata.totalCurrenciesClaimed, total);
  return counts.map(({ call }) => call);
};

const mintAbi = parseAbi(['function mint(address to, uint256 amount)']);
export const checkMint = ({ asked, answer }: Prepared<'mintUsd'>, wallet: Hex, trusted: Trusted): CheckedCall[] => {
  const chain = trustedOn(trusted, asked.chainSlug);
  const call = callOf(chain, answer.transaction);
  const read = decodeStrictly(mintAbi, call.data);
  if (read?.functionName !== 'mint') throw differs('mint', call.data.slice(0, 10), 'mint');
  requireSame('to', call.to, chain.usd);
  requireSame('value', call.value, 0n);
  requireSame('mint.to', lower(read.args[0]), lower(asked.userAddress ?? wallet));
  requireSame('mint.amount', read.args[1], unitsOf(asked.amount ?? mintedByDefault, chain.usdDecimals, 'amount'));
  return [call];
};
