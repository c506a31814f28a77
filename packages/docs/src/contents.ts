/**
 * The order of the hand-written pages, by file. A guide that is not named here comes last among the guides, so that a new one
 * is never left out.
 */
export const guideOrder: readonly string[] = [
  'docs/guides/first-token.md',
  'docs/guides/from-an-empty-folder.md',
  'docs/guides/signing-with-a-wallet.md',
  'docs/guides/without-a-wallet.md',
  'docs/guides/how-the-money-flows.md',
  'docs/guides/streams-and-webhooks.md',
  'docs/guides/agents-and-budgets.md',
  'docs/guides/embedding-a-trade-box.md',
  'docs/guides/builder-codes-and-referrals.md',
  'docs/guides/self-hosting.md',
  'docs/guides/verifying.md',
  'docs/guides/threat-model.md',
];

/** What is installed from a registry. */
export const packageOrder: readonly string[] = ['packages/sdk/README.md', 'packages/cli/README.md'];

/** What who runs the service, or looks into it, reads. */
export const operatorOrder: readonly string[] = [
  'docs/running.md',
  'docs/configuration.md',
  'docs/mainnets.md',
  'docs/streams.md',
  'docs/webhooks.md',
  'docs/tools.md',
  'docs/architecture.md',
  'docs/contracts.md',
  'docs/attacks.md',
];

/** Those named first, in that order; then the others by name. */
export const inOrder = (files: readonly string[], order: readonly string[]): string[] =>
  files.toSorted((one, other) => place(one, order) - place(other, order) || (one < other ? -1 : 1));

const place = (file: string, order: readonly string[]): number => {
  const index = order.indexOf(file);
  return index === -1 ? order.length : index;
};
