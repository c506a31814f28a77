import { type Address, looksLike } from '@mintage/protocol';
import type { BudgetInput, Warning } from '@mintage/protocol/operations';
import type { Inspection } from '../../chain/chainClient.ts';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Caller } from '../accounts/caller.ts';
import { anyAddress, isOn } from '../tokens/addresses.ts';
import { type AcknowledgedRecipient, type NamedRecipient, refuseWalls, requireAcknowledged } from '../tokens/walls.ts';
import type { Executing } from './executing.ts';

export interface JudgedPayment extends NamedRecipient {
  /** The wallet that pays. */
  from: Address;
  caller: Pick<Caller, 'wallets'>;
  /** A token or the dollar; null: the native coin. */
  asset: Address | null;
  acknowledge: AcknowledgedRecipient;
}

/**
 * For a payment: as `refuseWalls`, with what the chain shows of the address. What only may be wrong is warned of.
 *
 * @param served - The chain on which the recipient is.
 * @throws MintageError UNSAFE_RECIPIENT.
 */
export const judgePayment = async (
  context: Executing,
  served: ChainContext,
  payment: JudgedPayment,
): Promise<Warning[]> => {
  const { address, asset, from, caller, acknowledge } = payment;
  if (caller.wallets.includes(address)) return [];
  const wall = await context.walls.at(served, address);
  if (wall !== null) return [requireAcknowledged(payment, wall, acknowledge)];
  const [seen, likes] = await Promise.all([
    inspect(context, served, address, asset),
    lookalikesOf(context, served, payment),
  ]);
  if (seen !== null && seen.wall !== null) return [requireAcknowledged(payment, seen.wall, acknowledge)];
  const warnings: Warning[] = [];
  const warn = (code: string, sentence: string) => warnings.push({ code, sentence });
  if (seen === null)
    warn('RECIPIENT_NOT_READ', `The chain does not answer now, so it was not checked what ${address} is.`);
  else if (seen.doubt !== null)
    warn('RECIPIENT_DOUBTFUL', `${address} is ${seen.doubt}. Make sure that its owner can get out what arrives there.`);
  for (const known of likes)
    warn(
      'RECIPIENT_LOOKS_ALIKE',
      known === from || caller.wallets.includes(known)
        ? `${address} is not your wallet ${known}, which looks alike. Compare every character.`
        : `${address} is new to this wallet, and looks like ${known}, which you have paid before. Compare every character.`,
    );
  return warnings;
};

/** Null when the chain does not answer: nothing but warnings depends on it where the signer does not try the call. */
const inspect = async (
  { log }: Pick<Executing, 'log'>,
  { chain, client }: ChainContext,
  address: Address,
  asset: Address | null,
): Promise<Inspection | null> => {
  try {
    return await client.inspectRecipient(address, asset);
  } catch (err) {
    log.warn({ err, chain: chain.slug }, 'A recipient could not be looked at on its chain.');
    return null;
  }
};

/** How many of the newest payments are compared. */
const mostCompared = { steps: 200, transfers: 2_000 };

/** Addresses that the wallet owns or has paid and that look like the recipient; none when it has paid that before. */
const lookalikesOf = async (
  { db }: Pick<Executing, 'db'>,
  { chain, client }: ChainContext,
  { address, asset, from, caller }: JudgedPayment,
): Promise<Address[]> => {
  const known = new Set<Address>(caller.wallets);
  known.add(from);
  const steps = await db
    .selectFrom('intent_step')
    .select(['to_address', 'data'])
    .where('eid', '=', chain.eid)
    .where('wallet', '=', from)
    .where('nonce', 'is not', null)
    .orderBy('nonce', 'desc')
    .limit(mostCompared.steps)
    .execute();
  for (const { to_address: to, data } of steps) for (const one of client.paidBy({ to, data })) known.add(one);
  if (asset !== null) {
    const recent = db
      .selectFrom('transfer')
      .select(['sender', 'recipient', 'amount'])
      .where('eid', '=', chain.eid)
      .where('token', '=', asset)
      .where('is_leg', '=', false)
      .orderBy('time', 'desc')
      .orderBy('block_number', 'desc')
      .orderBy('log_index', 'desc')
      .limit(mostCompared.transfers)
      .as('recent');
    const paid = await db
      .selectFrom(recent)
      .select('recipient')
      .distinct()
      .where('sender', '=', from)
      // A stranger can send nothing in the name of this wallet.
      .where('amount', '>', 0n)
      .execute();
    for (const { recipient } of paid) known.add(recipient);
  }
  if (known.has(address)) return [];
  return [...known].filter((one) => looksLike(one, address));
};

/**
 * Of a budget: the recipients that it allows, on each chain where that may be.
 *
 * @throws MintageError UNSAFE_RECIPIENT.
 */
export const refuseWallsInBudget = async (
  context: Executing,
  caller: Pick<Caller, 'wallets'>,
  { recipients = [] }: BudgetInput,
  acknowledge: AcknowledgedRecipient,
): Promise<void> => {
  const named = recipients.map((text, at) => {
    const field = `budget.recipients.${at}`;
    return { address: anyAddress(context, text, field), field };
  });
  for (const served of context.chains.values()) {
    const here = named.filter(({ address }) => isOn(served.chain, address));
    await refuseWalls(context, served, caller, here, acknowledge);
  }
};
