/** Providers contradict each other, and no answer has enough votes. */
export class DisagreementError extends Error {
  constructor(about: string, names: readonly string[]) {
    super(`providers disagree about ${about}: ${names.join(', ')}`);
    this.name = 'DisagreementError';
  }
}
