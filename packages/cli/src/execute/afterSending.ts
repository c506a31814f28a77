import { Failure, told } from '../failure.ts';

/** A transaction that is found again by its hash. */
export interface OnItsWay {
  chainSlug: string;
  hash: string;
}

export const lookAt = ({ chainSlug, hash }: OnItsWay): string =>
  `mintage api transactionStatus hash=${hash} chainSlug=${chainSlug}`;

/** An error as it stands when something was sent before it: whatever it says, the same command is not to be repeated blindly. */
export const afterSending = (error: unknown, sent: readonly OnItsWay[], look = sent.map(lookAt)): unknown => {
  if (look.length === 0 || told(error).exit === 'sent') return error;
  const failure = new Failure('sent', told(error).message, `It was sent before that. Look: ${look.join(' ; ')}`);
  failure.cause = error;
  return failure;
};
