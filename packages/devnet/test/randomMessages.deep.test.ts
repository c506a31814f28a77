import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type DevChain,
  type DevChains,
  layerZeroOf,
  localConfirmations,
  startChains,
  startRelayer,
  type Workers,
} from '../src/devnet.ts';
import { campaign, type Random } from '../src/random.ts';
import { BridgeModel } from './bridgeModel.ts';
import {
  balanceOn,
  brokenInvariants,
  type CrossingToken,
  confirm,
  launchToken,
  outOn,
  sendAcross,
  supplyOn,
} from './crossing.ts';

/** Random messages over three real chains, with workers that drop, double, starve and come late: as the model says, to the unit. */

let local: DevChains;
let chains: [DevChain, DevChain, DevChain];
beforeAll(async () => {
  const slugs = ['base-sepolia', 'unichain-testnet', 'bnb-testnet'] as const;
  local = await startChains(slugs, { heartbeat: false });
  chains = local.chains as typeof chains;
});
afterAll(() => local?.stop());

/** Each does what it should half of the time; the relayer comes again. */
const careless =
  (random: Random) =>
  (_: unknown, honest: Workers): Workers => ({
    ...honest,
    async verify(packet, verifier) {
      if (random.chance(6)) throw new Error('dropped');
      await honest.verify(packet, verifier);
      if (random.chance(6)) await honest.verify(packet, verifier);
    },
    async deliver(packet) {
      if (random.chance(6)) return;
      await honest.deliver(random.chance(4) ? { ...packet, gasLimit: 30_000n } : packet);
      if (random.chance(6)) await honest.deliver(packet);
    },
  });

const amountOf = (random: Random): bigint => {
  if (random.chance(15)) return random.between(1n, 10n ** 12n - 1n);
  const units = random.scaled(random.chance(40) ? 10n ** 14n : 10n ** 10n);
  return units * 10n ** 12n + random.between(0n, 10n ** 12n - 1n);
};

const send = async (token: CrossingToken, model: BridgeModel, random: Random): Promise<'sent' | 'refused'> => {
  const [from, to] = random.pick([
    [0, 1],
    [0, 2],
    [0, random.chance(2) ? 1 : 2],
    [1, 0],
    [2, 0],
    [1, 2],
  ]) as [0 | 1 | 2, 0 | 1 | 2];
  const amount = amountOf(random);
  const timeOn = async (chain: DevChain): Promise<bigint> =>
    BigInt(((await chain.rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: string }).timestamp);
  try {
    await sendAcross(token, chains[from], chains[to], amount);
  } catch (error) {
    const refusal = model.send(from, to, amount, await timeOn(chains[from]));
    if (typeof refusal === 'string') return 'refused';
    throw new Error(`the chain refused ${amount} from ${from} to ${to}, the model did not`, { cause: error });
  }
  const time = await timeOn(chains[from]);
  const message = model.send(from, to, amount, time);
  if (message === 'balance') {
    // The chain spent what had arrived meanwhile, which the model hears of when all have.
    await settle(token, model);
    const later = model.send(from, to, amount, time);
    if (typeof later !== 'string') return 'sent';
  }
  if (typeof message === 'string') throw new Error(`the model refused ${amount} from ${from} to ${to}: ${message}`);
  return 'sent';
};

test('X3 X4 X5 random messages arrive once each, and every chain has what the model says', async () => {
  const { random, cases } = campaign('messages between chains', 40);
  const [home, ...others] = chains;
  const token = await launchToken(home, 'Random Boat');
  const holder = token.holder.address;
  const model = new BridgeModel(3, 0, await balanceOn(home, token.address, holder));
  const relayer = startRelayer({
    chains: chains.map(({ chain, rpcUrl }) => ({ eid: chain.eid, chainId: chain.chainId, rpcUrl })),
    layerZero: layerZeroOf(home.accounts),
    accounts: home.accounts,
    confirmations: localConfirmations,
    pollMs: 10,
    workersFor: careless(random),
  });
  try {
    let sent = 0;
    // A good many of them are refused.
    for (let done = 1; done <= cases || sent <= cases / 5; done += 1) {
      if ((await send(token, model, random)) === 'sent') sent += 1;
      if (random.chance(4)) await settle(token, model);
      if (done % 20 === 0) expect(await brokenInvariants(token, others)).toEqual([]);
    }
    await settle(token, model);
    console.log({ sent, supplies: model.supplies });
    expect(await brokenInvariants(token, others)).toEqual([]);
    for (const [place, chain] of chains.entries()) {
      expect(await supplyOn(chain, token.address), chain.chain.slug).toBe(model.supplies[place]);
      expect(await balanceOn(chain, token.address, holder), chain.chain.slug).toBe(model.heldOn(place));
    }
    for (const [place, chain] of others.entries()) expect(await outOn(token, chain)).toBe(model.outOn(place + 1));
  } finally {
    await relayer.stop();
  }
});

/** Until every message arrived on its chain, and in the model. Arrivals above the limit take an hour of the chain's time. */
const settle = async (token: CrossingToken, model: BridgeModel): Promise<void> => {
  const [home, ...others] = chains;
  const flying = async (): Promise<bigint> => {
    const supplies = await Promise.all(chains.map((chain) => supplyOn(chain, token.address)));
    return 10n ** 27n - supplies.reduce((sum, supply) => sum + supply, 0n);
  };
  for (let looks = 1; (await flying()) > 0n; looks += 1) {
    await confirm(chains, localConfirmations);
    await sleep(20);
    if (looks % 100 === 0) await Promise.all([home, ...others].map((chain) => chain.advance(3_600)));
    if (looks > 20_000) throw new Error('a message never arrived');
  }
  model.allArrived();
};
