import { type Address, type Base58, requireBase58 } from '@mintage/protocol';
import { feeVaultIndex } from '@mintage/protocol/solana';
import { hexOf } from '../../chain/solana/bytes.ts';
import { launchAddress, stateIn, userAddress } from '../../chain/solana/launchpad.ts';
import { compileMessage, unsignedTransaction } from '../../chain/solana/message/compile.ts';
import { budgetInstructions, launchpadInstruction } from '../../chain/solana/message/instructions.ts';
import { getMultipleAccounts } from '../../chain/solana/rpc/calls.ts';
import type { ChainAccess } from './chainAccess.ts';

/** Compute units of a graduation: it takes 2,000. */
const graduateUnits = 20_000;
/** In the place of a blockhash: the signer puts a newer one there. */
const noBlockhash = '1'.repeat(32) as Base58;

/** The transaction by which a wallet opens the pool of a sold-out token. @throws Error where the chain has no such token. */
export const graduationOf = async (
  { rpc, launchpad }: Pick<ChainAccess, 'rpc' | 'launchpad'>,
  wallet: Address,
  token: Address,
) => {
  const [payer, mint] = [wallet, token].map(requireBase58) as [Base58, Base58];
  const launch = launchAddress(launchpad, mint);
  const { value } = await rpc.request(getMultipleAccounts([launch, launchpad.config], 'latest'));
  const state = stateIn(launchpad, 'Launch', value[0] ?? null);
  const config = stateIn(launchpad, 'Config', value[1] ?? null);
  if (state === null || config === null) throw new Error(`The chain has no token of this launchpad at ${token}.`);
  const { program, dollarMint } = launchpad;
  const places = {
    config: launchpad.config,
    launch,
    usdVault: state.usdVault,
    feeVault: config.feeVaults[feeVaultIndex(mint)] as Base58,
    creatorUser: userAddress(launchpad, state.creator),
    dollarMint,
  };
  const message = compileMessage(
    payer,
    [
      ...budgetInstructions({ units: graduateUnits, microLamportsPerUnit: 0n }),
      launchpadInstruction(program, 'graduate', places, {}),
    ],
    noBlockhash,
  );
  return { to: program, data: hexOf(unsignedTransaction(message)), gasLimit: graduateUnits };
};
