/** What the api sees of the signer: the tables through which they speak. Keys are sealed in them. */
import type { ColumnType, Generated } from 'kysely';
import type { Sealed } from '../keys/keys.ts';

export { askForKeeperWallet, keeperUser, keeperWallet } from './keeperWallet.ts';

/** PostgreSQL channel: something was queued, or asked for. The payload is empty. */
export const signerChannel = 'mintage_signer';
/**
 * PostgreSQL channel: something became of an intent or one of its steps, or a wallet was made. The payload is the intent or
 * user id.
 */
export const signedChannel = 'mintage_signed';

/** A time that may be left to the database's default. */
type DefaultTime = ColumnType<Date, Date | undefined, Date>;

export type IntentStatus = 'queued' | 'signed' | 'refused' | 'done' | 'failed';
/** The `error` of a step that is not mined, while providers do not say the same about it. */
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
 * A read of the chain that the steps of an intent rest on: what was asked at which block, and keccak256 of the answer. The
 * signer asks it again, and signs only what two providers confirm.
 */
export interface Premise {
  blockNumber: number;
  to: string;
  data: string;
  answerHash: string;
}

/** Ids are UUID text, addresses, hashes and bytes lower-case hex, amounts base units. Rows: `migrations/signer/`. */
export type SignerDatabase = {
  embedded_wallet: {
    user_id: string;
    address: string | null;
    sealed_key: ColumnType<Sealed | null, string | null | undefined, string>;
    requested_at: DefaultTime;
    made_at: Date | null;
    paused_at: Date | null;
  };
  signing_pause: { only_row: Generated<boolean>; paused_at: DefaultTime; reason: string };
  budget: BudgetTable;
  budget_day: { credential: string; day: ColumnType<string, string, never>; reserved_usd18: bigint };
  intent: {
    chain_id: number;
    intent_id: string;
    user_id: string;
    wallet: string;
    credential: string | null;
    idempotency_key: string | null;
    status: Generated<IntentStatus>;
    error_code: string | null;
    error: string | null;
    usd18: Generated<bigint>;
    budget_day: string | null;
    /** Null: nothing that it rests on. */
    premise: ColumnType<Premise | null, string | null | undefined, never>;
    expires_at: Date;
    created_at: DefaultTime;
    signed_at: Date | null;
    ended_at: Date | null;
    acknowledged: ColumnType<AcknowledgedFigures | null, string | null | undefined, never>;
    seen_block: ColumnType<number | null, number | null | undefined, never>;
  };
  intent_step: {
    chain_id: number;
    intent_id: string;
    step: number;
    wallet: string;
    to_address: string;
    value: bigint;
    data: string;
    gas_limit: number;
    description: string;
    nonce: number | null;
    status: Generated<StepStatus>;
    hash: string | null;
    block_number: number | null;
    block_hash: string | null;
    gas_paid: bigint | null;
    error_code: string | null;
    error: string | null;
  };
  attempt: {
    chain_id: number;
    hash: string;
    intent_id: string;
    step: number;
    nonce: number;
    raw: string;
    max_fee_per_gas: bigint;
    max_priority_fee_per_gas: bigint;
    kind: Generated<'call' | 'cancel'>;
    signed_at: DefaultTime;
    signed_block: number;
    sent_at: Date | null;
  };
  keeper_task: { chain_id: number; token: string; intent_id: string; tries: number; tried_at: DefaultTime };
  lane: { chain_id: number; wallet: string; next_nonce: number; watched_at: DefaultTime };
};

export interface BudgetTable {
  credential: string;
  user_id: string;
  per_trade_usd18: bigint | null;
  per_day_usd18: bigint | null;
  chain_ids: number[] | null;
  contracts: Generated<string[]>;
  recipients: Generated<string[]>;
  created_at: DefaultTime;
  ended_at: Date | null;
  max_builder_bps: Generated<number>;
}
