/** The part of the signer that the API uses: the tables by which they communicate. Keys are stored sealed. */
import type { Address, ChainType } from '@mintage/protocol';
import type { Sealed } from '../keys/keys.ts';
import {
  address,
  amount,
  bool,
  constant,
  date,
  eid,
  eids,
  hash,
  hex,
  int2,
  int4,
  int8,
  jsonText,
  oneOf,
  orNull,
  type TablesOf,
  table,
  text,
  texts,
  time,
  uuid,
  withDefault,
} from './table.ts';

export { askForKeeperWallet, keeperUser, keeperWallet } from './keeperWallet.ts';

/** PostgreSQL channel: an intent was queued, or a wallet requested. The payload is empty. */
export const signerChannel = 'mintage_signer';
/**
 * PostgreSQL channel: the state of an intent or of one of its steps changed, or a wallet was created. The payload is
 * the intent or user id.
 */
export const signedChannel = 'mintage_signed';

export type IntentStatus = 'queued' | 'signed' | 'refused' | 'done' | 'failed';
/** The `error` of a step on which providers disagree. */
export const unsureSentence =
  'The providers of the chain do not say the same about this transaction yet: do not send it again.';

export type StepStatus = 'queued' | 'sent' | 'mined' | 'final' | 'failed';

/** What a caller acknowledged: `acknowledge` of the operations. Raw figures are base units in decimal digits. */
export interface AcknowledgedFigures {
  builderFeeBps?: number;
  limitRaw?: string;
  approvalRaw?: string;
}

/**
 * A read of the chain on which the steps of an intent depend: the call, its block, and a hash of the answer. The signer
 * repeats it, and signs only what two providers confirm.
 */
export interface Premise {
  blockNumber: number;
  to: Address;
  data: `0x${string}`;
  answerHash: `0x${string}`;
}

/** Ids are UUID text, amounts base units. Rows: `migrations/signer/`. */
export const signerTables = {
  embedded_wallet: table(['user_id', 'chain_type'], {
    user_id: uuid,
    /** The family of chains that it is for. */
    chain_type: constant(oneOf<ChainType>()),
    address: orNull(address),
    sealed_key: withDefault(orNull(jsonText<Sealed>())),
    requested_at: withDefault(time),
    made_at: orNull(time),
    paused_at: orNull(time),
  }),
  signing_pause: table(['only_row'], { only_row: withDefault(bool), paused_at: withDefault(time), reason: text }),
  budget: table(['credential'], {
    credential: text,
    user_id: uuid,
    per_trade_usd18: orNull(amount),
    per_day_usd18: orNull(amount),
    eids: orNull(eids),
    contracts: withDefault(texts),
    recipients: withDefault(texts),
    created_at: withDefault(time),
    ended_at: orNull(time),
    max_builder_bps: withDefault(int4),
  }),
  budget_day: table(['credential', 'day'], { credential: text, day: constant(date), reserved_usd18: amount }),
  intent: table(['eid', 'intent_id'], {
    eid,
    intent_id: uuid,
    user_id: uuid,
    wallet: address,
    credential: orNull(text),
    idempotency_key: orNull(text),
    status: withDefault(oneOf<IntentStatus>()),
    error_code: orNull(text),
    error: orNull(text),
    usd18: withDefault(amount),
    budget_day: orNull(date),
    /** Null: nothing that it rests on, as always where calls bound by themselves what they depend on. */
    premise: constant(withDefault(orNull(jsonText<Premise>()))),
    expires_at: time,
    created_at: withDefault(time),
    signed_at: orNull(time),
    ended_at: orNull(time),
    acknowledged: constant(withDefault(orNull(jsonText<AcknowledgedFigures>()))),
    seen_block: constant(withDefault(orNull(int8))),
  }),
  intent_step: table(['eid', 'intent_id', 'step'], {
    eid,
    intent_id: uuid,
    step: int2,
    wallet: address,
    to_address: address,
    value: amount,
    data: hex,
    gas_limit: int8,
    description: text,
    /** Null before it is signed, and on chains without nonces. */
    nonce: orNull(int8),
    status: withDefault(oneOf<StepStatus>()),
    /** Null before it is signed. */
    hash: orNull(hash),
    block_number: orNull(int8),
    block_hash: orNull(hash),
    gas_paid: orNull(amount),
    error_code: orNull(text),
    error: orNull(text),
  }),
  attempt: table(['eid', 'hash'], {
    eid,
    hash,
    intent_id: uuid,
    step: int2,
    /** Null on chains without nonces. */
    nonce: orNull(int8),
    raw: hex,
    /** Null, as the next, on chains that do not price gas so. */
    max_fee_per_gas: orNull(amount),
    max_priority_fee_per_gas: orNull(amount),
    kind: withDefault(oneOf<'call' | 'cancel'>()),
    signed_at: withDefault(time),
    signed_block: int8,
    sent_at: orNull(time),
    /** The last block height that may hold these bytes; null: any, until their nonce is used. */
    valid_until_block: orNull(int8),
  }),
  keeper_task: table(['eid', 'token'], {
    eid,
    token: address,
    intent_id: uuid,
    tries: int4,
    tried_at: withDefault(time),
  }),
  lane: table(['eid', 'wallet'], {
    eid,
    wallet: address,
    /** 0 on chains without nonces. */
    next_nonce: int8,
    watched_at: withDefault(time),
  }),
};

export type SignerDatabase = TablesOf<typeof signerTables>;

export type BudgetTable = SignerDatabase['budget'];
