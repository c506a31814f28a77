import { Pool } from 'undici';
import { type Answered, type Fault, faultOf, isPlanned503 } from './judge.ts';
import { choicesOf } from './random.ts';
import { type Attempt, attemptsOn } from './request.ts';
import { fuzzSocket } from './socket.ts';
import type { Target } from './target.ts';

export interface FuzzOptions {
  seed: number;
  requests: number;
  /** The number of the first one: a run that was cut off goes on there. */
  from?: number;
  /** Requests at once. */
  lanes?: number;
  /** Of the requests this many are messages of sockets; default: one in ten. */
  messages?: number;
  /** Told now and then. */
  tell?: (line: string) => void;
}

export interface FuzzOutcome {
  requests: number;
  seconds: number;
  /** How often each status was answered; 0: none was. */
  statuses: ReadonlyMap<number, number>;
  /** How many ways in were tried. */
  ways: number;
  planned503: number;
  faults: readonly Fault[];
}

const mostFaults = 20;
const patienceMs = 60_000;

/** Sends hostile requests to a running service, each made from the seed and its own number, and judges every answer. */
export const fuzz = async (target: Target, options: FuzzOptions): Promise<FuzzOutcome> => {
  const { seed, requests, from = 0, lanes = 16, messages = Math.ceil(requests / 10), tell } = options;
  const started = performance.now();
  const statuses = new Map<number, number>();
  const ways = new Set<string>();
  const faults: Fault[] = [];
  const pool = new Pool(target.url, { connections: lanes, headersTimeout: patienceMs, bodyTimeout: patienceMs });
  const attemptOf = attemptsOn(target);
  const overHttp = from + requests - messages;
  let next = from;
  let planned503 = 0;

  const lane = async (): Promise<void> => {
    while (next < overHttp && faults.length < mostFaults) {
      const number = next;
      next += 1;
      const attempt = attemptOf(choicesOf(seed, number));
      ways.add(attempt.name);
      const answer = await send(pool, attempt);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (isPlanned503(answer)) planned503 += 1;
      const what = answer.status === 0 ? answer.text : faultOf(answer, target.secrets);
      if (what !== null) faults.push({ number, what, attempt: spelled(attempt), answer: answer.text.slice(0, 1_000) });
      if ((number - from + 1) % 10_000 === 0) tell?.(`${number - from + 1} requests, ${faults.length} faults`);
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
    if (faults.length < mostFaults) faults.push(...(await fuzzSocket(target, seed, messages)));
  } finally {
    await pool.destroy();
  }
  return {
    requests: next - from + messages,
    seconds: (performance.now() - started) / 1000,
    statuses,
    ways: ways.size,
    planned503,
    faults,
  };
};

/** Status 0: no answer, and why. */
const send = async (pool: Pool, { method, path, headers, body }: Attempt): Promise<Answered> => {
  try {
    const answer = await pool.request({ method: method as 'GET', path, headers, body: body ?? null });
    const type = String(answer.headers['content-type'] ?? '');
    // A stream of events has no end; a tool's answer comes as one too, and ends.
    if (type.startsWith('text/event-stream') && method !== 'POST') {
      answer.body.on('error', () => undefined).destroy();
      return { status: answer.statusCode, type, text: '' };
    }
    return { status: answer.statusCode, type, text: await answer.body.text() };
  } catch (error) {
    return { status: 0, type: '', text: `no answer: ${(error as Error).message}` };
  }
};

const spelled = ({ name, method, path, headers, body }: Attempt): string =>
  `${name}: ${JSON.stringify({ method, path, headers, body: body?.toString().slice(0, 3_000) })}`;

/** For people. */
export const toldOf = ({ requests, seconds, statuses, ways, planned503, faults }: FuzzOutcome): string =>
  [
    `${requests} requests by ${ways} ways in ${seconds.toFixed(0)} s, ${(requests / seconds).toFixed(0)} a second:`,
    [...statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', '),
    `(${planned503} planned 503), ${faults.length} faults`,
    ...faults.map(({ number, what, attempt, answer }) => `\n${number} ${what}\n  ${attempt}\n  ${answer}`),
  ].join(' ');
