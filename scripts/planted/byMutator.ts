import type { PlantedBug } from './bug.ts';

/**
 * Drawn by a mutation tool: `instrument` of `@stryker-mutator/instrumenter` 9.6.1 with all its mutators but those of texts (StringLiteral,
 * Regex). Seed 43 of mulberry32, once for each file and once for the mutant within it: of `packages/<name>/src/**.{ts,tsx}` by their number of
 * lines, without tests, declarations, `generated` and `messages`. The first twenty that change what the program does; left out:
 *
 * - rest/app.ts, `trustedProxies.length >= 0`: an empty list trusts nobody, as `false` does.
 * - people/Composer.tsx, `files` for `files.slice(0, …)`: the next lines take no more pictures than fit.
 */
export const byMutator: readonly PlantedBug[] = [
  {
    id: 'dialog-stays-shut',
    bug: 'A dialog never opens.',
    file: 'packages/web/src/ui/useModal.ts',
    noticedBy: 'packages/web/src/ui/Dialog.test.ts',
    from: 'if (isOpen && !current?.open) current?.showModal();',
    to: 'if (isOpen && current?.open) current?.showModal();',
  },
  {
    id: 'no-chain-starts',
    bug: 'No local chain starts.',
    file: 'packages/devnet/src/chains.ts',
    noticedBy: 'packages/server/test/index/devnet.test.ts',
    from: '(slug, index) => startChain(evmChain(slug), join(dataDir, slug), index, accounts, options)',
    to: '() => undefined',
  },
  {
    id: 'more-accounts',
    bug: 'A call on Solana with too many accounts is taken, and one that may have more is refused.',
    file: 'packages/protocol/src/solana/readPrepared.ts',
    noticedBy: 'packages/solana/test/prepared.test.ts',
    from: "!('more' in instructions[decoded.name])",
    to: "'more' in instructions[decoded.name]",
  },
  {
    id: 'no-figures',
    bug: 'The trade box has no figures.',
    file: 'packages/web/src/features/trade/figures.ts',
    noticedBy: 'packages/web/src/features/trade/figures.test.ts',
    from: `{
  const priced = priceOrder(state, { ...terms, builderBps: 0n, ...named });
  const { trade, at } = priced;
  return {
    ...priced,
    limit: limitsOf(trade, BigInt(slippageBps), null).ofTrade,
    about: isExactIn(terms.kind) ? trade.amountOut : trade.amountIn,
    impactBps: impactBps(at, trade),
  };
}`,
    to: '{}',
  },
  {
    id: 'notes-everywhere',
    bug: 'Chains that are the real ones get the note of a local one.',
    file: 'packages/server/src/api/handlers/chains.ts',
    noticedBy: 'packages/server/src/api/handlers/chains.test.ts',
    from: '!local || standIn === null',
    to: 'false',
  },
  {
    id: 'null-address',
    bug: 'Logs are asked for by addresses that a deployment does not have.',
    file: 'packages/server/src/index/evm/addressBook.ts',
    noticedBy: 'packages/server/test/index/devnet.test.ts',
    from: '...[book.launchpad, book.poolManager, book.tokenBridge, book.layerZeroEndpoint].filter((address) => address !== null),',
    to: '...[book.launchpad, book.poolManager, book.tokenBridge, book.layerZeroEndpoint].filter((address) => false),',
  },
  {
    id: 'fee-of-a-sale',
    bug: 'A sale shows the fee of the opening window, and so does a graduated token.',
    file: 'packages/web/src/features/trade/figures.ts',
    noticedBy: 'packages/web/src/features/trade/figures.test.ts',
    from: "curve === null || side === 'sell'",
    to: "curve === null && side === 'sell'",
  },
  {
    id: 'stored-market',
    bug: 'The market of a token on Solana is the account as it is stored.',
    file: 'packages/server/src/chain/solana/readMarket.ts',
    noticedBy: 'packages/server/test/families/solana.test.ts',
    from: 'stored && marketOf(stored, block, facts, deployment)',
    to: 'stored || marketOf(stored, block, facts, deployment)',
  },
  {
    id: 'embed-referral',
    bug: 'An embedded trade box loses who referred.',
    file: 'packages/web/src/embedPage.tsx',
    noticedBy: 'packages/server/test/api/surfaces/pages/everyPage.test.ts',
    from: "const addressIn = (text: string | null): string | null => (isAddress(text ?? '') ? text : null);",
    to: "const addressIn = (text: string | null): string | null => (isAddress(text && '') ? text : null);",
  },
  {
    id: 'empty-message',
    bug: 'A message for Solana lacks its lists.',
    file: 'packages/server/src/chain/solana/message/compile.ts',
    noticedBy: 'packages/server/test/chain/solana/market.test.ts',
    from: '(parts: readonly Uint8Array[]): Uint8Array => joinBytes(count(parts.length), ...parts)',
    to: '() => undefined',
  },
  {
    id: 'no-bump',
    bug: 'No bump gives an address of the launchpad on Solana.',
    file: 'packages/protocol/src/solana/derive.ts',
    noticedBy: 'packages/server/test/chain/solana/market.test.ts',
    from: 'if (!isOnCurve(bytes)) return { address: toBase58(bytes), bump };',
    to: 'if (false) return { address: toBase58(bytes), bump };',
  },
  {
    id: 'unknown-code',
    bug: 'An error whose code is newer than the client has no kind.',
    file: 'packages/protocol/src/schemas/errors.ts',
    noticedBy: 'packages/protocol/src/schemas/errors.test.ts',
    from: "{ status: 0, retryable: false, next: 'Bring the client up to date.' }",
    to: '{}',
  },
  {
    id: 'unknown-chain',
    bug: 'A page breaks at a chain that it does not know.',
    file: 'packages/web/src/ui/chains.tsx',
    noticedBy: 'packages/web/src/ui/chains.test.ts',
    from: '{look?.letter ?? slug.charAt(0).toUpperCase()}',
    to: '{look.letter ?? slug.charAt(0).toUpperCase()}',
  },
  {
    id: 'alert-unread',
    bug: 'The alert of a failed delivery is not read from its log.',
    file: 'packages/server/src/index/handlers/LzReceiveAlert.ts',
    noticedBy: 'packages/server/src/index/evm/decode.test.ts',
    from: `{
    emitter: 'layerZeroEndpoint',
    decode: ({ data }) => ({
      // The origin's three words, then what is not indexed in order. Anyone may emit it, with any numbers.
      srcEid: numberAt(data, 0) as Eid,
      nonce: uintAt(data, 2),
      guid: wordHexAt(data, 3),
      reason: bytesAt(data, 8, longestReason),
    }),
  }`,
    to: '{}',
  },
  {
    id: 'no-tools',
    bug: 'No operation is a tool.',
    file: 'packages/protocol/src/tools/excluded.ts',
    noticedBy: 'packages/protocol/src/tools/tools.test.ts',
    from: 'operation.produces !== undefined',
    to: 'true',
  },
  {
    id: 'no-sign-in-page',
    bug: 'The page on which a user signs in for an application is missing.',
    file: 'packages/server/src/api/surfaces/oauth/interaction.ts',
    noticedBy: 'packages/server/test/api/surfaces/oauth/badFlows.test.ts',
    from: `(context: OauthContext, { application, path, redirectUri }: Flow, problem?: string): Page =>
  signInPage({
    config: context.config,
    application,
    path,
    redirectUri,
    hasPasskeys: hasPasskeys(context),
    ...(problem === undefined ? {} : { problem }),
  })`,
    to: '() => undefined',
  },
  {
    id: 'pool-fee-on-curve',
    bug: 'The signer prices a buy on a curve by the fee of the opening window even where there is no curve.',
    file: 'packages/server/src/sign/policy/market.ts',
    noticedBy: 'packages/server/src/sign/policy/market.test.ts',
    from: 'const feeBps = curve === null ? (hasTierFee(pool) ? tierPoolFeeBps : normalBps) : isBuy(kind) ? buyFeeBps : normalBps;',
    to: 'const feeBps = false ? (hasTierFee(pool) ? tierPoolFeeBps : normalBps) : isBuy(kind) ? buyFeeBps : normalBps;',
  },
  {
    id: 'no-new-account',
    bug: 'The wallet of the demo cannot make a new account.',
    file: 'packages/web/src/lib/demoWallet/accounts.ts',
    noticedBy: 'packages/web/src/lib/demoWallet/accounts.test.ts',
    from: "{ words: 'A new account', isMain: true, value: null }",
    to: '{}',
  },
  {
    id: 'seeds-unasked',
    bug: 'A local Solana is seeded only where no seed was asked for.',
    file: 'packages/devnet/src/solana/localSolana.ts',
    noticedBy: 'packages/devnet/src/solana/localSolana.test.ts',
    from: 'seed !== undefined',
    to: 'seed === undefined',
  },
  {
    id: 'keys-for-ever',
    bug: 'Signing keys that are over are never removed.',
    file: 'packages/server/src/api/accounts/signingKeys.ts',
    noticedBy: 'packages/server/src/api/accounts/signingKeys.test.ts',
    from: 'if (over.length > 0) await ifWritable(() => removeKeys(db, over));',
    to: 'if (false) await ifWritable(() => removeKeys(db, over));',
  },
];
