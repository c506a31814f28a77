import { MintageError } from '@mintage/protocol';

/**
 * Of a transaction that the only provider that answers does not know: it may lag behind, and whoever hears that there is none may send
 * it again.
 */
export const unknownToOne = (slug: string): MintageError =>
  new MintageError('NETWORK_ERROR', `Only one provider of ${slug} answers now, and does not know it: try again.`);
