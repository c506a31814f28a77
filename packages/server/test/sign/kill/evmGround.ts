import type { DevChain } from '@mintage/devnet';
import { type Hex, numberToHex } from 'viem';
import type { Random } from '../random.ts';
import { balanceOf, newAddress, startWorld } from '../world.ts';
import type { Ground, Weather } from './ground.ts';
import { asks, atCall, type CallPoints, killPoints } from './killPoints.ts';

/** A local EVM chain. Each step pays 1 wei to an address of its own. */
export const startEvmGround = async (): Promise<Ground> => {
  const world = await startWorld(['base-sepolia']);
  const [chain] = world.chains as [DevChain];
  return {
    db: world.db,
    databaseUrl: world.databaseUrl,
    kek: world.kek,
    proofs: world.proofs,
    chainType: 'evm',
    rpcUrl: chain.rpcUrl,
    served: (rpcUrls) => world.served(chain, rpcUrls),
    points: killPoints(calls),
    weather: (random) => new EvmWeather(chain, random),
    newOwner: world.newWallet,
    settle: async () => void (await chain.rpc('anvil_mine', [numberToHex(5)])),
    async wish({ user, wallet }, steps) {
      const recipients = Array.from({ length: steps }, newAddress);
      const payments = recipients.map((to) => ({ to, value: 1n }));
      const id = await world.wish({ chain, user, wallet: wallet as Hex, steps: payments });
      return { id, effects: recipients.map((to) => () => balanceOf(chain, to)) };
    },
    async compare() {
      for (const { wallet, next_nonce } of await world.db.selectFrom('lane').selectAll().execute()) {
        const used = Number(await chain.rpc('eth_getTransactionCount', [wallet, 'latest']));
        if (used !== next_nonce) throw new Error(`${wallet}: ${used} nonces used, ${next_nonce} in the tables`);
      }
    },
    stop: world.stop,
  };
};

const calls: CallPoints = [
  atCall('reading the chain before the lock', 'before', asks('eth_getBalance')),
  atCall('trying the call', 'before', asks('eth_call')),
  atCall('committed, before sending', 'before', asks('eth_sendRawTransaction')),
  atCall('sent, before the answer', 'after', asks('eth_sendRawTransaction')),
  atCall('looking for receipts', 'before', asks('eth_getTransactionByHash')),
  atCall('asking whether it is final', 'before', asks('eth_blockNumber')),
];

/** Mines, takes blocks away again that nobody holds for final, and makes gas dear for a while. */
class EvmWeather implements Weather {
  readonly #chain: DevChain;
  readonly #random: Random;
  #dearBlocks = 0;
  reorgs = 0;

  constructor(chain: DevChain, random: Random) {
    this.#chain = chain;
    this.#random = random;
  }

  async pass(): Promise<void> {
    if (this.#dearBlocks > 0) this.#dearBlocks -= 1;
    else if (this.#random.chance(0.01)) this.#dearBlocks = 25;
    if (this.#random.chance(0.03)) {
      await this.#chain.rpc('anvil_rollback', [this.#random.whole(1, 2)]);
      this.reorgs += 1;
    }
    await this.#chain.rpc('anvil_setNextBlockBaseFeePerGas', [numberToHex(this.#dearBlocks > 0 ? dear : usual)]);
    await this.#chain.rpc('evm_mine');
  }
}

const usual = 1_000_000_000n;
const dear = 4_000_000_000n;
