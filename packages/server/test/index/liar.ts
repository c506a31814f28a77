import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { patientServer } from '@mintage/devnet/patientServer';
import type { Random } from './random.ts';

/**
 * A provider between us and a real chain, over a real socket: it hands on what is asked and answers the truth, until it
 * is told a lie. Subscriptions over WebSocket pass through it as they are.
 */
export interface Liar {
  url: string;
  /** What it tells now; undefined: the truth. */
  lie: Lie | undefined;
  /** Whether new blocks are announced over WebSocket; false also ends the sockets that are open. */
  announces: boolean;
  /** Calls by method since the start. */
  asked: Map<string, number>;
  /** Times that the lie changed or took the place of an answer. */
  lied: number;
  stop(): Promise<void>;
}

export interface Call {
  method: string;
  params: readonly unknown[];
}

export interface Lie {
  /** What stands in the place of a call's honest result; the same value is no lie. */
  answer?(call: Call, result: unknown): unknown;
  /** Takes the whole request's place. @returns False to let it be answered as usual. */
  respond?(response: ServerResponse, calls: readonly Call[], honest: () => Promise<string>): Promise<boolean> | boolean;
}

/** A result that is an error instead. */
export class Refusal {
  readonly error: { code: number; message: string };

  constructor(code: number, message: string) {
    this.error = { code, message };
  }
}

interface Request extends Call {
  id: unknown;
}
interface Answer {
  id: unknown;
  result?: unknown;
  error?: unknown;
}

const listOf = <T>(one: T | T[]): T[] => (Array.isArray(one) ? one : [one]);

