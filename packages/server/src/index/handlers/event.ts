import type { Address, Hash } from '@mintage/protocol';
import type { EvmEvent } from '../events/evm/evmEvent.ts';
import type { Happened } from '../events/origin.ts';
import type { SolanaEvent } from '../events/solana/solanaEvent.ts';
import type { PageActivity } from '../outbox/news.ts';
import type { Page } from '../page/page.ts';

/**
 * Everything that the indexer knows of one kind of event. The law of all handlers: they only go forward, use nothing but
 * the event and the page, and give the same rows for the same events in the same order. Undoing is the store's job.
 */
interface Parts<Name extends string, Event, Fields> {
  /** How it is read on EVM chains. A family has one key here, none where it has no such event, and all give the same fields. */
  evm?: EvmEvent<NoInfer<Name>, Fields>;
  /** The same on Solana; absent too for what is read off a transaction's balances. */
  solana?: SolanaEvent<NoInfer<Fields>>;
  /**
   * The launched token that it concerns, whose row is loaded; absent: the one in its field `token`.
   *
   * @param pools - Tokens by pool id, with the pools that events of the same page open.
   */
  tokenOf?(event: Event, pools: ReadonlyMap<Hash, Address>): Address | undefined;
  /** Names the other rows that `handle` may touch, so that they are loaded in one query per table. Tokens are there already. */
  needs?(page: Page, event: Event): void;
  handle(page: Page, event: Event): void;
  /** What its rows in the page add to the stream `tokenActivity`, from this block on. */
  activities?(page: Page, from: number): PageActivity[];
}

export interface EventKind<Name extends string, Fields> extends Parts<Name, Happened<Name, Fields>, Fields> {
  name: Name;
}

/** The event that a kind handles. */
export type EventOf<Kind extends { handle(page: Page, event: never): void }> = Parameters<Kind['handle']>[1];

/** One kind of event, by its name. */
export const eventKind = <Name extends string, Fields extends object>(
  name: Name,
  parts: Parts<Name, Happened<Name, Fields>, Fields>,
): EventKind<Name, Fields> => ({ ...parts, name });
