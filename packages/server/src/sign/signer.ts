import type { Kysely } from 'kysely';
import { Bell } from '../bell.ts';
import { reasonOf } from '../chain/wire.ts';
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
  /** Polling interval for open steps, milliseconds; 1000 when absent. */
  pollMs?: number | undefined;
  /** Policy settings; absent ones have their defaults. */
  policy?: Partial<PolicyConfig>;
  /** Graduates sold-out tokens that nobody else graduates; absent: no keeper. Absent settings have their defaults. */
  keeper?: Partial<KeeperConfig> | undefined;
}

export interface Signer {
  /** Stops after the current work; open steps are continued by another signer, or after the next start. */
  stop(): Promise<void>;
}

/**
 * Creates wallets, signs the intents that the API queued, and sends them until they are final. Several processes may
 * run it on one database; all of its state is in there. docs/decisions/0023-sending.md
 *
 * @throws KekMissingError when a wallet is sealed by a KEK that is not configured.
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

/** Work that needs no chain: creating wallets and refusing expired intents, even while every provider is silent. */
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
    const eids = chains.map(({ eid }) => eid);
    let trouble = '';
    while (!this.#stopping) {
      try {
        if (await makeWallets(context)) this.#bell.ring();
        if (eids.length > 0) await refuseExpired(context, eids);
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
