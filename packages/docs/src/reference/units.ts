/**
 * What a field counts in, by the name it has on the wire or by its type. A number whose unit no rule names must say it in its
 * description (`site.test.ts`).
 */
const byType: Readonly<Record<string, string>> = {
  BaseUnits: 'base units',
  IsoTime: 'ISO 8601, UTC',
  DecimalText: 'whole units',
  TokenAmount: 'whole tokens or base units',
  Address: '',
};

/** Whole numbers in text that are no amounts of a currency, and what they count in. */
const notBaseUnits: readonly (readonly [RegExp, string])[] = [
  [/^gas(Limit|Used)$/, 'gas'],
  [/X96$/, 'Q64.96'],
  [/^liquidity(Net|_amount_raw)?$/, 'liquidity'],
  [/(price|market_cap|usd_value).*_raw$/, 'dollars, 18 digits'],
  [/count_raw$/, 'count'],
];

/** The first that matches. What only names something is no amount. */
const byName: readonly (readonly [RegExp, string])[] = [
  [/raw$/i, 'base units'],
  [/(?<!_with_)decimals$/i, 'digits after the point'],
  [/bps$/i, 'basis points'],
  [/launchpad_progress_change.*abs/, 'percentage points'],
  [/(pct|percent|percentage)(_|$)/i, 'percent'],
  [/holder_count|^total(Chains|Currencies)/, 'count'],
  [/volume_token|_with_decimals$/, 'whole units'],
  [/(ms|expiresAfter)$/i, 'milliseconds'],
  [/seconds/i, 'seconds'],
  [/(usd|fdv|mcap|market_?cap|price|tvl|pnl)(\d|_|$|[A-Z])/i, 'dollars'],
  [/volume/i, 'dollars'],
  [/(chain|type|endpoint)_?ids?$|^(eid|nonce)$|(activity|tracking)_?ids?$|distribution_?types?$/i, 'identifier'],
  [/block_?number$/i, 'block'],
  [/evt_index$/, 'place in the block'],
  [/^tick(_|Lower|Upper|$)/, 'tick'],
  [/^protocolFee$/, 'pips, per direction'],
  [/amount|balance/i, 'whole units'],
  [
    /(count|total|holders|trades|swaps|txns|trx|buys|sells|limit|offset|page|failures|rank|votes|returned|^total\w+)$/i,
    'count',
  ],
];

/** @returns '' where nothing is counted. */
export const unitOf = (name: string, type: string): string => {
  const [first = ''] = type.split(' or ');
  const isNumber = /\b(number|integer)\b/.test(type);
  const isAmount = isNumber || /\b(BaseUnits|DecimalText|TokenAmount)\b/.test(type);
  if (/\bTokenAmount\b/.test(type)) return byType.TokenAmount ?? '';
  const [, other] = notBaseUnits.find(([pattern]) => pattern.test(name)) ?? [];
  if (other !== undefined) return other;
  if (/raw$/i.test(name)) return 'base units';
  if (/\bBaseUnits\b/.test(type)) return 'base units';
  if (isAmount) {
    const [, unit] = byName.find(([pattern]) => pattern.test(name)) ?? [];
    if (unit !== undefined) return unit;
  }
  return byType[first] ?? '';
};
