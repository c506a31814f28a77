import { wireData } from '../../reads/events/messages.ts';
import type { StreamEvent } from '../../reads/events/streamEvent.ts';

/** Numbers of events that were dropped before the webhook could deliver them; some of them it may not have wanted. */
export interface Missed {
  from: number;
  /** Inclusive. */
  to: number;
}

/** The message id, the same at each attempt, so that a receiver recognises repeats. */
export const messageIdOf = (webhookId: string, seq: number): string => `msg_${webhookId}_${seq}`;

/**
 * The body of a delivery: what a WebSocket client gets, with the webhook's id in place of the subscription's.
 *
 * @param missed - Set on the first delivery after a loss.
 */
export const messageOf = (
  platformName: string,
  webhookId: string,
  event: Pick<StreamEvent, 'topic' | 'seq' | 'retracts' | 'data' | 'shown'>,
  missed: Missed | null,
): string => {
  return JSON.stringify({
    type: event.retracts === null ? 'event' : 'retract',
    id: webhookId,
    topic: event.topic,
    seq: event.seq,
    ...(event.retracts === null ? {} : { retracts: event.retracts }),
    ...(missed === null ? {} : { missed }),
    data: wireData(platformName, event),
  });
};
