import type { Address } from '@solana/kit';
import { accountJson, passes } from '../answers/accounts.ts';
import type { Ledger } from '../ledger.ts';
import { there } from '../machine/account.ts';
import { mintOf, tokenAccountOf, tokenAmount } from '../machine/tokens.ts';
import { addressOf, type Config, type Params } from '../wire/params.ts';
import { refused } from '../wire/rpcError.ts';
import { blockFor, inContext, type Methods } from './method.ts';

const mostAccounts = 100;
const tokenPrograms = [
  addressOf('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
  addressOf('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'),
];

/** What is in accounts, as it was at the commitment of the request. */
export const accountMethods = (ledger: Ledger): Methods => {
  const read = (at: Address, config: Config): unknown => {
    const account = ledger.state.accountAt(at, blockFor(ledger, config).height);
    return account.exists ? accountJson(account, config) : null;
  };
  return {
    getMinimumBalanceForRentExemption: (params) => ledger.state.svm.minimumBalanceForRentExemption(params.integer(0)),
    getBalance(params) {
      const block = blockFor(ledger, params.config(1));
      const account = ledger.state.accountAt(params.address(0), block.height);
      return inContext(block, account.exists ? account.lamports : 0n);
    },
    getAccountInfo(params) {
      const config = params.config(1);
      return inContext(blockFor(ledger, config), read(params.address(0), config));
    },
    getMultipleAccounts(params) {
      const list = params.texts(0).map(addressOf);
      if (list.length > mostAccounts) throw refused.params(`Too many inputs provided; max ${mostAccounts}`);
      const config = params.config(1);
      const shape = { encoding: 'base64', ...config };
      return inContext(
        blockFor(ledger, config),
        list.map((at) => read(at, shape)),
      );
    },
    getProgramAccounts(params) {
      const config = params.config(1);
      const block = blockFor(ledger, config);
      const found = ledger.state
        .programAccountsAt(params.address(0), block.height)
        .filter((account) => passes(account, config.filters))
        .map((account) => ({ pubkey: account.address, account: accountJson(account, config) }));
      return config.withContext ? inContext(block, found) : found;
    },
    getTokenAccountsByOwner(params) {
      const owner = params.address(0);
      const wanted = params.config(1);
      const config = params.config(2);
      const block = blockFor(ledger, config);
      const programs = wanted.programId == null ? tokenPrograms : [addressOf(wanted.programId)];
      const found = programs
        .flatMap((program) => ledger.state.programAccountsAt(program, block.height))
        .filter((account) => {
          const held = tokenAccountOf(there(account));
          return held?.owner === owner && (wanted.mint == null || held.mint === wanted.mint);
        });
      return inContext(
        block,
        found.map((account) => ({ pubkey: account.address, account: accountJson(account, config) })),
      );
    },
    getTokenAccountBalance(params) {
      const [block, account] = tokenAt(ledger, params);
      const held = tokenAccountOf(account);
      const mint = held && mintOf(ledger.state.accountAt(held.mint, block.height));
      if (held === null || mint === null) throw refused.params('Invalid param: not a Token account');
      return inContext(block, tokenAmount(held.amount, mint.decimals));
    },
    getTokenSupply(params) {
      const [block, account] = tokenAt(ledger, params);
      const mint = mintOf(account);
      if (mint === null) throw refused.params('Invalid param: not a Token mint');
      return inContext(block, tokenAmount(mint.supply, mint.decimals));
    },
  };
};

const tokenAt = (ledger: Ledger, params: Params) => {
  const block = blockFor(ledger, params.config(1));
  const account = ledger.state.accountAt(params.address(0), block.height);
  if (!account.exists) throw refused.params('Invalid param: could not find account');
  return [block, account] as const;
};
