import { blockJson } from '../answers/blocks.ts';
import { type Block, blockhashAge, type Ledger } from '../ledger.ts';
import type { Config } from '../wire/params.ts';
import { refused } from '../wire/rpcError.ts';
import { blockFor, inContext, type Methods, version, votedBlockFor } from './method.ts';

const slotsInEpoch = 432_000;
/** A request for more slots than this is refused. */
const mostSlots = 500_000;

/** Where the chain is, and its blocks. */
export const chainMethods = (ledger: Ledger): Methods => ({
  getHealth: () => 'ok',
  getVersion: () => ({ 'solana-core': version, 'feature-set': 1 }),
  getGenesisHash: () => ledger.genesisHash,
  getSlot: (params) => blockFor(ledger, params.config(0)).slot,
  getBlockHeight: (params) => blockFor(ledger, params.config(0)).height,
  getTransactionCount: () => ledger.transactionCount,
  getFirstAvailableBlock: () => ledger.blocks[0]?.slot,
  getEpochInfo(params) {
    const { slot, height } = blockFor(ledger, params.config(0));
    return {
      absoluteSlot: slot,
      blockHeight: height,
      epoch: Math.floor(slot / slotsInEpoch),
      slotIndex: slot % slotsInEpoch,
      slotsInEpoch,
      transactionCount: ledger.transactionCount,
    };
  },
  getLatestBlockhash(params) {
    const block = blockFor(ledger, params.config(0));
    return inContext(block, { blockhash: block.hash, lastValidBlockHeight: block.height + blockhashAge });
  },
  isBlockhashValid(params) {
    const block = blockFor(ledger, params.config(1));
    return inContext(block, ledger.ageOf(params.text(0), block) !== null);
  },
  getBlock(params) {
    const slot = params.number(0);
    const config = params.config(1);
    return blockJson(blockAt(ledger, slot, config), config);
  },
  getBlockTime: (params) => blockAt(ledger, params.number(0), { commitment: 'confirmed' }).time,
  getBlocks(params) {
    const from = params.number(0);
    const to = params.numberOr(1, null);
    const newest = votedBlockFor(ledger, params.config(to === null && params.raw(1) != null ? 1 : 2)).slot;
    const last = Math.min(to ?? newest, newest);
    if (last - from > mostSlots) throw refused.params(`Slot range too large; max ${mostSlots}`);
    return ledger.blocks.map(({ slot }) => slot).filter((slot) => slot >= from && slot <= last);
  },
  getBlocksWithLimit(params) {
    const from = params.number(0);
    const newest = votedBlockFor(ledger, params.config(2)).slot;
    const slots = ledger.blocks.map(({ slot }) => slot).filter((slot) => slot >= from && slot <= newest);
    return slots.slice(0, params.number(1));
  },
});

/** @throws RpcError for a slot that has no block, has none yet, or has one no more. */
const blockAt = (ledger: Ledger, slot: number, config: Config): Block => {
  const newest = votedBlockFor(ledger, config).slot;
  const [first] = ledger.blocks;
  const block = ledger.block(slot);
  if (block !== undefined && slot <= newest) return block;
  if (first !== undefined && slot < first.slot) throw refused.cleanedUp(slot, first.slot);
  // Whether a slot stays empty is known when it is final.
  if (slot > ledger.at('finalized').slot) throw refused.notAvailable(slot);
  const age = ledger.tip.slot - slot;
  throw age > recentSlots ? refused.skippedLongAgo(slot) : refused.skipped(slot);
};

/** What a node holds itself; it looks for older slots in an archive, whose answer is another one. */
const recentSlots = 9_000;
