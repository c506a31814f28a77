/** What the operator decides about what is signed. docs/configuration.md */
export interface PolicyConfig {
  /** Hours after the creation of a budget until its recipients count. */
  recipientDelayHours: number;
  /** Highest builder fee signed without acknowledgement, basis points; a higher one only when the caller repeats it. */
  maxBuilderFeeBps: number;
  /** Most whole dollars that the Launchpad is approved beyond what the same request spends. */
  maxApprovalUsd: number;
}

export const defaultPolicy: PolicyConfig = { recipientDelayHours: 24, maxBuilderFeeBps: 100, maxApprovalUsd: 10_000 };
