/** The chain's history is not what the tables hold as final: nothing may be rewritten without a person. */
export class FinalityError extends Error {
  constructor(number: number, what = "the chain's blocks differ from ours at or below the final block") {
    super(`${what} ${number}; after a look, \`npm run reindex\` reads the chain anew`);
    this.name = 'FinalityError';
  }
}
