import { setTimeout as sleep } from 'node:timers/promises';
import type { LayerZero } from '@mintage/protocol';
import { type Hex, numberToHex } from 'viem';
import type { DevAccounts } from '../accounts.ts';
import { rpcRequest } from '../rpc.ts';
import { type Packet, packetOf, packetSent } from './packet.ts';
import { type RelayedChain, type Workers, workersOn } from './workers.ts';

export interface RelayerOptions {
  chains: readonly RelayedChain[];
  layerZero: LayerZero;
  accounts: Pick<DevAccounts, 'layerZero' | 'verifierA' | 'verifierB'>;
  /** Blocks of the source, the one that holds the message among them, before it is verified. */
  confirmations: number;
  /** Pause between two looks at a chain, milliseconds. */
  pollMs?: number;
  /** One line about what goes wrong. */
  log?: (line: string) => void;
  /** In place of the honest workers on a chain; for tests. */
  workersFor?: (chain: RelayedChain, honest: Workers) => Workers;
}

export interface Relayer {
  /**
   * Rests after what it is doing now, so that nothing but the caller brings messages.
   *
   * @returns What lets it go on.
   */
  rest(): Promise<() => void>;
  /** Ends after what it is doing now. */
  stop(): Promise<void>;
}

/** A message that is not delivered yet. */
interface Open {
  packet: Packet;
  attempts: number;
  /** Not again before, milliseconds. */
  notBefore: number;
}

/**
 * Brings messages between local chains: two verifiers and an executor in one process. It keeps nothing: what a message still
 * needs is read from the chain that it goes to, so a relayer that is killed and started again loses and doubles none. Messages
 * are read at the depth of their confirmations, where a reorganisation no longer takes them away.
 */
export const startRelayer = (options: RelayerOptions): Relayer => {
  const { chains, layerZero, accounts, confirmations, pollMs = 200, log = () => {} } = options;
  const ended = new AbortController();
  let resting = Promise.withResolvers<void>();
  resting.resolve();
  /** What each chain's loop is doing now. */
  const rounds = new Map<RelayedChain, Promise<void>>();
  const workers = new Map(
    chains.map((chain) => {
      const honest = workersOn(chain, layerZero, accounts, BigInt(confirmations));
      return [chain.eid, options.workersFor?.(chain, honest) ?? honest];
    }),
  );

  const follow = async (source: RelayedChain): Promise<void> => {
    let from = 0;
    const open: Open[] = [];
    const readOn = async (): Promise<void> => {
      const head = Number(await rpcRequest(source.rpcUrl, 'eth_blockNumber', []));
      const to = head - confirmations + 1;
      if (to < from) return;
      const packets = await packetsIn(source, layerZero.endpoint, from, to);
      open.push(...packets.map((packet) => ({ packet, attempts: 0, notBefore: 0 })));
      from = to + 1;
    };
    const round = async (): Promise<void> => {
      await readOn().catch((error: Error) => {
        if (!ended.signal.aborted) log(`The relayer cannot read chain ${source.eid}: ${error.message}`);
      });
      await bring(open);
    };
    while (!ended.signal.aborted) {
      await resting.promise;
      const doing = round();
      rounds.set(source, doing);
      await doing;
      await sleep(pollMs, undefined, { signal: ended.signal }).catch(() => {}); // ended meanwhile
    }
  };

  /** One step for each open message, in order, because a delivery waits until all before it are verified. */
  const bring = async (open: Open[]): Promise<void> => {
    for (const one of Array.from(open)) {
      if (ended.signal.aborted) return;
      if (Date.now() < one.notBefore) continue;
      const { packet } = one;
      const to = workers.get(packet.dstEid);
      try {
        if (to === undefined || (await advance(to, packet))) open.splice(open.indexOf(one), 1);
        else wait(one);
      } catch (error) {
        wait(one);
        log(`Message ${packet.nonce} from ${packet.srcEid} to ${packet.dstEid}: ${(error as Error).message}`);
      }
    }
  };

  const wait = (one: Open): void => {
    one.attempts += 1;
    one.notBefore = Date.now() + Math.min(longestPauseMs, pollMs * 2 ** one.attempts);
  };

  const running = Promise.all(chains.map(follow));
  return {
    async rest() {
      resting = Promise.withResolvers();
      await Promise.all(rounds.values());
      return resting.resolve;
    },
    async stop() {
      ended.abort();
      resting.resolve();
      await running;
    },
  };
};

const longestPauseMs = 30_000;

/** @returns Whether it is delivered. */
const advance = async (workers: Workers, packet: Packet): Promise<boolean> => {
  const state = await workers.state(packet);
  if (state === 'delivered') return true;
  if (state === 'unverified') {
    await workers.verify(packet, 'verifierA');
    await workers.verify(packet, 'verifierB');
    await workers.commit(packet);
  }
  await workers.deliver(packet);
  return (await workers.state(packet)) === 'delivered';
};

const packetsIn = async (source: RelayedChain, endpoint: Hex, from: number, to: number): Promise<Packet[]> => {
  const filter = { address: endpoint, topics: [packetSent], fromBlock: numberToHex(from), toBlock: numberToHex(to) };
  const logs = (await rpcRequest(source.rpcUrl, 'eth_getLogs', [filter])) as { data: Hex }[];
  return logs.map(packetOf);
};
