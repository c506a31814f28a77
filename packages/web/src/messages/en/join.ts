export * from './common.ts';

export const join = {
  title: (code: string) => `Join with ${code}`,
  description: (name: string, percent: string) => `Get ${percent} of your trading fees back on ${name}.`,
  invitation: 'Invitation',
  invites: 'invites you',
  somebody: 'Somebody invites you',
  youGet: 'You get',
  youGetText: (share: string, ofFee: string) =>
    `${share} of every trade back, which is ${ofFee} of the trading fee, for good.`,
  theyGet: 'They get',
  theyGetText: (share: string, ofFee: string) =>
    `${share} of every trade that you make, which is ${ofFee} of the trading fee. It comes out of the platform’s part: you pay nothing more.`,
  code: 'Code',
  once: 'One code per account, and it stays.',
  signIn: 'Sign in and join',
  enter: 'Join',
  entering: 'Joining …',
  inactive: 'This code cannot be entered here: it is out of use, or of another network.',
  entered: (code: string) => `${code} is entered.`,
  toMarket: 'To the market',
  proof: 'The shares are fixed in the contract, which pays them within each trade.',
  howMoneyFlows: 'How the money flows',
  kept: (code: string) => `The code ${code} is kept and entered once you are signed in.`,
} as const;
