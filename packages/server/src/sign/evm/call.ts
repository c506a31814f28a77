import { requireHex } from '@mintage/protocol';
import type { Hex } from 'viem';
import type { Step } from '../lanes/intents.ts';

/** The parts of a step that decide what it does, without its fees. */
export interface Call {
  to: Hex;
  /** Native base units. */
  value: bigint;
  data: Hex;
}

export const callOf = (step: Pick<Step, 'to_address' | 'value' | 'data'>): Call => ({
  to: requireHex(step.to_address),
  value: step.value,
  data: step.data,
});