export const startLiar = async (target: string, lie?: Lie): Promise<Liar> => {
  const sockets = new Set<Socket>();
  const server = createServer(patientServer, (request, response) => {
    serve(liar, target, request, response).catch(() => response.destroy());
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!liar.announces) return void socket.destroy();
    const { hostname, port } = new URL(target);
    const upstream = connect(Number(port), hostname, () => {
      const headers = request.rawHeaders.flatMap((text, i) =>
        i % 2 === 0 ? [`${text}: ${request.rawHeaders[i + 1]}`] : [],
      );
      upstream.write(`GET ${request.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const one of [socket, upstream]) {
      sockets.add(one);
      one.on('error', () => one.destroy());
      one.on('close', () => {
        sockets.delete(one);
        (one === socket ? upstream : socket).destroy();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  let announces = true;
  const liar: Liar = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie,
    get announces() {
      return announces;
    },
    set announces(on) {
      announces = on;
      if (!on) for (const socket of sockets) socket.destroy();
    },
    asked: new Map(),
    lied: 0,
    stop: async () => {
      liar.announces = false;
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
  return liar;
};

const serve = async (liar: Liar, target: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = Buffer.concat(await request.toArray()).toString();
  const calls = listOf(JSON.parse(body) as Request | Request[]);
  for (const { method } of calls) liar.asked.set(method, (liar.asked.get(method) ?? 0) + 1);
  const { lie } = liar;
  const honest = async (): Promise<string> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const text = await (await fetch(target, init)).text();
    return lie?.answer === undefined ? text : rewritten(liar, lie.answer, calls, text);
  };
  if (lie?.respond !== undefined && (await lie.respond(response, calls, honest))) {
    liar.lied += 1;
    return;
  }
  response.setHeader('content-type', 'application/json');
  response.end(await honest());
};

const rewritten = (liar: Liar, change: NonNullable<Lie['answer']>, calls: readonly Request[], text: string): string => {
  const parsed = JSON.parse(text) as Answer | Answer[];
  const byId = new Map(calls.map((call) => [call.id, call]));
  const answers = listOf(parsed).map((answer) => {
    const call = byId.get(answer.id);
    if (call === undefined || answer.error !== undefined) return answer;
    const before = JSON.stringify(answer.result);
    const result = change(call, answer.result);
    if (JSON.stringify(result) !== before) liar.lied += 1;
    return { jsonrpc: '2.0', id: answer.id, ...(result instanceof Refusal ? result : { result }) };
  });
  return JSON.stringify(Array.isArray(parsed) ? answers : answers[0]);
};

// ---------------------------------------------------------------- what it may tell

export interface RpcLog {
  address: string;
  topics: string[];
  data: string;
  blockNumber: string;
  blockHash: string;
  logIndex: string;
  [field: string]: unknown;
}
interface RpcHeader {
  number: string;
  hash: string;
  parentHash: string;
  timestamp: string;
  logsBloom: string;
  [field: string]: unknown;
}

const hex = (value: number | bigint): string => `0x${value.toString(16)}`;
const otherHash = (hash: string): string => `0x${hash.slice(2).split('').toReversed().join('')}`;

interface RpcReceipt {
  logs: RpcLog[];
}

/** Changes the logs of `eth_getLogs`. */
const aboutFilters = (change: (logs: RpcLog[]) => RpcLog[]): Lie => ({
  answer: ({ method }, result) => (method === 'eth_getLogs' ? change(result as RpcLog[]) : result),
});

/** Changes logs wherever they are shown, in receipts too. */
const aboutLogs = (change: (logs: RpcLog[]) => RpcLog[]): Lie => {
  const inReceipt = (receipt: RpcReceipt) => ({ ...receipt, logs: change(receipt.logs) });
  return {
    answer: ({ method }, result) => {
      if (result === null) return result;
      if (method === 'eth_getLogs') return change(result as RpcLog[]);
      if (method === 'eth_getTransactionReceipt') return inReceipt(result as RpcReceipt);
      if (method === 'eth_getBlockReceipts') return (result as RpcReceipt[]).map(inReceipt);
      return result;
    },
  };
};

/** Changes every block that is asked for by number. */
const aboutHeaders = (change: (header: RpcHeader, tag: unknown) => unknown): Lie => ({
  answer: ({ method, params }, result) =>
    method === 'eth_getBlockByNumber' && result !== null ? change(result as RpcHeader, params[0]) : result,
});

/** Some of the logs; of those that are picked, what becomes of them. */
const some = (random: Random, share: number, change: (log: RpcLog) => RpcLog[]) =>
  aboutLogs((logs) => logs.flatMap((log) => (random.chance(share) ? change(log) : [log])));

const instead = (respond: (response: ServerResponse) => unknown): Lie => ({
  respond: (response) => {
    respond(response);
    return true;
  },
});

const lastWord = (data: string, value: bigint): string =>
  data.length < 66 ? data : `${data.slice(0, -64)}${value.toString(16).padStart(64, '0')}`;
const firstWord = (data: string, value: bigint): string =>
  data.length < 66 ? data : `0x${value.toString(16).padStart(64, '0')}${data.slice(66)}`;

const stranger = `0x${'5'.repeat(40)}`;
const strangersTopic = `0x${'5'.repeat(40).padStart(64, '0')}`;

/**
 * Leaves this share of the logs out, only from `eth_getLogs`: what a node with a damaged log index does. Each time the same
 * ones, however the questions are cut.
 */
export const dropsLogs = (random: Random, share: number): Lie => {
  const salt = random.whole(0, 2 ** 31);
  const isDropped = ({ blockNumber, logIndex }: RpcLog) =>
    hash('md5', `${salt} ${blockNumber} ${logIndex}`, 'buffer').readUInt32BE() < share * 2 ** 32;
  return aboutFilters((logs) => logs.filter((log) => !isDropped(log)));
};

/** Every kind of lie by its name; each call makes a new one. */
export const lies = {
  'leaves a tenth of the logs out': (random) => dropsLogs(random, 0.1),
  'leaves all logs out': () => aboutFilters(() => []),
  'leaves the last log out': () => aboutFilters((logs) => logs.slice(0, -1)),
  'leaves logs out of receipts too': (random) => some(random, 0.1, () => []),
  'leaves all logs out of receipts too': () => aboutLogs(() => []),
  'forges transfers and credits of our contracts': (random) =>
    some(random, 0.1, (log) => [
      log,
      { ...log, logIndex: hex(Number(log.logIndex) + 1000), data: firstWord(log.data, 10n ** 30n) },
    ]),
  'changes amounts': (random) => some(random, 0.1, (log) => [{ ...log, data: firstWord(log.data, 1n) }]),
  'changes the state after a trade': (random) => some(random, 0.1, (log) => [{ ...log, data: lastWord(log.data, 7n) }]),
  'changes who it was': (random) =>
    some(random, 0.1, (log) => [{ ...log, topics: [...log.topics.slice(0, -1), strangersTopic] }]),
  'says that another contract sent it': (random) => some(random, 0.1, (log) => [{ ...log, address: stranger }]),
  'puts logs into another transaction': (random) =>
    some(random, 0.1, (log) => [{ ...log, transactionHash: otherHash(log.blockHash) }]),
  'puts logs into another block': (random) =>
    some(random, 0.1, (log) => [{ ...log, blockNumber: hex(Number(log.blockNumber) - 1) }]),
  'puts logs on another branch': (random) =>
    some(random, 0.1, (log) => [{ ...log, blockHash: otherHash(log.blockHash) }]),
  'gives logs other times': (random) =>
    some(random, 0.1, (log) => [{ ...log, blockTimestamp: hex(Number(log.blockTimestamp ?? 0) + 3600) }]),
  'cuts the data off': (random) => some(random, 0.1, (log) => [{ ...log, data: log.data.slice(0, 34) }]),
  'renumbers logs': (random) => some(random, 0.1, (log) => [{ ...log, logIndex: hex(Number(log.logIndex) + 1) }]),
  'stands at an old head': () => {
    let old: RpcHeader | undefined;
    return aboutHeaders((header, tag) => {
      old ??= header;
      return tag === 'latest' ? old : Number(header.number) > Number(old.number) ? null : header;
    });
  },
  'shows an old head now and then': () => {
    const heads: RpcHeader[] = [];
    return aboutHeaders((header, tag) => {
      if (tag !== 'latest') return header;
      heads.push(header);
      return heads[Math.floor(heads.length / 2)];
    });
  },
  'claims a head that is not there': () =>
    aboutHeaders((header, tag) =>
      tag === 'latest'
        ? { ...header, number: hex(Number(header.number) + 1000), hash: otherHash(header.hash) }
        : header,
    ),
  'tells of a reorg that was none': () =>
    aboutHeaders((header) => ({ ...header, hash: otherHash(header.hash), parentHash: otherHash(header.parentHash) })),
  'gives blocks other hashes': (random) =>
    aboutHeaders((header) => (random.chance(0.2) ? { ...header, hash: otherHash(header.hash) } : header)),
  'gives blocks other parents': (random) =>
    aboutHeaders((header) => (random.chance(0.2) ? { ...header, parentHash: otherHash(header.parentHash) } : header)),
  'turns the time back': () =>
    aboutHeaders((header) => ({ ...header, timestamp: hex(Math.max(0, Number(header.timestamp) - 1_000_000)) })),
  'says a negative time': () => aboutHeaders((header) => ({ ...header, timestamp: '-0x1' })),
  'empties the bloom and leaves all logs out': () => ({
    answer: ({ method }, result) => {
      if (method === 'eth_getLogs') return [];
      if (method === 'eth_getBlockReceipts') return [];
      if (method !== 'eth_getBlockByNumber' || result === null) return result;
      return { ...(result as RpcHeader), logsBloom: `0x${'0'.repeat(512)}` };
    },
  }),
  'does not know blocks that are there': (random) =>
    aboutHeaders((header, tag) => (tag !== 'latest' && random.chance(0.5) ? null : header)),
  'answers with another block than asked': (random) =>
    aboutHeaders((header, tag) =>
      tag !== 'latest' && random.chance(0.3) ? { ...header, number: hex(Number(header.number) + 1) } : header,
    ),
  'is of another chain': () => ({
    answer: ({ method }, result) => (method === 'eth_chainId' ? '0x1' : result),
  }),
  'answers nonsense of every type': (random) => ({
    answer: () => random.pick([null, '', '0xzz', -1, {}, [], [null], [{}], true, 'latest']),
  }),
  'is no JSON': () => instead((response) => response.end('<html>502</html>')),
  'ends in the middle': () => ({
    respond: async (response, _, honest) => {
      const text = await honest();
      response.end(text.slice(0, text.length / 2));
      return true;
    },
  }),
  'answers 429': () => instead((response) => response.writeHead(429).end()),
  'answers 500': () => instead((response) => response.writeHead(500).end()),
  'refuses everything': () => ({ answer: () => new Refusal(-32000, 'missing trie node') }),
  'refuses every range': () => ({
    answer: ({ method }, result) =>
      method === 'eth_getLogs' ? new Refusal(-32005, 'query returned more than 10000 results') : result,
  }),
  'never answers': () => instead(() => {}),
  'trickles one byte at a time': () =>
    instead(async (response) => {
      for (const letter of '{"jsonrpc":"2.0","id":0,"result":"0x1"}') {
        if (response.destroyed) return;
        response.write(letter);
        await sleep(500, undefined, { ref: false });
      }
      response.end();
    }),
  'hangs up': () => instead((response) => response.destroy()),
  'answers only some calls of a batch': () => ({
    respond: async (response, _, honest) => {
      const parsed = JSON.parse(await honest()) as unknown;
      response.end(JSON.stringify(Array.isArray(parsed) ? parsed.slice(1) : []));
      return true;
    },
  }),
  'answers the calls of a batch as each other': () => ({
    respond: async (response, calls, honest) => {
      const parsed = JSON.parse(await honest()) as Answer | Answer[];
      if (!Array.isArray(parsed) || calls.length < 2) {
        response.end(JSON.stringify(parsed));
        return true;
      }
      const ids = parsed.map(({ id }) => id).toReversed();
      response.end(JSON.stringify(parsed.map((answer, i) => ({ ...answer, id: ids[i] }))));
      return true;
    },
  }),
} as const satisfies Record<string, (random: Random) => Lie>;
