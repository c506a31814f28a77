/**
 * What a fee was for, in the numbers of the chain and the words of the answers. `distributionType` is how the indexer
 * stores it, `name` how `/info` says it; `feeType` is the vocabulary of the filter and of `fee_type`. Source: wire
 * contract, section 3.3.
 */
export const feeWords = [
  { distributionType: 0, name: 'Owner', distribution: 'owner', feeType: 'ip_holder' },
  { distributionType: 1, name: 'Builder', distribution: 'builder', feeType: 'builder' },
  { distributionType: 2, name: 'Referral', distribution: 'referral', feeType: 'token_referral' },
  { distributionType: 3, name: 'ProtocolReferral', distribution: 'protocol_referral', feeType: 'protocol_referral' },
  {
    distributionType: 4,
    name: 'ProtocolReferralCashback',
    distribution: 'protocol_referral_cashback',
    feeType: 'protocol_referral_cashback',
  },
  // Ours: the treasury's own share, which only the treasury's wallet ever sees.
  { distributionType: 255, name: 'Treasury', distribution: 'treasury', feeType: 'treasury' },
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

/** The same as `/info` says it; any other id is `Unknown`. */
export const activityNames = [
  'BondingCurveTrade',
  'DEXTrade',
  'TokenCreation',
  'Graduation',
  'ExternalTokenCreation',
  'CrossChainRegistration',
] as const;
