/** What the embedded wallets may sign. docs/decisions/0024-budgets.md, 0036-what-is-signed.md */
export { type Action, type Approval, isEndless, recipientsOf, type StepBytes, type StepReader } from './actions.ts';
export { type Admission, type AdmitOptions, admit } from './admit.ts';
export { judge, type Verdict, type World } from './judge.ts';
export { defaultPolicy, type PolicyConfig } from './policyConfig.ts';
export { type Refusal, revoked } from './refusal.ts';
