import type { WholeFields } from '@mintage/protocol/operations';
import type { PreparedStep } from '../../chain/chainClient.ts';

/** What an answer says of a whole transaction beside its call; nothing of a call. */
export const shownWhole = ({ whole }: Pick<PreparedStep, 'whole'>): WholeFields =>
  whole === undefined
    ? {}
    : {
        transactionBase64: whole.base64,
        lastValidBlockHeight: whole.lastValidBlockHeight,
        expiresAt: new Date(whole.expiresAtMs).toISOString(),
        priorityFeeMicroLamports: whole.priorityFee.toString(),
        accountsOpened: [...whole.opens],
      };

/** The same of an item, for the older forms that repeat its call. */
export const wholeFieldsOf = (item: WholeFields): WholeFields =>
  item.transactionBase64 === undefined
    ? {}
    : {
        transactionBase64: item.transactionBase64,
        lastValidBlockHeight: item.lastValidBlockHeight,
        expiresAt: item.expiresAt,
        priorityFeeMicroLamports: item.priorityFeeMicroLamports,
        accountsOpened: item.accountsOpened,
      };
