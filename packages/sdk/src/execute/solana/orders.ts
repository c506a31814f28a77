import { type Address, type Base58, isNobody, tradeKinds } from '@mintage/protocol';
import { type LaunchpadCall, tokenAccountOf, voucherIn } from '@mintage/protocol/solana';
import { checkOrder, ownIsNobody, personOf, type WantedOrder } from '../checkOrder.ts';
import { differs, requireSame } from '../differs.ts';
import { dollarAccountOf, feeVaultOf, placesOf, requireAccounts, userOf } from './accounts.ts';
import type { Whole } from './whole.ts';

type Wanted = Omit<WantedOrder, 'chain' | 'wallet'> & {
  token: Base58;
  /** Of the token, by whom its fees are earned; undefined: nobody said. */
  creator: string | undefined;
};

/**
 * Holds an order against what was asked, account by account, and prices it again. Whom it pays stands in the bytes as that person's User.
 *
 * @returns People whose Users it may open.
 */
export const checkOrderCall = (whole: Whole, call: LaunchpadCall, { creator, ...wanted }: Wanted): Address[] => {
  const { wallet, chain } = whole;
  const { asked, quote, token } = wanted;
  const kind = tradeKinds.find((one) => one === call.name);
  if (kind === undefined) throw differs('call', call.name, 'an order');
  if (creator === undefined) throw differs('quote.fees', 'no creator', 'who created the token');
  const builder = personOf(asked.builder?.code, wallet);
  const referral = ownIsNobody(personOf(asked.token_referral, wallet), wallet);
  const named = [...quote.fees, ...quote.rewards].find((line) => line.kind === 'protocol_referrer')?.recipient ?? null;
  const referrer = named as Base58 | null; // compared with an address that is derived from it
  requireAccounts(call, {
    ...placesOf(whole, token),
    trader: wallet,
    traderTokens: tokenAccountOf(wallet, token, 'token2022'),
    traderUsd: dollarAccountOf(whole, wallet),
    traderUser: userOf(whole, wallet),
    creatorUser: userOf(whole, creator as Base58),
    feeVault: feeVaultOf(whole, token),
    builderUser: userOf(whole, builder),
    referralUser: userOf(whole, referral),
    referrerUser: userOf(whole, referrer),
  });
  const { amount, limit, deadline, builderBps } = call.args as { [Name in 'amount' | 'limit' | 'deadline']: bigint } & {
    builderBps: number;
  };
  const order = {
    token,
    amount,
    limit,
    recipient: wallet,
    builder,
    builderBps: BigInt(builderBps),
    referral,
    deadline,
  };
  checkOrder(kind, order, { ...wanted, chain, wallet });
  return [wallet, builder, referral, ...(referrer === null ? [] : [referrer])].filter((one) => !isNobody(one));
};

/** Token accounts that a trader's order may open. */
export const opensOf = ({ wallet, dollarMint }: Whole, token: Base58) => [
  { owner: wallet, mint: token },
  { owner: wallet, mint: dollarMint },
];

/**
 * What may stand in front of an order or a creation: Users that are opened, and one voucher for the wallet.
 *
 * @returns Whom the voucher names; null where there is none.
 */
export const checkBefore = (whole: Whole, calls: readonly LaunchpadCall[]): Base58 | null => {
  let referrer: Base58 | null = null;
  for (const call of calls) {
    if (call.name === 'openUser') {
      const person = call.accounts.wallet ?? null;
      requireAccounts(call, { payer: whole.wallet, wallet: person, user: userOf(whole, person) });
    } else if (call.name === 'setReferrer' && referrer === null) referrer = checkVoucher(whole, call);
    else throw differs('call', call.name, 'no such call in front');
  }
  return referrer;
};

/** Its signature is for the program to check. */
const checkVoucher = (whole: Whole, call: LaunchpadCall): Base58 => {
  const voucher = call.signed && voucherIn(whole, call.signed.message);
  if (voucher === null) throw differs('voucher', 'no words of one', 'a voucher for this launchpad');
  requireSame('voucher.user', voucher.user, whole.wallet);
  requireSame('voucher.deadline', call.args.deadline, voucher.deadline);
  requireAccounts(call, { user: userOf(whole, whole.wallet), referrer: userOf(whole, voucher.referrer) });
  return voucher.referrer;
};

/** Users are opened for nobody but these. */
export const requireUsers = (calls: readonly LaunchpadCall[], allowed: readonly Address[]): void => {
  for (const { name, accounts } of calls)
    if (name === 'openUser' && !allowed.includes(accounts.wallet as Address))
      throw differs('openUser.wallet', accounts.wallet, 'only people whom the transaction names');
};
