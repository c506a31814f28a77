import { checksumRule, hasWrongChecksum } from '@mintage/protocol';
import { invalid, MintageError } from '@mintage/protocol/errors';
import type { Prepared } from './prepared.ts';

/**
 * What a check of an answer says.
 *
 * @throws MintageError BYTES_DIFFER also for an answer that has not its form; INVALID_PARAMETERS for one that was executed already, and
 *   for a request that names an address with a wrong checksum, whatever the service made of it.
 */
export const checkedAs = <Checked>(prepared: Prepared, check: () => Checked): Checked => {
  if (prepared.answer.executed) throw invalid('prepared', 'was executed by the service already');
  requireChecksums(prepared.asked, '');
  try {
    return check();
  } catch (cause) {
    if (cause instanceof MintageError) throw cause;
    throw new MintageError('BYTES_DIFFER', 'The answer has not the form of one, so nothing of it can be checked.', {
      cause,
    });
  }
};

const requireChecksums = (asked: unknown, path: string): void => {
  if (typeof asked === 'string' && hasWrongChecksum(asked)) throw invalid(path, checksumRule);
  if (typeof asked !== 'object' || asked === null) return;
  for (const [key, value] of Object.entries(asked)) requireChecksums(value, path === '' ? key : `${path}.${key}`);
};
