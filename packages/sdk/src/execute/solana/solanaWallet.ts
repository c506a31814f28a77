/** What executes on Solana. */
export interface SolanaWallet {
  /** Base58. */
  address: string;
  /**
   * Signs and sends a whole transaction, which has zeros in the place of its signature.
   *
   * @param chainSlug - The cluster that it is for.
   * @param signed - To be called with the signature before anything is sent, and waited for, by a wallet that knows it by then.
   * @returns The signature, base58.
   * @throws MintageError, or any error of which `isRefusal` says that its user declined: certainly nothing was sent. Any other error
   *   leaves that open until the transaction has expired.
   */
  signAndSend(
    transaction: Uint8Array,
    chainSlug: string,
    signed?: (signature: string) => Promise<void>,
  ): Promise<string>;
}
