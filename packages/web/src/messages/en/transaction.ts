export * from './common.ts';
export { token } from './token.ts';

export const tx = {
  title: 'Transaction',
  status: 'Status',
  statuses: {
    sent: 'in no block yet',
    mined: 'in a block',
    reverted: 'reverted',
    final: 'final',
    failed: 'failed, final',
  },
  chain: 'Chain',
  blockName: 'Block',
  time: 'Time',
  from: 'From',
  to: 'To',
  value: 'Coins sent along',
  fee: 'Network fee',
  did: 'What it called',
  payment: 'It only paid: no function was called.',
  unknownFunction: 'a function that is not known here',
  happened: 'What happened',
  nothingHappened: 'No event of a known contract.',
  others: (count: number) =>
    count === 1 ? 'And 1 event of another contract.' : `And ${count} events of other contracts.`,
  on: 'on',
  details: 'All that it said',
  fromTo: 'from',
  toWhom: 'to',
  for: 'for',
  fee1: 'fee',
  oneProvider: 'Only one provider of this chain answers now, and nobody confirms what it says.',
  explorer: 'Open in the explorer',
  asJson: 'This page is made of the answer of',
  notThere: 'This chain knows no such transaction. Where it was just sent, look again in a moment.',
  short: (hash: string) => `Transaction ${hash}`,
} as const;
