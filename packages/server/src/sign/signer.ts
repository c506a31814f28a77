import type { Kysely } from 'kysely';
import { reasonOf } from '../chain/wire.ts';
import { Bell } from '../db/bell.ts';
import { type Database } from '../db/chainTables.ts';
import { type Listener, listen } from '../db/listen.ts';
import { type SignerDatabase, signerChannel } from '../db/signerTables.ts';
import { type KeyEncryption, refuseForeignSeals } from '../keys/keys.ts';
import type { Log } from '../log.ts';
import type { Context } from './context.ts';
import { defaultKeeper, type KeeperConfig, keepTokens } from './keeper/keeper.ts';
import { refuseExpired } from './lanes/intents.ts';
import { ChainWatch } from './lanes/watchChain.ts';
import { defaultPolicy, type PolicyConfig } from './policy/policy.ts';
import { accessTo, type ChainAccess, type ServedChain } from './servedChain.ts';
import { makeWallets } from './wallets/makeWallets.ts';
import { walletKeys } from './wallets/walletSeal.ts';

export type { Log } from '../log.ts';
export type { ServedChain } from './servedChain.ts';
export { walletKeys } from './wallets/walletSeal.ts';

export interface SignerConfig {
  /** With its tables (`migrate(db)`) and a connection to spare. */
  db: Kysely<Database>;
  chains: readonly ServedChain[];
  /** Seals and opens wallets. */
  keys: KeyEncryption;
  log: Log;
  /** Pause between two looks at what is open, milliseconds; 1000 when absent. */
  pollMs?: number | undefined;
  /** What is absent has its default. */
  policy?: Partial<PolicyConfig>;
  /** Has tokens graduated that nobody graduates; absent: none. What is absent in it has its default. */
  keeper?: Partial<KeeperConfig> | undefined;
}

export interface Signer {
  /** Ends after the work at hand; what is open is taken up by another signer, or by the next start. */
  stop(): Promise<void>;
}

/**
 * Makes wallets, signs what the api wished for and sends it until it is final. Several processes may run it on one database;
 * everything that it has to remember is in there. docs/decisions/0023-sending.md
 *
 * @throws KekMissingError when a wallet is sealed by a KEK that is not at hand.
 */
export const startSigner = async (config: SignerConfig): Promise<Signer> => {
  const { db, chains, keys, log, pollMs = 1_000 } = config;
  await refuseForeignSeals(db, keys, [walletKeys]);
  const policy = { ...defaultPolicy, ...config.policy };
  const context: Context = { db: db.withTables<SignerDatabase>(), keys, log, pollMs, policy };
  const accesses = chains.map((chain) => accessTo(chain, log));
  const watches = accesses.map((chain) => new ChainWatch(context, chain));
  const keeper = config.keeper && { ...defaultKeeper, ...config.keeper };
  const chores = new Chores(context, accesses, keeper);
  const listener: Listener = listen(db, {
    channel: signerChannel,
    heard: () => {
      chores.ring();
      for (const watch of watches) watch.ring();
    },
    onError: (error) => log.warn({ reason: error.message }, 'the signer does not hear the database for now'),
  });
  return {
    stop: async () => {
      await listener.stop();
      await Promise.all([chores.stop(), ...watches.map((watch) => watch.stop())]);
      await Promise.all(accesses.map(({ rpc }) => rpc.stop()));
    },
  };
};

/** What needs no chain: wallets are made, and what expired is refused, although every provider is silent. */
class Chores {
  readonly #bell = new Bell();
  readonly #done: Promise<void>;
  #stopping = false;

  constructor(context: Context, chains: readonly ChainAccess[], keeper: KeeperConfig | undefined) {
    this.#done = this.#run(context, chains, keeper);
  }

  ring(): void {
    this.#bell.ring();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#bell.ring();
    await this.#done;
  }

  async #run(context: Context, chains: readonly ChainAccess[], keeper: KeeperConfig | undefined): Promise<void> {
    const chainIds = chains.map(({ chainId }) => chainId);
    let trouble = '';
    while (!this.#stopping) {
      try {
        if (await makeWallets(context)) this.#bell.ring();
        if (chainIds.length > 0) await refuseExpired(context, chainIds);
        if (keeper !== undefined) await keepTokens(context, chains, keeper);
        trouble = '';
      } catch (error) {
        const reason = reasonOf(error);
        if (reason !== trouble) context.log.warn({ reason, err: error }, 'wallets cannot be made now');
        trouble = reason;
      }
      await this.#bell.wait(context.pollMs);
    }
  }
}
