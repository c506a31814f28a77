export * from './common.ts';

export const solvency = {
  title: 'Solvency',
  description: (name: string) => `What ${name} holds and owes on every chain.`,
  text: 'Every token on a curve can be sold back, and everything earned can be withdrawn: the contract holds at least what it owes.',
  held: 'Held by the contract',
  reserve: 'For selling back every token on a curve',
  floor: 'Opening fees, kept for the floor under the pools',
  treasury: 'The treasury’s share, not yet moved',
  credits: 'Earned and not yet withdrawn',
  surplus: 'Left over',
  solvent: 'Every dollar is there',
  insolvent: 'Dollars are missing',
  unknown: 'The chain does not answer: nothing is known now.',
  counted: (tokens: string, accounts: string) => `${tokens} tokens and ${accounts} accounts added up`,
  ago: (ago: string) => `${ago} ago`,
  contract: 'Contract',
  blockHash: 'Block',
  read: 'See the answer',
  across: 'Between chains',
  acrossConstant: (count: string) =>
    `${count} tokens crossed between chains. Each exists exactly as often as it was made.`,
  acrossNone: 'No token has crossed between chains yet.',
  acrossBroken: 'A token exists more often than it was made.',
  selves: 'Compute it yourself',
  copyCommand: 'Copy the command',
  selvesText: 'The same numbers from the chain alone, without this service:',
} as const;
