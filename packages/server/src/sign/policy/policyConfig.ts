/** What the operator decides about what is signed. docs/configuration.md */
export interface PolicyConfig {
  /** Hours after the creation of a budget until its recipients count. */
  recipientDelayHours: number;
  /** Highest builder fee signed without acknowledgement, basis points; a higher one only when the caller repeats it. */
  maxBuilderFeeBps: number;
  /** Most whole dollars that the Launchpad is approved beyond what the same request spends. */
  maxApprovalUsd: number;
  /** Most whole dollars that leave a wallet in a day (UTC); 0: no cap; null: what is usual on each chain. */
  maxUsdPerDay: number | null;
  /** Most native coins that leave a wallet in a day, by slug, as decimal text; `0`: no cap. Other chains have what is usual there. */
  maxCoinsPerDay: ReadonlyMap<string, string>;
}

export const defaultPolicy: PolicyConfig = {
  recipientDelayHours: 24,
  maxBuilderFeeBps: 100,
  maxApprovalUsd: 10_000,
  maxUsdPerDay: null,
  maxCoinsPerDay: new Map(),
};
