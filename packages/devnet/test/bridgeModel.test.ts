import { expect, test } from 'vitest';
import { campaign } from '../src/random.ts';
import { BridgeModel, type Message } from './bridgeModel.ts';

/** The counts of the bridges alone, over three chains: messages in any order, doubled, late, refused and repeated. */
test('X3 X4 X7 X8 random messages over three chains keep the supply', () => {
  const { random, cases } = campaign('bridge model', 20_000);
  const model = new BridgeModel(3, 0, 4n * 10n ** 26n);
  const seen = new Map<string, number>();
  const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
  const delivered: Message[] = [];
  let time = 1_700_000_000n;
  for (let done = 0; done < cases; done += 1) {
    time += BigInt(random.int(random.chance(10) ? 3_600 : 30));
    const [from, to] = random.pick([
      [0, 1],
      [0, 2],
      [1, 0],
      [2, 0],
      [1, 2],
    ]) as [number, number];
    const sent = model.send(from, to, random.scaled(random.chance(8) ? 10n ** 27n : 10n ** 26n), time);
    count(typeof sent === 'string' ? `refused: ${sent}` : 'sent');
    // Now and then all that are on their way at once, in any order, and some that have arrived.
    const brought = random.chance(40) ? [...model.inFlight].toSorted(() => random.int(3) - 1) : [];
    for (const message of [...brought, ...(random.chance(12) ? delivered.slice(-2) : [])]) {
      const outcome = model.deliver(message, time);
      count(outcome);
      if (outcome === 'delivered now') delivered.push(message);
    }
    const broken = model.broken();
    if (broken.length > 0) throw new Error(`after ${done} messages: ${broken}`);
  }
  // Everything that is on its way can arrive.
  while (model.inFlight.size > 0) {
    time += 3_600n;
    for (const message of Array.from(model.inFlight)) model.deliver(message, time);
  }
  expect(model.broken()).toEqual([]);
  for (const what of ['sent', 'delivered now', 'delivered', 'refused: limit', 'refused: dust', 'limit'])
    expect(seen.get(what), what).toBeGreaterThan(0);
});
