import { once } from 'node:events';
import { Subscription } from '@mintage/protocol/operations';
import { WebSocket } from 'ws';
import { basePath } from '../../../src/api/wire/limits.ts';
import { bodies, corrupted, texts } from './hostile.ts';
import { type Fault, faultOf } from './judge.ts';
import { choicesOf } from './random.ts';
import type { Target } from './target.ts';
import { validValues } from './valid.ts';

/** With what is said beside them, fewer than a connection may say in a minute. */
const perConnection = 400;
const patienceMs = 30_000;
const lastId = 'the last';

/** Hostile messages over WebSockets, one connection after another. */
export const fuzzSocket = async (target: Target, seed: number, messages: number): Promise<Fault[]> => {
  const faults: Fault[] = [];
  for (let first = 0; first < messages && faults.length < 5; first += perConnection) {
    const count = Math.min(perConnection, messages - first);
    faults.push(...(await converse(target, seed, first, count)));
  }
  return faults;
};

const converse = async (target: Target, seed: number, first: number, count: number): Promise<Fault[]> => {
  const faults: Fault[] = [];
  const valid = validValues(target.known);
  const socket = new WebSocket(`${target.url.replace('http', 'ws')}${basePath}/ws`);
  let last = '';
  let heardLast = false;
  socket.on('message', (data) => {
    const text = data.toString();
    if (text.includes(`"id":"${lastId}"`)) {
      heardLast = true;
      socket.terminate();
    }
    const what = faultOf({ status: 200, type: 'application/json', text }, target.secrets);
    if (what !== null)
      faults.push({ number: first, what: `socket: ${what}`, attempt: last, answer: text.slice(0, 1_000) });
  });
  await once(socket, 'open');
  const bearer = first % (2 * perConnection) === 0 ? target.accessToken : undefined;
  const ended = once(socket, 'close');
  socket.send(JSON.stringify({ op: 'auth', bearer }));
  for (let number = first; number < first + count && socket.readyState === WebSocket.OPEN; number += 1) {
    const choices = choicesOf(seed + 1, number);
    const message = { op: 'subscribe', id: `sub_${number}`, subscription: valid(Subscription, choices) };
    const other = { op: choices.one(['unsubscribe', 'subscribe', 'auth', ...texts]), id: choices.one(texts) };
    if (choices.once(12)) last = choices.one(bodies.map(String));
    else last = JSON.stringify(corrupted(choices.once(6) ? other : message, choices));
    socket.send(last);
    if (choices.once(3)) socket.send(JSON.stringify({ op: 'unsubscribe', id: message.id }));
  }
  // Messages are answered one after another.
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ op: 'unsubscribe', id: lastId }));
  const giveUp = setTimeout(() => socket.terminate(), patienceMs);
  const [code] = (await ended) as [number];
  clearTimeout(giveUp);
  if (!heardLast && ![1001, 1003, 1008, 1009, 1013].includes(code))
    faults.push({ number: first, what: `socket: closed with ${code}`, attempt: last, answer: '' });
  return faults;
};
