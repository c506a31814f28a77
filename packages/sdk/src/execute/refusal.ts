/** How wallets say that their user declined: then nothing was signed and nothing was sent. */

/**
 * EIP-1193 (4001), WalletConnect (5000, and 5001 to 5003 for what was declined of a session or request), ethers (ACTION_REJECTED). Some
 * wallets send numbers as text.
 */
const declinedCodes: ReadonlySet<string> = new Set(['4001', '5000', '5001', '5002', '5003', 'ACTION_REJECTED']);
/** Ledger: "conditions of use not satisfied", which is the button for No. */
const ledgerDeclined = 0x6985;
/** EIP-1474: a node declined the transaction. Another one may have taken it. */
const nodeDeclined = '-32003';

/** Nothing else, or behind the names of a wallet's parts, which end with a colon. */
const onlySentence = (sentence: string): RegExp => new RegExp(`^(?:[\\w .]{1,60}: )*${sentence}[.!]?$`, 'i');

const declined = '(?:rejected|refused|denied|declined|disapproved)';
const cancelled = '(?:cancell?ed)';
const object =
  '(?:request|transaction|tx|message|signature|signing|sign|operation|action|approval|methods|account|authorization)';
const ofObject = `(?: (?:to|the|this|a|your)){0,2}(?: ${object}){0,2}(?: (?:the|this) ${object})?(?: ${object})?`;
/**
 * Only sentences that say nothing else: an error that mentions the user may still come after the transaction was sent. What was aborted,
 * or cancelled without a word of a user, may be a connection's end.
 */
const ofUser: readonly RegExp[] = [
  `(?:the )?user (?:has )?(?:${declined}|${cancelled})${ofObject}`,
  `(?:(?:the )?${object}(?: ${object})?(?: was| has been)? )?(?:${declined}|${cancelled}) by (?:the )?user`,
].map(onlySentence);
const ofNobody: readonly RegExp[] = [
  `(?:the )?${object}(?: ${object})?(?: was| has been)? ${declined}`,
  `(?:the )?(?:transaction|signature|signing)(?: was| has been)? ${cancelled}`,
  declined,
].map(onlySentence);

/** An error and a reason in it lie no deeper. */
const mostLayers = 20;

/**
 * Whether an error of a wallet says that its user declined. What is not certain is none: the transaction may have been
 * sent.
 */
export const isRefusal = (error: unknown): boolean => {
  const layers: unknown[] = [error];
  for (let at = 0; at < Math.min(layers.length, mostLayers); at += 1)
    for (const inner of innerOf(layers[at])) if (!layers.includes(inner)) layers.push(inner);
  const isOfNode = layers.some((layer) => codeOf(layer) === nodeDeclined);
  return layers.some((layer) => saysNo(layer, isOfNode));
};

/** viem and ethers keep what the wallet said inside their own errors; MetaMask says -32603 with the real one in `data`. */
const innerOf = (layer: unknown): unknown[] => {
  if (typeof layer !== 'object' || layer === null) return [];
  const { cause, data, error, info, originalError } = layer as Record<string, unknown>;
  return [cause, data, error, info, originalError].filter((inner) => inner !== undefined && inner !== null);
};

const codeOf = (layer: unknown): string => String((layer as { code?: unknown } | null | undefined)?.code);

const saysNo = (layer: unknown, isOfNode: boolean): boolean => {
  if (typeof layer === 'string') return isSentence(layer, isOfNode);
  if (typeof layer !== 'object' || layer === null) return false;
  const { statusCode, message, details } = layer as Record<string, unknown>;
  return (
    declinedCodes.has(codeOf(layer)) ||
    statusCode === ledgerDeclined ||
    [message, details].some((text) => typeof text === 'string' && isSentence(text, isOfNode))
  );
};

const isSentence = (text: string, isOfNode: boolean): boolean => {
  const sentences = isOfNode ? ofUser : [...ofUser, ...ofNobody];
  return /\b0x6985\b/i.test(text) || sentences.some((sentence) => sentence.test(text.trim()));
};
