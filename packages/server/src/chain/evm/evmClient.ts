import { randomBytes } from 'node:crypto';
import { requireEvmDeployment, requireHex, tokenAddressOf } from '@mintage/protocol';
import { encodeFunctionData, erc20Abi } from 'viem';
import type { CreateChainClient } from '../chainClient.ts';
import { booksReader } from './booksReader.ts';
import { bridgeOn } from './bridge.ts';
import { call, getBalance, getTransactionCount } from './calls.ts';
import { decodeLaunchpadCalls } from './decodeTrade.ts';
import { createEvmRpc } from './evmRpc.ts';
import { findTransaction } from './findTransaction.ts';
import { readLens } from './readLens.ts';
import { tokenReader } from './readToken.ts';
import { readTransaction } from './readTransaction.ts';
import { inspectRecipient, paidBy } from './recipient.ts';
import { simulate } from './simulate.ts';
import { stepsOn } from './steps.ts';
import { tryCall } from './tryCall.ts';
import { voucherSigning } from './voucherSigning.ts';

/** A chain of the EVM as the API uses it. */
export const createEvmClient: CreateChainClient = ({ chain, rpcUrls, ...served }, options) => {
  const deployment = requireEvmDeployment(served.deployment);
  const { usd } = deployment;
  // By our own table and not by the operator's file, which may be of another chain (threat W7).
  const { slug, chainId, blockTimeMs } = chain;
  if (chainId === null) throw new Error(`${slug} has no EIP-155 id.`);
  const rpc = createEvmRpc({ slug, chainId, urls: rpcUrls, blockTimeMs, log: options.log });
  return {
    get up() {
      return rpc.up;
    },
    get providers() {
      return rpc.providers;
    },
    check: rpc.check,
    stop: rpc.stop,

    readMarket: (facts, trader, aloneWillDo) => readLens(rpc, deployment, facts, trader, aloneWillDo),
    nativeBalance: (wallet) => rpc.request(getBalance(requireHex(wallet), 'latest')),
    async usdBalance(wallet) {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [requireHex(wallet)] });
      return BigInt(await rpc.request(call({ to: usd, data }, 'latest')));
    },
    inspectRecipient: (address, asset) => inspectRecipient(rpc, address, asset),
    paidBy,
    solvency: booksReader(rpc, deployment),

    newSalt: () => `0x${randomBytes(32).toString('hex')}`,
    vouchesWithFirstBuy: true,
    tokenAddress: (creator, salt) => tokenAddressOf(deployment, requireHex(creator), salt),
    ...stepsOn(deployment),
    bridge: bridgeOn(rpc, chain.eid, deployment),
    decode: decodeLaunchpadCalls,
    signVoucher: voucherSigning({ slug, rpc, deployment }, options),

    simulate: (from, calls, how) => simulate({ rpc, deployment }, from, calls, how),
    tryCall: (wallet, one, openAt) => tryCall({ rpc, chain, deployment }, wallet, one, openAt),
    async notIn(blockNumber, wallet, steps) {
      const count = getTransactionCount(requireHex(wallet), blockNumber);
      const { answer: once } = await rpc.agreed((node) => node.request(count));
      // A node may count what comes in the next block when that is made while it answers, and never does so of an older one.
      const { answer: again } = await rpc.agreed((node) => node.request(count));
      return steps.filter(({ nonce }) => nonce === null || nonce >= Math.min(once, again));
    },

    findTransaction: (hash, wallets) => findTransaction({ rpc, slug, deployment }, hash, wallets),
    readTransaction: (hash) => readTransaction({ rpc, slug }, deployment, hash),
    readToken: tokenReader(rpc, deployment, options.now),
  };
};
