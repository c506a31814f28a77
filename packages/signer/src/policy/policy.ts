/** What the embedded wallets may sign. */
export { type AdmitOptions, admit, type Wish } from './admit.ts';
export { type Budget, judge, type Refusal, type Verdict, type World } from './judge.ts';
export type { StepBytes } from './readActions.ts';
export { type Reservation, release, reserve } from './reserve.ts';
