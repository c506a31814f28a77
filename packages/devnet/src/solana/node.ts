import { LiteSVM } from 'litesvm';
import { airdropOf, openAirdrop } from './airdrop.ts';
import { slotTime, wallTime } from './clock.ts';
import { Faults } from './faults.ts';
import { keep, keptIn } from './kept.ts';
import { genesis, Ledger } from './ledger.ts';
import { State } from './machine/state.ts';
import { accountMethods } from './methods/accounts.ts';
import { chainMethods } from './methods/chain.ts';
import { historyMethods } from './methods/history.ts';
import { sendingMethods } from './methods/sending.ts';
import { type TestControls, testMethods } from './methods/testing.ts';
import { startServer } from './server.ts';
import { Subscriptions } from './subscriptions.ts';

export interface SolanaNodeOptions {
  /** Port of requests and subscriptions, and the variable that sets it; absent: any free one. */
  port?: { number: number; variable: string };
  /** Kept between runs: read at the start when there is something, written at the end and every 30 seconds. */
  folder?: string;
  /** The folder is read but never written: what happens in this run is forgotten at its end. */
  frozen?: boolean;
  /** Milliseconds of a slot; default 400, as on a cluster. */
  slotMs?: number;
  /** Blocks come only when told to, and the chain's time moves by slots. */
  byHand?: boolean;
  /** Blocks on top of a final one; default 32, as on a cluster. */
  finalAfter?: number;
  /** Every so many slots one has no block; none when absent. */
  skipEvery?: number;
  /** Unix seconds of the first block of a new chain that is mined by hand; default now. */
  genesisTime?: number;
  /** Decides the genesis hash of a new chain. */
  name?: string;
  /** One line about what happens. */
  log?: (line: string) => void;
}

export interface SolanaNode extends TestControls {
  url: string;
  /** Of subscriptions. */
  socketUrl: string;
  port: number;
  /** Writes the chain into a folder that another node can start from. */
  save(folder: string): void;
  /** What grows with use, for those who measure. */
  counts(): { blocks: number; keptAccounts: number; subscriptions: number };
  stop(): Promise<void>;
}

const keepEveryMs = 30_000;

/**
 * A Solana cluster of one node in this process: litesvm behind the cluster's JSON-RPC and its subscriptions. Commitments
 * follow each other by blocks: the newest is processed, the one below confirmed, the one `finalAfter` below final.
 */
export const startSolanaNode = async (options: SolanaNodeOptions = {}): Promise<SolanaNode> => {
  const { folder, slotMs = 400, byHand = false, finalAfter = 32, skipEvery, log = () => {} } = options;
  const kept = folder === undefined ? null : keptIn(folder, log);
  const { name = 'mintage devnet solana', genesisTime = Math.floor(Date.now() / 1000) } = options;
  const record = kept?.record ?? genesis(name, genesisTime);
  const state = kept?.state ?? new State(new LiteSVM());
  const giver = await openAirdrop(state);
  const time = byHand ? slotTime(record.blocks.at(-1)?.time ?? genesisTime, slotMs) : wallTime();
  const ledger = new Ledger(state, record, time, { finalAfter, skipEvery });
  const subscriptions = new Subscriptions(ledger);
  const faults = new Faults();

  const controls: Omit<TestControls, 'cutSockets'> = {
    mine(blocks = 1) {
      for (let block = 0; block < blocks; block += 1) ledger.mine();
      return ledger.tip.slot;
    },
    skipSlots: (slots) => ledger.skip(slots),
    setTime: (seconds) => time.set(seconds),
    addSeconds: (seconds) => time.set(time.seconds + seconds),
    reorg(blocks, how) {
      const forgotten = ledger.reorg(blocks, how);
      subscriptions.forked();
      return forgotten;
    },
    fault: (fault) => faults.add(fault),
    clearFaults: () => faults.clear(),
  };
  const cutSockets = (): void => server.cutSockets();
  const server = await startServer({
    port: options.port,
    methods: {
      ...chainMethods(ledger),
      ...accountMethods(ledger),
      ...historyMethods(ledger),
      ...sendingMethods(ledger, airdropOf(ledger, giver)),
      ...testMethods({ ...controls, cutSockets }),
    },
    subscriptions,
    faults,
  });

  const save = (to: string): void => keep(to, ledger);
  const keepOwn = (): void => {
    if (folder !== undefined && !options.frozen) save(folder);
  };
  // The clock of a new chain is set by its first block.
  if (kept === null) ledger.mine();
  const timers = byHand ? [] : [setInterval(() => ledger.tick(), slotMs), setInterval(keepOwn, keepEveryMs)];
  return {
    ...controls,
    cutSockets,
    url: `http://127.0.0.1:${server.port}`,
    socketUrl: `ws://127.0.0.1:${server.port}`,
    port: server.port,
    save,
    counts: () => ({
      blocks: ledger.blocks.length,
      keptAccounts: state.keptAccounts,
      subscriptions: subscriptions.size,
    }),
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await server.close();
      keepOwn();
    },
  };
};
