/** The provider does not have the block that it is asked about. */
export class UnknownBlockError extends Error {
  constructor(block: number | string) {
    super(`the provider does not know block ${block}`);
    this.name = 'UnknownBlockError';
  }
}
