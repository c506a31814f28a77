import { requireBase58, requireSolanaDeployment } from '@mintage/protocol';
import { tokenAccountOf } from '@mintage/protocol/solana';
import type { CreateChainClient } from '../chainClient.ts';
import { tokensIn } from './accounts.ts';
import { booksReader } from './books.ts';
import { decodeOn } from './decode.ts';
import { launchpadOf } from './launchpad.ts';
import { mintAddress, newSalt } from './prepare/create.ts';
import { stepsOn } from './prepare/steps.ts';
import { readMarket } from './readMarket.ts';
import { readToken } from './readToken.ts';
import { inspectRecipient, paidByOn } from './recipient.ts';
import { getBalance, getMultipleAccounts, getSignatureStatuses } from './rpc/calls.ts';
import { createSolanaRpc } from './rpc/solanaRpc.ts';
import { simulate } from './simulate.ts';
import { findTransaction, readTransaction } from './transactions.ts';
import { tryCall } from './tryCall.ts';
import { voucherSigning } from './voucher.ts';

/** A chain of Solana as the API uses it. A block's number is its slot. */
export const createSolanaClient: CreateChainClient = ({ chain, rpcUrls, deployment, local = false }, options) => {
  const { slug } = chain;
  const launchpad = launchpadOf(requireSolanaDeployment(deployment));
  const rpc = createSolanaRpc({ chain, isLocal: local, urls: rpcUrls, log: options.log });
  return {
    get up() {
      return rpc.up;
    },
    get providers() {
      return rpc.providers;
    },
    check: rpc.check,
    stop: rpc.stop,

    readMarket: (facts, trader, aloneWillDo) => readMarket(rpc, launchpad, deployment, facts, trader, aloneWillDo),
    nativeBalance: (wallet) => rpc.request(getBalance(requireBase58(wallet))),
    async usdBalance(wallet) {
      const account = tokenAccountOf(requireBase58(wallet), launchpad.dollarMint, 'token');
      const { value } = await rpc.request(getMultipleAccounts([account], 'latest'));
      return tokensIn(value[0] ?? null);
    },
    inspectRecipient: (address) => inspectRecipient(rpc, launchpad, address),
    paidBy: paidByOn(launchpad),
    solvency: booksReader(rpc, launchpad),

    newSalt: (creator) => newSalt(launchpad, creator),
    tokenAddress: (creator, salt) => mintAddress(launchpad, creator, salt),
    vouchesWithFirstBuy: false,
    ...stepsOn({ rpc, launchpad, now: options.now }),
    bridge: null,
    decode: decodeOn(launchpad),
    signVoucher: voucherSigning({ slug, rpc, launchpad }, options),

    simulate: (from, calls, how) => simulate({ rpc, launchpad }, from, calls, how),
    tryCall: (wallet, call, openAt) => tryCall({ rpc, launchpad }, wallet, call, openAt),
    async notIn(blockNumber, _wallet, steps) {
      const signatures = steps.flatMap(({ hash }) => (hash === null ? [] : [hash]));
      if (signatures.length === 0) return steps;
      const { answer } = await rpc.agreed(async (node) => {
        const statuses = await node.request(getSignatureStatuses(signatures));
        return statuses.map((status) => status !== null && status.isConfirmed && status.slot <= blockNumber);
      });
      const landed = new Set(signatures.filter((_, at) => answer[at]));
      return steps.filter(({ hash }) => hash === null || !landed.has(hash));
    },

    findTransaction: (hash, wallets) => findTransaction({ rpc, slug }, hash, wallets),
    readTransaction: (hash) => readTransaction({ rpc, slug }, launchpad, hash),
    readToken: (token) => readToken(rpc, token),
  };
};
