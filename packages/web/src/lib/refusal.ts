/** Whether a person said no, to a wallet (EIP-1193 4001) or to a passkey: nothing is wrong, and nothing happened. */
export const isRefusal = (error: unknown): boolean => {
  const { code, name, cause } = (error ?? {}) as { code?: unknown; name?: unknown; cause?: unknown };
  if (code === 4001 || name === 'NotAllowedError' || name === 'AbortError') return true;
  return cause !== undefined && cause !== error && isRefusal(cause);
};
