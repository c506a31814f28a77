import { readFileSync } from 'node:fs';
import { type SolanaDeployment as ServedDeployment, solanaDeployment } from '@mintage/protocol';
import { launchpadFile } from '@mintage/solana/program';
import type { Address, KeyPairSigner } from '@solana/kit';
import { Client } from './client.ts';
import { base58, launchpadInstruction } from './instruction.ts';
import { placeSigner, type SolanaAccounts, solanaAccounts } from './people.ts';
import { type PlacedLaunchpad, placeLaunchpad, placesOf } from './place.ts';
import { openTokenAccount, tokenAccountOf } from './system.ts';

/** The launchpad on a local Solana chain. Its dollar is a test dollar, which `mintTestUsd` makes for anybody. */
export interface SolanaDeployment extends PlacedLaunchpad {
  accounts: SolanaAccounts;
}

const sol = 1_000_000_000n;
const dollar = 1_000_000n;
/** What everybody of the named accounts gets. */
const gift = { lamports: 1_000n * sol, usd: 1_000_000n * dollar };
/**
 * Deploys the launchpad and its test dollar at fixed addresses, and gives SOL and dollars to the named accounts: all by
 * transactions, so the node may be any that gives airdrops. On a chain that has all of this already it changes nothing.
 */
export const deployLaunchpad = async (url: string): Promise<SolanaDeployment> => {
  const client = new Client(url);
  const accounts = await solanaAccounts();
  const [program, dollar] = await Promise.all([placeSigner('launchpad'), placeSigner('dollar')]);
  const { deployer, owner, treasury, voucherSigner } = accounts;
  if (await client.exists(tokenAccountOf(deployer.address, dollar.address)))
    return { ...(await placesOf(program.address, dollar.address)), accounts };
  await client.airdrop(deployer.address, gift.lamports);
  const placed = await placeLaunchpad(client, {
    payer: deployer,
    program,
    buffer: await placeSigner('buffer'),
    code: readFileSync(launchpadFile),
    dollar,
    owner: owner.address,
    treasury: treasury.address,
    voucherSigner: voucherSigner.address,
    timelockSeconds: 0n,
  });
  const deployment = { ...placed, accounts };
  await giveEverybody(client, deployment);
  return deployment;
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

/** What the service is configured with for it. */
export const deploymentOf = ({ program, dollarMint, accounts }: SolanaDeployment): ServedDeployment =>
  solanaDeployment({
    startBlock: 1,
    launchpad: base58(program),
    usd: base58(dollarMint),
    usdDecimals: 6,
    usdSymbol: 'USDC',
    usdMintable: true,
    owner: base58(accounts.owner.address),
  });

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
