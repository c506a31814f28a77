import type { Base58 } from '@mintage/protocol';
import type { Rpc } from '../../rpc.ts';
import { getMinimumBalanceForRentExemption, getRecentPrioritizationFees } from '../rpc/calls.ts';
import { priorityFeeOf } from './priorityFee.ts';

/** What the chain takes of everybody. One provider's word will do: the fee has a cap, and rent is what the runtime takes anyway. */
export interface Prices {
  /** What is offered for a unit where others write to these accounts too, micro-lamports. */
  priorityFee(written: readonly Base58[]): Promise<bigint>;
  /** Lamports that an account without data has to hold. */
  emptyRent(): Promise<bigint>;
}

/** Fees of others follow the last hundred slots and more, which take a minute; rent has changed a few times in years. */
const [feesBelievedMs, rentBelievedMs] = [1_000, 60_000];

/** Asked once in a while and not for each transaction: a list of fees is longer than all accounts of a trade. */
export const pricesOn = (rpc: Pick<Rpc, 'first'>): Prices => {
  const fees = remembering(feesBelievedMs, async (_key: string, written: readonly Base58[]) =>
    priorityFeeOf(await rpc.first((node) => node.request(getRecentPrioritizationFees(written)))),
  );
  const rent = remembering(rentBelievedMs, () =>
    rpc.first((node) => node.request(getMinimumBalanceForRentExemption(0))),
  );
  return { priorityFee: (written) => fees(written.join(' '), written), emptyRent: () => rent('') };
};

const mostRemembered = 1_000;

/** Reads a thing at most once in so many milliseconds; what fails is read again. */
const remembering = <Rest extends unknown[], Value>(
  ms: number,
  read: (key: string, ...rest: Rest) => Promise<Value>,
): ((key: string, ...rest: Rest) => Promise<Value>) => {
  const known = new Map<string, { value: Promise<Value>; untilMs: number }>();
  return (key, ...rest) => {
    const found = known.get(key);
    if (found !== undefined && performance.now() < found.untilMs) return found.value;
    const entry = { value: read(key, ...rest), untilMs: performance.now() + ms };
    known.delete(key);
    if (known.size >= mostRemembered) known.delete(known.keys().next().value as string);
    known.set(key, entry);
    entry.value.catch(() => {
      if (known.get(key) === entry) known.delete(key);
    });
    return entry.value;
  };
};
