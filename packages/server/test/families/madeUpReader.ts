import type { Action, StepBytes, StepReader } from '../../src/sign/policy/policy.ts';
import { deployment, tokenAddress } from './program.ts';
import { type Deed, decodeOrNull, type Transaction } from './transaction.ts';

const { launchpad, usd } = deployment;

/** Reads transactions of the made-up chain for the policy. There is only the one program, and nobody approves anything. */
export const madeUpReader: StepReader = {
  actions(step) {
    const read = readOrNull(step);
    if (read === null) return [{ does: 'unreadable', to: step.to, selector: step.data.slice(0, 10) }];
    return read.does.flatMap((deed) => actionsOf(read, deed));
  },
  approvals: () => [],
  coinsSent: ({ value }) => value,
  tokenAddress,
};

const readOrNull = ({ to, value, data }: StepBytes): Transaction | null =>
  to === launchpad && value === 0n ? decodeOrNull(data) : null;

const actionsOf = ({ from }: Transaction, deed: Deed): Action[] => {
  switch (deed.do) {
    case 'create':
      return [{ does: 'create', salt: deed.salt, poolType: deed.poolType }];
    case 'trade': {
      const { do: _, builder, ...order } = deed;
      return [{ does: 'order', ...order, builderBps: BigInt(builder?.feeBps ?? 0) }];
    }
    case 'transfer':
      return [{ does: 'transfer', token: deed.token, to: deed.to, amount: deed.amount }];
    case 'withdraw':
      return deed.currencies.map((currency) => ({ does: 'withdraw', currency, to: from, amount: 'everything' }));
    case 'mintUsd':
      return [{ does: 'mint', token: usd, to: deed.to }];
    case 'graduate':
      return [{ does: 'nothing' }];
  }
};
