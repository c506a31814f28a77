/**
 * The chain's history differs from blocks that the tables hold as final; only an operator may decide to rewrite them.
 */
export class FinalityError extends Error {
  constructor(number: number, what = "the chain's blocks differ from ours at or below the final block") {
    super(`${what} ${number}; after a look, \`npm run reindex\` reads the chain anew`);
    this.name = 'FinalityError';
  }
}
