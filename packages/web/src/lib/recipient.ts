import { hasWrongChecksum } from '@mintage/protocol';
import { isAddressOn } from './onChain.ts';

/** What is wrong with the address of a recipient; null: nothing that its letters show. */
export const recipientProblem = (slug: string, text: string): 'form' | 'checksum' | null => {
  if (!isAddressOn(slug, text)) return 'form';
  return hasWrongChecksum(text) ? 'checksum' : null;
};
