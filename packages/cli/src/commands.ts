import type { Configure } from './command/group.ts';

export interface Entry {
  /** What it does, one sentence. */
  summary: string;
  /** Heading in the help and the manual. */
  group: 'Start' | 'Trade' | 'Look' | 'Manage' | 'Everything' | 'Run a deployment';
  /** Its code, loaded when it is asked for: a command does not wait for the others. */
  load(): Promise<Configure>;
}

const entry = (group: Entry['group'], summary: string, load: Entry['load']): Entry => ({ group, summary, load });

/** Every command by its name, in the order of the help. */
export const commands: Readonly<Record<string, Entry>> = {
  init: entry(
    'Start',
    'Makes a profile: where the service is, and who signs.',
    async () => (await import('./commands/init.ts')).init,
  ),
  login: entry(
    'Start',
    'Signs in with the profile’s wallet, an API key or an access token.',
    async () => (await import('./commands/login.ts')).login,
  ),
  logout: entry('Start', 'Ends the session and forgets it.', async () => (await import('./commands/login.ts')).logout),
  profile: entry(
    'Start',
    'Lists, changes, imports, exports and deletes profiles.',
    async () => (await import('./commands/profile.ts')).profile,
  ),

  create: entry(
    'Trade',
    'Creates a token, with a first buy if one is asked for.',
    async () => (await import('./commands/create.ts')).create,
  ),
  quote: entry('Trade', 'Shows the price of a trade.', async () => (await import('./commands/quote.ts')).quote),
  buy: entry('Trade', 'Buys a token for dollars.', async () => (await import('./commands/trade.ts')).buy),
  sell: entry('Trade', 'Sells a token.', async () => (await import('./commands/trade.ts')).sell),
  transfer: entry(
    'Trade',
    'Sends a token to a wallet, on its chain or another.',
    async () => (await import('./commands/transfer.ts')).transfer,
  ),
  claim: entry(
    'Trade',
    'Pays out everything that a wallet earned.',
    async () => (await import('./commands/claim.ts')).claim,
  ),
  'mint-usd': entry(
    'Trade',
    'Mints test dollars on a test chain.',
    async () => (await import('./commands/mintUsd.ts')).mintUsd,
  ),
  send: entry(
    'Trade',
    'Sends any transaction from the embedded wallet.',
    async () => (await import('./commands/send.ts')).send,
  ),

  tokens: entry('Look', 'Lists tokens.', async () => (await import('./commands/tokens.ts')).tokens),
  token: entry('Look', 'Shows one token.', async () => (await import('./commands/token.ts')).token),
  search: entry(
    'Look',
    'Finds a token by name, symbol, slug or address.',
    async () => (await import('./commands/search.ts')).search,
  ),
  trades: entry('Look', 'Lists the trades of a token.', async () => (await import('./commands/trades.ts')).trades),
  candles: entry('Look', 'Draws the price of a token.', async () => (await import('./commands/candles.ts')).candles),
  holders: entry('Look', 'Lists who holds a token.', async () => (await import('./commands/holders.ts')).holders),
  portfolio: entry('Look', 'Shows what you hold.', async () => (await import('./commands/portfolio.ts')).portfolio),
  fees: entry('Look', 'Shows what you earned and can claim.', async () => (await import('./commands/fees.ts')).fees),
  leaderboard: entry(
    'Look',
    'Shows who earned most.',
    async () => (await import('./commands/leaderboard.ts')).leaderboard,
  ),
  me: entry('Look', 'Shows your account and balances.', async () => (await import('./commands/me.ts')).me),
  chains: entry('Look', 'Lists the chains of the service.', async () => (await import('./commands/chains.ts')).chains),

  keys: entry('Manage', 'Lists, makes and revokes API keys.', async () => (await import('./commands/keys.ts')).keys),
  webhooks: entry(
    'Manage',
    'Lists, makes, tests and deletes webhooks.',
    async () => (await import('./commands/webhooks.ts')).webhooks,
  ),
  referral: entry(
    'Manage',
    'Makes, enters and shows referral codes.',
    async () => (await import('./commands/referral.ts')).referral,
  ),

  api: entry('Everything', 'Calls any operation of the service.', async () => (await import('./commands/api.ts')).api),
  stream: entry(
    'Everything',
    'Prints events of the service as they happen.',
    async () => (await import('./commands/stream.ts')).stream,
  ),
  completion: entry(
    'Everything',
    'Prints a completion script for bash, zsh or fish.',
    async () => (await import('./commands/completion.ts')).completion,
  ),
  manual: entry('Everything', 'Prints the page for man.', async () => (await import('./commands/manual.ts')).manual),

  dev: entry(
    'Run a deployment',
    'Starts everything on this machine, seeded.',
    async () => (await import('./commands/checkout.ts')).dev,
  ),
  deploy: entry(
    'Run a deployment',
    'Deploys the contracts; shows gas and addresses first.',
    async () => (await import('./commands/checkout.ts')).deploy,
  ),
  doctor: entry(
    'Run a deployment',
    'Checks providers, contracts, database, Redis, clock and keys.',
    async () => (await import('./commands/checkout.ts')).doctor,
  ),
  admin: entry(
    'Run a deployment',
    'Changes what an operator changes by hand.',
    async () => (await import('./commands/checkout.ts')).admin,
  ),
  backup: entry(
    'Run a deployment',
    'Writes everything but the index into a new folder.',
    async () => (await import('./commands/checkout.ts')).backup,
  ),
  restore: entry(
    'Run a deployment',
    'Fills an empty database with what backup wrote.',
    async () => (await import('./commands/checkout.ts')).restore,
  ),
};
