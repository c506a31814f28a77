import { type Fault, faultKinds } from '../faults.ts';
import type { Params } from '../wire/params.ts';
import { refused } from '../wire/rpcError.ts';
import type { Methods } from './method.ts';

/** What a test does to the chain, from this process or, by the same names, over JSON-RPC. */
export interface TestControls {
  /** So many blocks at once; the newest slot. */
  mine(blocks?: number): number;
  /** So many slots without a block. */
  skipSlots(slots: number): void;
  /** Unix seconds of the next block; no block is older than the one before it. */
  setTime(seconds: number): void;
  addSeconds(seconds: number): void;
  /**
   * Forgets the newest blocks and their transactions; blocks that follow are others.
   *
   * @param options.again - Signatures whose transactions wait for the next block.
   * @param options.sameSlots - The next block comes in the first slot that was forgotten; else in one that nobody has seen.
   * @returns The signatures that were forgotten.
   */
  reorg(blocks: number, options?: { again?: readonly string[]; sameSlots?: boolean }): string[];
  fault(fault: Fault): void;
  clearFaults(): void;
  /** Breaks the connections of all subscriptions. */
  cutSockets(): void;
}

export const testMethods = (controls: TestControls): Methods => ({
  mine: (params) => controls.mine(params.numberOr(0, 1)),
  skipSlots: (params) => done(controls.skipSlots(params.number(0))),
  setTime: (params) => done(controls.setTime(params.number(0))),
  addSeconds: (params) => done(controls.addSeconds(params.number(0))),
  reorg: (params) => reorg(controls, params),
  fault(params) {
    const fault = params.raw(0) as Fault | undefined;
    if (fault === undefined || !faultKinds.includes(fault.kind)) throw refused.params('Invalid params: no such fault');
    return done(controls.fault(fault));
  },
  clearFaults: () => done(controls.clearFaults()),
  cutSockets: () => done(controls.cutSockets()),
});

const reorg = (controls: TestControls, params: Params): string[] => {
  try {
    return controls.reorg(params.number(0), params.raw(1) as Parameters<TestControls['reorg']>[1]);
  } catch (error) {
    throw error instanceof RangeError ? refused.params(error.message) : error;
  }
};

/** These have nothing to say, which JSON calls null. */
const done = (result: void): null => result ?? null;
