/** Where a token is at home. */
export const addressOf = (token: {
  primary_evm_address?: string | null;
  primary_solana_address?: string | null;
}): string | null => token.primary_evm_address ?? token.primary_solana_address ?? null;
