import { readFileSync } from 'node:fs';
import { feeVaultCount, wellKnown } from '@mintage/protocol/solana';
import { launchpadFile } from '@mintage/solana/program';
import { type Address, address, type KeyPairSigner } from '@solana/kit';
import { Client } from './client.ts';
import { base58, launchpadAddress, launchpadInstruction } from './instruction.ts';
import { deployProgram, programDataOf } from './loader.ts';
import { placeSigner, type SolanaAccounts, solanaAccounts } from './people.ts';
import { createAccount, initializeMint, mintBytes, openTokenAccount, tokenAccountOf } from './system.ts';

/** The launchpad on a local Solana chain. */
export interface SolanaDeployment {
  program: Address;
  programData: Address;
  config: Address;
  /** Test dollars of six decimals: `mintTestUsd` makes them for anybody. */
  dollarMint: Address;
  feeVaults: readonly Address[];
  accounts: SolanaAccounts;
}

const sol = 1_000_000_000n;
const dollar = 1_000_000n;
const usdDecimals = 6;
/** What everybody of the named accounts gets. */
const gift = { lamports: 1_000n * sol, usd: 1_000_000n * dollar };
/** Fee vaults that one transaction opens. */
const vaultsAtOnce = 4;

/**
 * Deploys the launchpad and its test dollar at fixed addresses, and gives SOL and dollars to the named accounts: all by
 * transactions, so the node may be any that gives airdrops. On a chain that has all of this already it changes nothing.
 */
export const deployLaunchpad = async (url: string): Promise<SolanaDeployment> => {
  const client = new Client(url);
  const accounts = await solanaAccounts();
  const [program, mint] = await Promise.all([placeSigner('launchpad'), placeSigner('dollar')]);
  const at = program.address;
  const [config] = launchpadAddress(at, 'config', {});
  const indexes = Array.from({ length: feeVaultCount }, (_, index) => index);
  const vaults = indexes.map((index) => launchpadAddress(at, 'feeVault', { index: Uint8Array.of(index) }));
  const deployment: SolanaDeployment = {
    program: at,
    programData: await programDataOf(at),
    config,
    dollarMint: mint.address,
    feeVaults: vaults.map(([vault]) => vault),
    accounts,
  };
  const { deployer } = accounts;
  if (await client.exists(tokenAccountOf(deployer.address, mint.address))) return deployment;
  await client.airdrop(deployer.address, gift.lamports);
  await deployProgram(client, {
    authority: deployer,
    buffer: await placeSigner('buffer'),
    program,
    code: readFileSync(launchpadFile),
  });
  await openDollar(client, deployer, mint, config);
  await openLaunchpad(client, deployment);
  await giveEverybody(client, deployment);
  return deployment;
};

const openDollar = async (
  client: Client,
  payer: KeyPairSigner,
  mint: KeyPairSigner,
  config: Address,
): Promise<void> => {
  const lamports = await client.rpc.getMinimumBalanceForRentExemption(BigInt(mintBytes)).send();
  await client.send(
    payer,
    createAccount(payer, mint, { lamports, bytes: mintBytes, owner: address(wellKnown.token) }),
    initializeMint(mint.address, usdDecimals, config),
  );
};

const openLaunchpad = async (client: Client, deployment: SolanaDeployment): Promise<void> => {
  const { program, programData, config, dollarMint, feeVaults, accounts } = deployment;
  const { deployer: payer, treasury, voucherSigner, owner } = accounts;
  await client.send(
    payer,
    launchpadInstruction(
      program,
      'init',
      { payer, config, programData, dollarMint },
      {
        treasury: base58(treasury.address),
        voucherSigner: base58(voucherSigner.address),
        owner: base58(owner.address),
        allowsTest: 1,
        timelockSeconds: 0n,
      },
    ),
  );
  const openings = feeVaults.map((feeVault, index) =>
    launchpadInstruction(program, 'openFeeVault', { payer, config, feeVault, dollarMint }, { index }),
  );
  const starts = openings.map((_, at) => at).filter((at) => at % vaultsAtOnce === 0);
  await client.sendAll(
    payer,
    starts.map((start) => openings.slice(start, start + vaultsAtOnce)),
  );
};

/** The deployer comes last: who has dollars shows that everything is there. */
const giveEverybody = async (client: Client, deployment: SolanaDeployment): Promise<void> => {
  const { deployer, ...others } = deployment.accounts;
  const people = Object.values(others);
  await Promise.all(people.map((person) => client.airdrop(person.address, gift.lamports)));
  const dollars = (person: KeyPairSigner) => giveDollars(deployment, deployer, person.address, gift.usd);
  await client.sendAll(deployer, await Promise.all(people.map(dollars)));
  await client.send(deployer, ...(await dollars(deployer)));
};

/** Instructions that give a wallet test dollars, and the token account for them where there is none. */
export const giveDollars = async (
  { program, config, dollarMint }: Pick<SolanaDeployment, 'program' | 'config' | 'dollarMint'>,
  payer: KeyPairSigner,
  wallet: Address,
  amount: bigint,
) => {
  const to = tokenAccountOf(wallet, dollarMint);
  return [
    openTokenAccount(payer, wallet, dollarMint),
    launchpadInstruction(program, 'mintTestUsd', { config, dollarMint, to }, { amount }),
  ];
};
