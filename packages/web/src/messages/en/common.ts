/**
 * Words of every page: of the shell and of `ui`. A feature's own are in the file of its name beside this one, which gives it
 * these too, so a page loads only what it says. A function where a value is in the sentence.
 *
 * Another language is another folder with the same files, and a build of its own that takes them instead of these.
 */
export const skip = 'Skip to content';
export const close = 'Close';
export const copied = 'Copied';
export const copyAddress = 'Copy the address';
export const requestId = 'Request';
export const copyRequestId = 'Copy the id of the request';
export const tryAgain = 'Try again';
export const discard = 'Discard';
export const discardOpen = 'Discarding forgets these steps. Completed steps stay completed.';
export const discardSent = 'Discarding forgets these steps. The transaction that was sent goes on without this page.';
export const discardAsked =
  'Your wallet hasn’t said whether it signed. If it still shows the request, decline it there before you discard: signed later, it still goes through.';
/** Beside a field. */
export const badChecksum = 'This address has a typing mistake. Copy it again.';
export const notRead = 'This could not be read.';
/** By code, where the service's own words are for programs. */
export const errors = {
  BLOCKED: 'One of you has blocked the other, so this is not possible.',
  HUB_BANNED: 'You are banned from this hub. Ask one of its moderators.',
  HUB_HOLDERS_ONLY: 'Only those who hold enough of the token post here.',
  HUB_INVITE_ONLY:
    'This hub takes an invite. Ask its owner or a moderator for a link; one that is used up lets nobody in.',
  HUB_MEMBERS_ONLY: 'Only members post here. Join first.',
  INVALID_JSON: 'This page and the service do not understand each other. Load the page again.',
  MEDIA_INVALID: 'This is no picture or film that can be read here. Choose another one.',
  MEDIA_TOO_LARGE: 'This picture or film is too big. Choose a smaller one.',
  MEDIA_QUOTA_EXCEEDED:
    'You have uploaded too much. Try again tomorrow, or delete posts whose files you no longer need.',
  FILMS_NOT_YET: 'Your account is too new to post films. Post a picture, or try again tomorrow.',
  NOT_THE_AUTHOR: 'Only its author and the moderators of its hub delete this.',
  NOT_THE_HUB_OWNER: 'This is for the owner or the moderators of the hub, and you are no longer one of them.',
  POST_NOT_FOUND: 'This post is gone.',
  RATE_LIMIT_EXCEEDED: 'Too many requests. Wait a moment, then try again.',
  REFERRAL_ALREADY_SET: 'You entered a code before, and it stays.',
  REFERRAL_CODE_EXISTS: 'You have a code already. Load the page again to see it.',
  REFERRAL_CODE_NOT_FOUND: 'There is no such code here. Check how it is spelled.',
  SENT_UNCONFIRMED: 'Your wallet has not said whether it signed. This page looks for it until it is found.',
  TOO_MANY_FOLLOWS: 'You follow or block 5,000 people, which is the most. Let go of somebody first.',
  UNREACHABLE: 'The service does not answer. Try again in a moment.',
  USERNAME_COOLDOWN: 'You changed your username less than 30 days ago. It stays for now.',
  USERNAME_RESERVED: 'This name sounds like the service itself. Choose another one.',
  USERNAME_TAKEN: 'Somebody has this name, or one that looks like it. Choose another one.',
  USER_NOT_FOUND: 'There is nobody by this name.',
  USER_SUSPENDED: 'Whoever runs this service has suspended what you say here. You can still trade and claim.',
  WALLET_REFUSED: 'Your wallet refused, so nothing was sent. Go on whenever you like.',
};
export const amountWrong = {
  digits: (example: string) => `Enter the amount in digits, e.g. ${example}.`,
  ambiguous: (typed: string, whole: string, decimal: string) =>
    `${typed} can be read in two ways. Enter ${whole} or ${decimal}0.`,
};
export const wentWrong = 'This did not work';
export const proved = 'proved';
export const unknown = 'not known yet';
export const transaction = (start: string) => `Transaction ${start}…`;
export const loading = 'Loading';
/** Of dates and of the chart's axis. */
export const locale = 'en-GB';
export const nav = {
  main: 'Main',
  bottom: 'Main, bottom',
  market: 'Market',
  feed: 'Feed',
  create: 'Create',
  portfolio: 'Portfolio',
  rewards: 'Rewards',
  leaderboard: 'Leaderboard',
  account: 'Account',
  notifications: (unread: number) => (unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`),
  connect: 'Sign in',
} as const;
export const search = {
  label: 'Search tokens',
  placeholder: 'Name, symbol or address',
  open: 'Search',
  found: 'Tokens found',
  all: (typed: string) => `All results for “${typed}”`,
  none: 'No token found',
} as const;
export const foot = {
  docs: 'Docs',
  theme: { system: 'Theme: as the system', light: 'Theme: light', dark: 'Theme: dark' },
  solvency: 'Solvency',
  solvent: (ago: string) => `Solvency proved ${ago} ago`,
  insolvent: 'The books do not add up',
  live: (live: number, all: number) => `${live} of ${all} chains live`,
} as const;
export const offline = (seconds: string) => `No connection: what you see is ${seconds} old.`;
export const title = (page: string, name: string) => `${page} · ${name}`;
export const signIn = {
  title: 'Sign in',
  text: (name: string) => `Your account on ${name}: portfolio, rewards, and a wallet here if you have none.`,
  wallets: 'With a wallet',
  noWallets: 'No wallet was found in this browser.',
  demo: 'The demo wallet is part of this page: nothing to install, and its money is worth nothing.',
  without: 'Without a wallet',
  passkey: 'Sign in with a passkey',
  newPasskey: 'New account with a passkey',
  passkeyText:
    'A passkey is kept by your device and opened by your finger, face or PIN. The account gets a wallet of its own.',
  noPasskeys: 'This browser has no passkeys.',
  provider: (name: string) => `Continue with ${name}`,
  connecting: (wallet: string) => `Choose an account in ${wallet}…`,
  signing: (wallet: string) => `Sign the text in ${wallet}. It costs nothing.`,
  confirming: 'Confirm on your device…',
  finishing: 'Signing you in…',
  refused: 'You said no, so nothing happened. Try again whenever you like.',
  elsewhereFailed: 'Signing in there did not end here. Please begin again.',
  otherAccount: (now: string, before: string) => `Your wallet is now ${now}, and you are signed in as ${before}.`,
  signInAs: (address: string) => `Sign in as ${address}`,
  otherStays: 'Stay',
} as const;
export const wallet = {
  noTexts: (wallet: string) => `${wallet} signs no texts, so it cannot sign in. Use another wallet.`,
  onlySigns: (wallet: string) => `${wallet} signs transactions but does not send them. Use a wallet that does both.`,
  notOn: (wallet: string, chain: string) =>
    `${wallet} is not set to ${chain}. Choose it in the wallet, then try again.`,
  ofSolana: 'Solana',
} as const;
export const secondWay = {
  title: 'Add a second way in first',
  text: 'Who loses the only passkey of an account loses what is in it. A second passkey on another device, or a wallet of your own, gets you in again.',
  addPasskey: 'Add a passkey',
  linkWallet: 'Link a wallet',
  later: 'Go on without',
  done: 'There is a second way in now.',
} as const;
export const linkNames = {
  website: 'Website',
  twitter: 'X',
  telegram: 'Telegram',
  discord: 'Discord',
  youtube: 'YouTube',
} as const;
export const sure = 'Yes, do it';
export const keep = 'Keep';
export const picture = {
  hint: 'Drop, paste or choose one. PNG, JPEG, GIF, WEBP or SVG, square, at most 5 MB.',
  bannerHint: 'A wide picture for the top of its page, at most 5 MB.',
  facts: (width: string, height: string, size: string) => `${width} × ${height}, ${size}.`,
  wrong: {
    type: 'This is no picture that is taken here. Choose a PNG, JPEG, GIF, WEBP or SVG.',
    size: 'This is more than 5 MB. Choose a smaller one.',
    broken: 'This picture cannot be read. Choose another.',
  },
  choose: (what: string) => `Choose: ${what}`,
  chooseShort: 'Choose',
  replace: (what: string) => `Replace: ${what}`,
  replaceShort: 'Replace',
} as const;
export const notFound = {
  title: 'Not found',
  text: 'There is nothing at this address.',
  act: 'To the market',
} as const;
