/** What the operator decides about what is signed. docs/configuration.md */
export interface PolicyConfig {
  /** How long after a budget was made its recipients begin to count. */
  recipientDelayHours: number;
  /** A higher builder fee is signed only when the caller repeats it. */
  maxBuilderFeeBps: number;
  /** Most whole dollars that the Launchpad is approved beyond what the same request spends. */
  maxApprovalUsd: number;
}

export const defaultPolicy: PolicyConfig = { recipientDelayHours: 24, maxBuilderFeeBps: 100, maxApprovalUsd: 10_000 };
