export * from './common.ts';

export const money = {
  elsewhere: 'Another tab of this browser is at it. It goes on there.',
  goOn: 'Go on',
  retry: 'Try again',
  csv: 'Export CSV',
  embeddedWallet: 'your wallet here',
  unknownWallet: (short: string) => `Connect the wallet ${short}, which began this.`,
  otherAccount: 'Another account began this in this browser. Sign in as that one to go on, or discard it.',
  step: {
    open: 'Waits',
    sign: 'Sign in your wallet',
    now: 'Under way',
    sent: 'Sent',
    done: 'Done',
    failed: 'Failed',
    over: 'The chain refused it',
  },
} as const;
