import { type Base58, type Chain, parseUnits, requireBase58, type SolanaDeployment } from '@mintage/protocol';
import { launchpadAddress } from '@mintage/protocol/solana';
import { type ChainClient, type ChainOrder, chainFamilies, type PreparedStep } from '@mintage/server/families';

import type { Logger } from 'pino';
import { hexToBytes } from 'viem';
import { type DevAccountName, devKey } from '../accounts.ts';
import {
  type SeedOptions,
  type SeedPlace,
  type SeedStep,
  type SeedToken,
  seedSalt,
  seedTokensOn,
} from '../seedTokens.ts';
import { Client } from './launchpad/client.ts';
import { base58 } from './launchpad/instruction.ts';
import type { SolanaAccounts } from './launchpad/people.ts';
import type { SolanaNode } from './node.ts';

/** A chain whose blocks are made by hand, and the launchpad on it. */
export interface Ground {
  chain: Chain;
  deployment: SolanaDeployment;
  accounts: SolanaAccounts;
  node: Pick<SolanaNode, 'url' | 'mine' | 'addSeconds'>;
  log: Logger;
}

/** Seconds between two steps. */
const stepSeconds = 60;
/** Nobody else trades while the chain is filled: nothing comes late. Unix seconds. */
const never = 4_000_000_000;
/** Of a voucher: half of what the launchpad accepts at most. */
const voucherSeconds = 1_800n;

/** As `seedChain`, by transactions that the service prepares. */
export const seedSolana = async (ground: Ground, { uriOf = exampleUri }: SeedOptions = {}): Promise<void> => {
  const { chain, deployment, node, log } = ground;
  const createClient = await chainFamilies.solana.client();
  const client = createClient(
    { chain, deployment, rpcUrls: [node.url], local: true },
    { log, voucherKey: devKey('voucherSigner'), now: Date.now },
  );
  try {
    const filling = new Filling(ground, client);
    for (const token of seedTokensOn(ground)) {
      await filling.create(token, await uriOf(token));
      for (const step of token.steps) await filling.run(token, step);
    }
    await filling.withdraw('builder');
  } finally {
    await client.stop();
  }
};

/** A mint here has to say where its metadata is. */
const exampleUri = async ({ symbol }: SeedToken) => `https://example.com/${symbol.toLowerCase()}.json`;

/** Where seeded tokens are on this chain. */
export const seedPlaceOn = ({ chain, deployment, accounts }: Omit<Ground, 'node' | 'log'>): SeedPlace => ({
  chain,
  async placeOf(token) {
    const creator = base58(accounts[token.creator].address);
    const salt = hexToBytes(seedSalt(token));
    return { creator, address: launchpadAddress(deployment.launchpad, 'mint', { creator, salt }).address };
  },
});

class Filling {
  readonly #ground: Ground;
  readonly #client: ChainClient;
  readonly #node: Client;

  constructor(ground: Ground, client: ChainClient) {
    this.#ground = ground;
    this.#client = client;
    this.#node = new Client(ground.node.url);
  }

  async create(token: SeedToken, uri: string): Promise<void> {
    const { name, symbol, poolType } = token;
    const creation = { creator: this.#wallet(token.creator), name, symbol, uri, poolType, deadline: never };
    const first = token.initialBuyUsd === undefined ? null : this.#buy(token, token.creator, token.initialBuyUsd);
    await this.#send(token.creator, await this.#client.create({ ...creation, salt: seedSalt(token) }, first, null));
  }

  /** There is no foreign router here: what one buys elsewhere is bought from the launchpad. */
  async run(token: SeedToken, step: SeedStep): Promise<void> {
    const order =
      'sellPercent' in step
        ? await this.#sell(token, step.who, BigInt(step.sellPercent))
        : this.#buy(token, step.who, 'buyUsd' in step ? step.buyUsd : step.foreignBuyUsd);
    const builderBps = 'builderBps' in step ? step.builderBps : undefined;
    const terms: ChainOrder = {
      ...order,
      builder: builderBps === undefined ? null : { code: this.#wallet('builder'), feeBps: builderBps },
      referral: 'referred' in step ? this.#wallet('promoter') : null,
    };
    const voucher = 'referred' in step ? await this.#voucherOnce(token, step.who) : null;
    await this.#send(step.who, await this.#client.trade(terms, voucher));
  }

  async withdraw(who: DevAccountName): Promise<void> {
    await this.#send(who, await this.#client.withdraw(this.#wallet(who), [this.#ground.deployment.usd]));
  }

  readonly #referred = new Set<DevAccountName>();
  /** Who trades by a link was invited by the same person. */
  async #voucherOnce(token: SeedToken, who: DevAccountName) {
    if (this.#referred.has(who)) return null;
    this.#referred.add(who);
    const { block } = await this.#read(token, who);
    const deadline = BigInt(block.time) + voucherSeconds;
    return this.#client.signVoucher({ user: this.#wallet(who), referrer: this.#wallet('promoter'), deadline });
  }

  #buy(token: SeedToken, who: DevAccountName, dollars: number): ChainOrder {
    const amount = parseUnits(String(dollars), this.#ground.deployment.usdDecimals);
    return { ...this.#order(token, who), kind: 'buyExactIn', amount };
  }
  async #sell(token: SeedToken, who: DevAccountName, percent: bigint): Promise<ChainOrder> {
    const { trader } = await this.#read(token, who);
    return { ...this.#order(token, who), kind: 'sellExactIn', amount: (trader.tokenBalance * percent) / 100n };
  }
  #read(token: SeedToken, who: DevAccountName): ReturnType<ChainClient['readMarket']> {
    const { name, symbol } = token;
    return this.#client.readMarket(
      { tokenId: '', address: this.#mintOf(token), name, symbol },
      this.#wallet(who),
      true,
    );
  }
  #order(token: SeedToken, who: DevAccountName): Omit<ChainOrder, 'kind' | 'amount'> {
    const nobody = { builder: null, referral: null };
    const place = { token: this.#mintOf(token), recipient: this.#wallet(who), venue: 'openingPool' } as const;
    return { ...place, ...nobody, limit: 0n, deadline: never };
  }

  #wallet(who: DevAccountName): Base58 {
    return base58(this.#ground.accounts[who].address);
  }
  #mintOf(token: SeedToken): Base58 {
    return requireBase58(this.#client.tokenAddress(this.#wallet(token.creator), seedSalt(token)));
  }

  /** One step is one block, a minute after the one before. */
  async #send(who: DevAccountName, { call }: PreparedStep): Promise<void> {
    const { node, accounts } = this.#ground;
    node.addSeconds(stepSeconds);
    await this.#node.sendPrepared(accounts[who], hexToBytes(call.data), () => node.mine(2));
  }
}
