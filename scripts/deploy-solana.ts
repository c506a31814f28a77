/**
 * `npm run deploy:solana`: places the launchpad on a Solana cluster and writes the file that the service reads, or checks what is there.
 * A try that stopped goes on when it is run again. docs/solana.md
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import {
  addressIn,
  faultsOf,
  giveUpAuthority,
  type LaunchpadPlan,
  placeLaunchpad,
  placesOf,
  SolanaClient,
  signerIn,
} from '@mintage/devnet/solana';
import { type Base58, chainBySlug, fixedWall } from '@mintage/protocol';
import { launchpadFile } from '@mintage/solana/program';
import { Failure } from '../packages/cli/src/failure.ts';
import { operator } from './operator.ts';

const usage = `npm run deploy:solana -- <solana|solana-devnet> --rpc URL --payer FILE --program FILE --buffer FILE
    (--usd MINT | --test-usd FILE) --owner ADDRESS --treasury ADDRESS --voucher-signer ADDRESS --out FILE [words]

Files are key pairs as \`solana-keygen new\` writes them. The payer may upgrade the program until --final.
  --usd MINT             the dollar of the chain, of six decimals
  --test-usd FILE        the key of a test dollar that anybody mints; on a test cluster only
  --timelock SECONDS     how long changed settings wait: 172800 (48 h), 0 with --test-usd, when absent
  --final                takes the right to upgrade away from everybody, once all is checked: for good
  --check                sends nothing, and says what is not as these words want it`;

const options = {
  rpc: { type: 'string' },
  payer: { type: 'string' },
  program: { type: 'string' },
  buffer: { type: 'string' },
  usd: { type: 'string' },
  'test-usd': { type: 'string' },
  owner: { type: 'string' },
  treasury: { type: 'string' },
  'voucher-signer': { type: 'string' },
  timelock: { type: 'string' },
  out: { type: 'string' },
  final: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
} as const;

const read = (words: string[]) => {
  try {
    return parseArgs({ args: words, options, allowPositionals: true });
  } catch (error) {
    throw new Failure('usage', (error as Error).message, usage);
  }
};

await operator({
  usage,
  async run(given, output) {
    const { values, positionals } = read(given);
    const need = (name: keyof typeof options): string => {
      const value = values[name];
      if (typeof value !== 'string') throw new Failure('usage', `--${name} is missing.`, usage);
      return value;
    };
    const [slug] = positionals;
    if (slug !== 'solana' && slug !== 'solana-devnet') throw new Failure('usage', 'Name the chain.', usage);
    const isTest = values['test-usd'] !== undefined;
    if (isTest && !chainBySlug(slug).testnet) throw new Failure('usage', 'A test dollar is for test clusters.', usage);
    const client = new SolanaClient(need('rpc'));
    const dollar = isTest ? await signerIn(need('test-usd')) : addressIn(need('usd'));
    const program = await signerIn(need('program'));
    const settings = {
      code: readFileSync(launchpadFile),
      owner: addressIn(need('owner')),
      treasury: addressIn(need('treasury')),
      voucherSigner: addressIn(need('voucher-signer')),
      timelockSeconds: BigInt(values.timelock ?? (isTest ? 0 : 172_800)),
    };
    const dollarMint = typeof dollar === 'string' ? dollar : dollar.address;
    const wall = fixedWall(settings.treasury as string as Base58, {
      launchpad: program.address as string as Base58,
      usd: dollarMint as string as Base58,
    });
    if (wall !== null)
      throw new Failure('refused', `The treasury is ${wall}: what it earns would stay there.`, 'Name a wallet.');
    const places = await placesOf(program.address, dollarMint);
    const fault = async (isFinal: boolean): Promise<void> => {
      const faults = await faultsOf(client, places, { ...settings, isFinal });
      if (faults.length > 0) throw new Failure('refused', faults.join('\n'), 'Nothing more was sent.');
    };
    if (values.check) {
      await fault(values.final);
      return output.isJson ? output.json({ faults: [] }) : output.print('All is as it should be.');
    }
    const startBlock = Number(await client.rpc.getSlot({ commitment: 'confirmed' }).send());
    const plan: LaunchpadPlan = {
      ...settings,
      payer: await signerIn(need('payer')),
      program,
      buffer: await signerIn(need('buffer')),
      dollar,
    };
    await placeLaunchpad(client, plan);
    await fault(false);
    if (values.final) {
      await giveUpAuthority(client, plan.payer, program.address);
      await fault(true);
    }
    const file = need('out');
    const deployment = {
      // Of the first try: the index begins there.
      startBlock: existsSync(file)
        ? (JSON.parse(readFileSync(file, 'utf8')) as { startBlock: number }).startBlock
        : startBlock,
      launchpad: program.address,
      usd: dollarMint,
      usdDecimals: 6,
      usdSymbol: 'USDC',
      usdMintable: isTest,
      owner: settings.owner,
    };
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(deployment, null, 2)}\n`);
    return output.isJson ? output.json(deployment) : output.print(JSON.stringify(deployment, null, 2));
  },
});
