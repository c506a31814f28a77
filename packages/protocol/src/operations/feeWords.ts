/**
 * What a fee was for, in the numbers of the chain and the words of the answers. `distributionType` is how the indexer
 * stores it; `feeType` is the vocabulary of the filter and of `fee_type`. Source: wire contract, section 3.3.
 */
export const feeWords = [
  { distributionType: 0, distribution: 'owner', feeType: 'ip_holder' },
  { distributionType: 1, distribution: 'builder', feeType: 'builder' },
  { distributionType: 2, distribution: 'referral', feeType: 'token_referral' },
  { distributionType: 3, distribution: 'protocol_referral', feeType: 'protocol_referral' },
  { distributionType: 4, distribution: 'protocol_referral_cashback', feeType: 'protocol_referral_cashback' },
  // Ours: the treasury's own share, which only the treasury's wallet ever sees.
  { distributionType: 255, distribution: 'treasury', feeType: 'treasury' },
] as const;

/** The kinds that a caller may filter by. */
export const filterableFeeTypes = [
  'builder',
  'token_referral',
  'ip_holder',
  'protocol_referral',
  'protocol_referral_cashback',
] as const;

/** By activity id; any other id is `unknown`. */
export const activityWords = [
  'bonding_curve_trade',
  'dex_trade',
  'token_creation',
  'graduation',
  'external_token_creation',
  'cross_chain_registration',
] as const;
