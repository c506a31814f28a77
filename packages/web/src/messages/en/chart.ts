export * from './common.ts';

export const chart = {
  interval: 'Interval',
  unit: 'Unit',
  units: { cap: 'Market cap', price: 'Price' },
  noTrade: 'No trade yet',
  oneTrade: 'One trade so far',
  startsLater: 'The chart starts with the second trade.',
  seeTrade: 'See the trade',
  graduates: (value: string) => `Graduates at ${value}`,
  upright: 'Upright line: where the pool opened',
  by: 'Chart by',
  pool: 'pool',
  youBought: 'You bought',
  youSold: 'You sold',
  nothing: 'No chart yet.',
  words: (said: {
    what: string;
    since: string;
    interval: string;
    from: string;
    to: string;
    low: string;
    high: string;
  }) =>
    `${said.what} since ${said.since} UTC in steps of ${said.interval}: from ${said.from} to ${said.to} dollars, lowest ${said.low}, highest ${said.high}. The table of trades says the same.`,
} as const;
