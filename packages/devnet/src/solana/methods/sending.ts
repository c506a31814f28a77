import type { Address } from '@solana/kit';
import { accountJson } from '../answers/accounts.ts';
import { blockhashAge, type Ledger } from '../ledger.ts';
import { decodeTransaction } from '../machine/transaction.ts';
import { textOf } from '../machine/transactionErrors.ts';
import { type Simulated, simulate } from '../simulate.ts';
import { addressOf, type Config, levels } from '../wire/params.ts';
import { refused } from '../wire/rpcError.ts';
import { blockFor, inContext, type Methods } from './method.ts';

/** @param airdrop - Sends lamports to an account, and says the signature. */
export const sendingMethods = (ledger: Ledger, airdrop: (to: Address, amount: bigint) => Promise<string>): Methods => ({
  simulateTransaction(params) {
    const config = params.config(1);
    const { sigVerify = false, replaceRecentBlockhash = false } = config;
    if (sigVerify && replaceRecentBlockhash)
      throw refused.params('sigVerify may not be used with replaceRecentBlockhash');
    const block = blockFor(ledger, config);
    const read = decodeTransaction(params.text(0), config.encoding ?? 'base58');
    const simulated = simulate(ledger, read, block, {
      checksSignatures: sigVerify,
      anyBlockhash: replaceRecentBlockhash,
    });
    return inContext(block, {
      ...simulationJson(simulated, config),
      replacementBlockhash: replaceRecentBlockhash
        ? { blockhash: block.hash, lastValidBlockHeight: block.height + blockhashAge }
        : null,
    });
  },
  sendTransaction(params) {
    const config = params.config(1);
    const read = decodeTransaction(params.text(0), config.encoding ?? 'base58');
    if (!config.skipPreflight) {
      const commitment = config.preflightCommitment ?? levels[2];
      const block = blockFor(ledger, { ...config, commitment });
      const simulated = simulate(ledger, read, block, { checksSignatures: true, anyBlockhash: false });
      if (simulated.error !== null) throw refused.preflight(textOf(simulated.error), simulationJson(simulated, {}));
    }
    ledger.take(read);
    return read.signature;
  },
  requestAirdrop: (params) => airdrop(params.address(0), params.integer(1)),
});

const simulationJson = (simulated: Simulated, { accounts, innerInstructions = false }: Config) => ({
  err: simulated.error,
  logs: simulated.logs,
  unitsConsumed: simulated.units,
  fee: simulated.fee,
  returnData: simulated.returnData,
  innerInstructions: innerInstructions ? simulated.inner : null,
  accounts: accounts == null ? null : accountsJson(simulated, accounts),
  loadedAddresses: simulated.keys.loaded,
  preBalances: simulated.before.lamports,
  postBalances: simulated.after.lamports,
  preTokenBalances: simulated.before.tokens,
  postTokenBalances: simulated.after.tokens,
});

/** A transaction that fails leaves nothing to show. */
const accountsJson = (simulated: Simulated, { addresses, encoding = 'base64' }: NonNullable<Config['accounts']>) =>
  addresses.map((text) => {
    const account = simulated.account(addressOf(text));
    return simulated.error === null && account.exists ? accountJson(account, { encoding }) : null;
  });
