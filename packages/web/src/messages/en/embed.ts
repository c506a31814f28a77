export * from './common.ts';

export const embed = {
  open: 'Show it on your page',
  title: 'On your page',
  what: 'What to show',
  kinds: { trade: 'Trade card', price: 'Price' },
  theme: 'Theme',
  themes: { auto: 'As the visitor has it', light: 'Light', dark: 'Dark' },
  script: 'As a script, which keeps its height right',
  frame: 'As a frame, where no scripts of others are allowed',
  copy: 'Copy',
  earns: 'Trades that it leads to name your wallet as referral.',
} as const;

/** Words of what other people's pages show: apart, because a framed page loads nothing else of the app's. */
export const framed = {
  price: 'Price',
  marketCap: 'Market cap',
  day: '24 h',
  side: 'What to do',
  buy: 'Buy',
  sell: 'Sell',
  pay: 'You pay',
  give: 'You sell',
  receive: 'You receive about',
  presets: 'Amounts',
  go: (side: 'buy' | 'sell', symbol: string, name: string) => `${side === 'buy' ? 'Buy' : 'Sell'} ${symbol} on ${name}`,
  opens: 'Opens in a new tab. You see every figure there before you sign.',
  at: (name: string) => `on ${name}`,
  noAmount: 'Enter an amount',
  tooMuch: 'More than there is',
  tooSmall: 'Too small to trade',
  unknown: 'not known yet',
  lost: 'No connection: these figures may be old.',
  noSuchToken: 'There is no such token.',
  openMarket: 'To the market',
  frameTitle: (kind: 'trade' | 'price', name: string) => (kind === 'trade' ? `Trade ${name}` : `Price of ${name}`),
  title: (token: string, name: string) => `${token} · ${name}`,
} as const;
