import { type Abi, type AbiEvent, type ContractEventName, type Hex, toEventSelector } from 'viem';
import type { Happened } from '../origin.ts';
import { originOf, type RawLog } from './log.ts';

interface Parts<Fields> {
  /** Which contract sends it, `token` for any launched one: the same log from another address does not count. */
  emitter: 'launchpad' | 'token' | 'poolManager' | 'tokenBridge' | 'layerZeroEndpoint';
  /**
   * Its fields.
   *
   * @throws RangeError when the log does not have the form of the event.
   */
  decode(log: RawLog): Fields;
}

/** How one kind of event stands in the logs of EVM chains. */
export interface EvmEvent<Name extends string, Fields> extends Parts<Fields> {
  abi: AbiEvent;
  /** First topic of its logs. */
  topic: Hex;
  decode(log: RawLog): Happened<Name, Fields>;
}

/** @param name - In the ABI, and in the indexer. */
export const evmEvent = <const EventAbi extends Abi, Name extends ContractEventName<EventAbi>, Fields extends object>(
  abi: EventAbi,
  name: Name,
  { emitter, decode }: Parts<Fields>,
): EvmEvent<Name, Fields> => {
  const event = abi.find((item): item is AbiEvent => item.type === 'event' && item.name === name);
  if (event === undefined) throw new Error(`the ABI has no event ${name}`);
  return {
    emitter,
    abi: event,
    topic: toEventSelector(event),
    decode: (log) => Object.assign(decode(log), { name, at: originOf(log) }),
  };
};
