import { decodeAccount, feeVaultCount, keyBytes, littleEndian, wellKnown } from '@mintage/protocol/solana';
import { type Address, address, type KeyPairSigner } from '@solana/kit';
import type { Client } from './client.ts';
import { base58, launchpadAddress, launchpadInstruction } from './instruction.ts';
import { deployProgram, loadedProgram, programDataOf } from './loader.ts';
import { createAccount, initializeMint, mintBytes } from './system.ts';

/** What a launchpad is made of, wherever it is placed. */
export interface LaunchpadPlan {
  /** Pays, and may upgrade the program until that is given up. */
  payer: KeyPairSigner;
  program: KeyPairSigner;
  /** Holds the program's bytes while they are sent. */
  buffer: KeyPairSigner;
  code: Uint8Array;
  /** A dollar that there is; or the key of a test dollar, which is made where it is not, and which anybody mints. */
  dollar: Address | KeyPairSigner;
  owner: Address;
  treasury: Address;
  voucherSigner: Address;
  timelockSeconds: bigint;
}

export interface PlacedLaunchpad {
  program: Address;
  programData: Address;
  config: Address;
  dollarMint: Address;
  feeVaults: readonly Address[];
}

/** Fee vaults that one transaction opens. */
const vaultsAtOnce = 4;
export const usdDecimals = 6;

/** All addresses that follow from the program's. */
export const placesOf = async (program: Address, dollarMint: Address): Promise<PlacedLaunchpad> => ({
  program,
  programData: await programDataOf(program),
  config: launchpadAddress(program, 'config', {})[0],
  dollarMint,
  feeVaults: Array.from(
    { length: feeVaultCount },
    (_, index) => launchpadAddress(program, 'feeVault', { index: Uint8Array.of(index) })[0],
  ),
});

/** Places the launchpad by transactions alone; what is there already is left as it is, so a try that stopped goes on. */
export const placeLaunchpad = async (client: Client, plan: LaunchpadPlan): Promise<PlacedLaunchpad> => {
  const { payer, program, dollar } = plan;
  const isTest = typeof dollar !== 'string';
  const placed = await placesOf(program.address, isTest ? dollar.address : dollar);
  const { config, programData, dollarMint, feeVaults } = placed;
  await deployProgram(client, { ...plan, authority: payer });
  if (isTest && !(await client.exists(dollarMint))) await makeDollar(client, payer, dollar, config);
  if (!(await client.exists(config)))
    await client.send(
      payer,
      launchpadInstruction(
        program.address,
        'init',
        { payer, config, programData, dollarMint },
        {
          treasury: base58(plan.treasury),
          voucherSigner: base58(plan.voucherSigner),
          owner: base58(plan.owner),
          allowsTest: isTest ? 1 : 0,
          timelockSeconds: plan.timelockSeconds,
        },
      ),
    );
  const isOpen = await Promise.all(feeVaults.map((vault) => client.exists(vault)));
  const openings = feeVaults.flatMap((feeVault, index) =>
    isOpen[index]
      ? []
      : [launchpadInstruction(program.address, 'openFeeVault', { payer, config, feeVault, dollarMint }, { index })],
  );
  const starts = openings.map((_, at) => at).filter((at) => at % vaultsAtOnce === 0);
  await client.sendAll(
    payer,
    starts.map((start) => openings.slice(start, start + vaultsAtOnce)),
  );
  return placed;
};

const makeDollar = async (
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

type Settings = Pick<LaunchpadPlan, 'owner' | 'treasury' | 'voucherSigner' | 'timelockSeconds'>;

/**
 * What the chain has that it should not: each fault a sentence, none where all is as planned (threat S116).
 *
 * @param isFinal - Whether nobody may be able to upgrade the program.
 */
export const faultsOf = async (
  client: Client,
  { program, config, dollarMint, feeVaults }: PlacedLaunchpad,
  wanted: Settings & { code: Uint8Array; isFinal: boolean },
): Promise<string[]> => {
  const faults: string[] = [];
  const must = (isSo: boolean, fault: string): void => {
    if (!isSo) faults.push(fault);
  };
  const loaded = await loadedProgram(client, program);
  if (loaded === null) return [`There is no program at ${program}.`];
  const { code, authority } = loaded;
  const isSame = Buffer.compare(code.subarray(0, wanted.code.length), wanted.code) === 0;
  must(
    isSame && code.subarray(wanted.code.length).every((byte) => byte === 0),
    'The program has other bytes than launchpad.so.',
  );
  must(!wanted.isFinal || authority === null, 'Somebody can still upgrade the program, and so take everything.');
  const data = await client.dataOf(config);
  const state = data && decodeAccount('Config', data);
  if (state === null) return [...faults, 'The launchpad has no settings: init did not run.'];
  for (const name of ['owner', 'treasury', 'voucherSigner'] as const)
    must(String(state[name]) === wanted[name], `The ${name} is ${state[name]}, not ${wanted[name]}.`);
  must(
    state.timelockSeconds === wanted.timelockSeconds,
    `Settings wait ${state.timelockSeconds} s, not ${wanted.timelockSeconds}.`,
  );
  must(String(state.dollarMint) === dollarMint, `The dollar is ${state.dollarMint}, not ${dollarMint}.`);
  must(
    state.feeVaults.every((vault, index) => String(vault) === feeVaults[index]),
    'Not all vaults of credits are open.',
  );
  const mint = await client.dataOf(dollarMint);
  must(
    mint?.length === mintBytes && mint[44] === usdDecimals,
    `The dollar ${dollarMint} is no mint of six decimals of the classic token program.`,
  );
  const test =
    mint !== null &&
    littleEndian(mint.subarray(0, 4)) === 1n &&
    Buffer.compare(mint.subarray(4, 36), keyBytes(base58(config))) === 0;
  must((state.allowsTest === 1n) === test, 'Test tokens are allowed where dollars are real, or the other way round.');
  return faults;
};
