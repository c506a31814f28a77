import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chainBySlug } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deploymentOf } from './deployments.ts';

const chain = chainBySlug('base-sepolia');
const digits = (letter: string) => `0x${letter.repeat(40)}`;
/** As an explorer prints addresses, in mixed case. */
const written = {
  chainId: chain.chainId,
  startBlock: 7,
  launchpad: digits('A'),
  poolHook: digits('A'),
  tokenFactory: digits('B'),
  lens: digits('C'),
  tokenImplementation: digits('D'),
  tokenBridge: null,
  layerZeroEndpoint: null,
  usd: digits('e'),
  usdDecimals: 6,
  usdSymbol: 'USDC',
  usdMintable: false,
  poolManager: digits('F'),
  venue: 'uniswap_v4',
  exchange: null,
  create3Factory: digits('1'),
  owner: digits('2'),
  codeHashes: {},
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deployments-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (fields: object) => {
  writeFileSync(join(folder, `${chain.chainId}.json`), JSON.stringify(fields));
  return deploymentOf(chain, folder);
};

describe('deploymentOf', () => {
  it('default: every address in the one form of its chain', () => {
    const lower = JSON.parse(JSON.stringify(written).replace(/0x\w+/g, (address) => address.toLowerCase())) as object;
    expect(read(written)).toEqual(lower);
    expect(read({ ...written, poolManager: null })).toMatchObject({ poolManager: null });
  });

  const exchange = { factory: digits('3'), deployer: digits('4'), poolCodeHash: `0x${'5'.repeat(64)}`, isEra: false };

  it('variation: on Solana a program, a dollar and an owner are all of it', () => {
    const solana = chainBySlug('solana-devnet');
    const file = join(folder, 'solana-devnet.json');
    const address = (letter: string) => letter.repeat(43);
    const facts = { startBlock: 5, launchpad: address('A'), usd: address('B'), owner: address('C') };
    const dollar = { usdDecimals: 6, usdSymbol: 'USDC', usdMintable: false };
    writeFileSync(file, JSON.stringify({ ...facts, ...dollar }));
    const read = deploymentOf(solana, folder);
    expect(read).toMatchObject({ ...facts, ...dollar, chainId: null, venue: 'mintage_pool', poolManager: null });
    writeFileSync(file, JSON.stringify({ ...facts, ...dollar, usd: digits('a') }));
    expect(() => deploymentOf(solana, folder)).toThrow(/usd/);
  });

  it('variation: an exchange of the form of Uniswap v3', () => {
    const onV3 = { venue: 'pancake_v3', poolManager: null, exchange };
    expect(read({ ...written, ...onV3 })).toMatchObject(onV3);
  });

  it.each([
    ['launchpad', undefined],
    ['usd', null],
    ['poolManager', '0x12'],
    ['owner', chainBySlug('solana').dollarToken.address],
    ['startBlock', -1],
    ['usdDecimals', '6'],
    ['usdSymbol', ''],
    ['usdMintable', 'no'],
    ['venue', 'uniswap_v2'],
    ['exchange', exchange],
    ['codeHashes', { Lens: digits('1') }],
  ])('error: %s is %j', (key, value) => {
    expect(() => read({ ...written, [key]: value })).toThrow(
      new RegExp(`84532.json is no deployment on base-sepolia; deploy again[^]* at ${key}`),
    );
  });

  it.each([
    ['factory', null],
    ['poolCodeHash', digits('5')],
    ['isEra', undefined],
    ['router', digits('6')],
  ])('error: an exchange with %s %j', (key, value) => {
    const wrong = { ...written, venue: 'uniswap_v3', poolManager: null, exchange: { ...exchange, [key]: value } };
    expect(() => read(wrong)).toThrow('84532.json is no deployment on base-sepolia;');
  });

  it('W7 error: the file of another chain', () => {
    expect(() => read({ ...written, chainId: 1 })).toThrow('is 1, and base-sepolia is chain 84532');
  });

  it('error: no file, and one that is no JSON', () => {
    expect(() => deploymentOf(chain, join(folder, 'nowhere'))).toThrow('No deployment on chain 84532: neither');
    writeFileSync(join(folder, '84532.json'), '{');
    expect(() => deploymentOf(chain, folder)).toThrow('cannot be read as a deployment.');
  });
});
