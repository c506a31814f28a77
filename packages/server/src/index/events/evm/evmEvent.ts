import { type Abi, type AbiEvent, type ContractEventName, type Hex, toEventSelector } from 'viem';
import type { Happened } from '../origin.ts';
import { originOf, type RawLog } from './log.ts';

interface Parts<Fields> {
  /**
   * Which contract sends it, `token` for any launched one, `pool` for that of any graduated one where it is a contract of its
   * own: the same log from another address does not count.
   */
  emitter: 'launchpad' | 'token' | 'pool' | 'poolManager' | 'tokenBridge' | 'layerZeroEndpoint';
  /**
   * Its fields.
   *
   * @param token - The launched token whose pool sent it; of other emitters the sender.
   * @throws RangeError when the log does not have the form of the event.
   */
  decode(log: RawLog, token: Hex): Fields;
}

/** How one kind of event stands in the logs of EVM chains. */
export interface EvmEvent<Name extends string, Fields> extends Parts<Fields> {
  abi: AbiEvent;
  /** First topics of its logs: of each form that it has, the first one's first. */
  topics: readonly [Hex, ...Hex[]];
  decode(log: RawLog, token: Hex): Happened<Name, Fields>;
}

/** @param name - In the ABI, where it may have several forms with the same first fields, and in the indexer. */
export const evmEvent = <const EventAbi extends Abi, Name extends ContractEventName<EventAbi>, Fields extends object>(
  abi: EventAbi,
  name: Name,
  { emitter, decode }: Parts<Fields>,
): EvmEvent<Name, Fields> => {
  const [event, ...more] = abi.filter((item): item is AbiEvent => item.type === 'event' && item.name === name);
  if (event === undefined) throw new Error(`the ABI has no event ${name}`);
  return {
    emitter,
    abi: event,
    topics: [toEventSelector(event), ...more.map((other) => toEventSelector(other))],
    decode: (log, token) => Object.assign(decode(log, token), { name, at: originOf(log) }),
  };
};
