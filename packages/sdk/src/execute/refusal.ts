/** How wallets say that their user declined: then nothing was signed and nothing was sent. */

/** EIP-1193 (4001), WalletConnect (5000), ethers (ACTION_REJECTED); some wallets send numbers as text. */
const declinedCodes: ReadonlySet<string> = new Set(['4001', '5000', 'ACTION_REJECTED']);
/** Ledger: "conditions of use not satisfied", which is the button for No. */
const ledgerDeclined = 0x6985;

const declined = '(?:rejected|refused|denied|declined|disapproved|aborted|cancell?ed)';
const object = '(?:request|transaction|message|signature|signing|operation|action)';
/** Only sentences that say nothing else: an error that mentions the user may still come after the transaction was sent. */
const sentences: readonly RegExp[] = [
  `(?:the )?user (?:has )?${declined}(?: (?:the|this|to)?(?: ?(?:${object}|sign)){0,2})?`,
  `(?:the )?${object}(?: ${object})?(?: was| has been)? ${declined}(?: by (?:the )?user)?`,
  `${declined}(?: by (?:the )?user)?`,
].map((sentence) => new RegExp(`^(?:[\\w .]{1,60}: )*${sentence}[.!]?$`, 'i'));

/** An error and a reason in it lie no deeper. */
const mostLayers = 20;

/**
 * Whether an error of a wallet says that its user declined. What is not certain is none: the transaction may have been
 * sent.
 */
export const isRefusal = (error: unknown): boolean => {
  const layers: unknown[] = [error];
  for (let at = 0; at < Math.min(layers.length, mostLayers); at += 1) {
    const layer = layers[at];
    if (saysNo(layer)) return true;
    for (const inner of innerOf(layer)) if (!layers.includes(inner)) layers.push(inner);
  }
  return false;
};

/** viem and ethers keep what the wallet said inside their own errors; MetaMask says -32603 with the real one in `data`. */
const innerOf = (layer: unknown): unknown[] => {
  if (typeof layer !== 'object' || layer === null) return [];
  const { cause, data, error, info, originalError } = layer as Record<string, unknown>;
  return [cause, data, error, info, originalError].filter((inner) => inner !== undefined && inner !== null);
};

const saysNo = (layer: unknown): boolean => {
  if (typeof layer === 'string') return isSentence(layer);
  if (typeof layer !== 'object' || layer === null) return false;
  const { code, statusCode, message, details } = layer as Record<string, unknown>;
  return (
    declinedCodes.has(String(code)) ||
    statusCode === ledgerDeclined ||
    [message, details].some((text) => typeof text === 'string' && isSentence(text))
  );
};

const isSentence = (text: string): boolean =>
  /\b0x6985\b/i.test(text) || sentences.some((sentence) => sentence.test(text.trim()));
