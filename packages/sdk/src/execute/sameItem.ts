import type { TransactionItem } from '../generated/types.ts';
import { requireSame } from './differs.ts';

/** What the older form of an answer repeats; absent fields are those of another family. */
const repeated = [
  'to',
  'data',
  'value',
  'gasLimit',
  'transactionBase64',
  'lastValidBlockHeight',
  'expiresAt',
  'priorityFeeMicroLamports',
  'accountsOpened',
] as const satisfies readonly (keyof TransactionItem)[];

type Repeated = Pick<TransactionItem, (typeof repeated)[number]>;

/** The older form of an answer says the same transaction once more. */
export const requireSameItem = (older: Repeated, item: Repeated | undefined): void => {
  for (const field of repeated) requireSame(`transaction.${field}`, older[field], item?.[field]);
};
