import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  addressesOf,
  bridgeFaults,
  bridgeRoutes,
  create2Proxy,
  create3FactoryOf,
  creationCodeOf,
  type DeployOptions,
  deploy,
  hasHookFlags,
} from '@mintage/contracts/deploy';
import {
  chainBySlug,
  type EvmDeployment,
  type ExchangeV3,
  encodeCreate,
  type Slug,
  tokenBridgeAbi,
  type UniswapV4,
} from '@mintage/protocol';
import {
  type Abi,
  type Address,
  concat,
  createPublicClient,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getCreate2Address,
  type Hex,
  http,
  keccak256,
  numberToHex,
  pad,
  parseAbi,
  parseAbiParameters,
  stringToHex,
  toFunctionSelector,
  zeroAddress,
  zeroHash,
} from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Anvil, startAnvil } from '../src/anvil.ts';
import { localBridgeChain } from '../src/chains.ts';
import { devAccounts, devKey } from '../src/devnet.ts';
import { deployExchange, exchangeOf } from '../src/exchangeV3.ts';
import { deployLayerZero, layerZeroOf } from '../src/layerZero/world.ts';
import { startProxy } from '../src/proxy.ts';
import { rpcRequest } from '../src/rpc.ts';
import { deployUniswap } from '../src/uniswap.ts';
import { createWallet } from '../src/wallet.ts';

const scratch = mkdtempSync(join(tmpdir(), 'mintage-deploy-test-'));
const accounts = devAccounts();
const chain = chainBySlug('base-sepolia');
const peer = localBridgeChain(chainBySlug('unichain-testnet'), accounts);
const someone: Address = '0x00000000000000000000000000000000000a11ce';

/** Code that answers every call with one number. */
const answering = (value: number): Hex => `0x63${value.toString(16).padStart(8, '0')}5f5260205ff3`;

const timelockBuild = createRequire(import.meta.url)(
  '@openzeppelin/contracts/build/contracts/TimelockController.json',
) as { abi: Abi; bytecode: Hex };

let anvil: Anvil;
let options: DeployOptions;
let clean: unknown;

const rpc = (method: string, ...params: unknown[]): Promise<unknown> => rpcRequest(anvil.url, method, params);
const codeAt = (address: Address): Promise<unknown> => rpc('eth_getCode', address, 'latest');

const proposer = accounts.owner.address;
const deployOwnedBy = (owner: Address, proposers: Address[] = [proposer]) => deploy({ ...options, owner, proposers });

/** OpenZeppelin's own bytecode on the chain. */
const placeTimelock = async (delay: number, proposers: Address[], executors: Address[], admin: Address) => {
  const args = [delay, proposers, executors, admin];
  const bytecode = encodeDeployData({ abi: timelockBuild.abi, bytecode: timelockBuild.bytecode, args });
  const address = getCreate2Address({ from: create2Proxy, salt: zeroHash, bytecode });
  await createWallet(anvil.url, 84532).send(accounts.deployer, {
    to: create2Proxy,
    data: concat([zeroHash, bytecode]),
  });
  return address;
};

const deployer = accounts.deployer.address;

/** A call of the timelock by the deployer. */
const act = (timelock: Address, functionName: string, ...args: unknown[]) =>
  createWallet(anvil.url, 84532).send(accounts.deployer, {
    to: timelock,
    data: encodeFunctionData({ abi: timelockBuild.abi, functionName, args }),
  });

const operationParameters = parseAbiParameters('address, uint256, bytes, bytes32, bytes32');

/** The operation that changes the timelock's own delay. */
const updateDelay = (timelock: Address, seconds: number, salt: string) => {
  const data = encodeFunctionData({ abi: timelockBuild.abi, functionName: 'updateDelay', args: [seconds] });
  return [timelock, 0n, data, zeroHash, stringToHex(salt, { size: 32 })] as const;
};

beforeAll(async () => {
  // The first block of a timelock is looked for in old states, and every test's rolled back blocks count as kept.
  anvil = await startAnvil({ chainId: 84532, cacheDir: join(scratch, 'cache'), keptStates: 1_000, heartbeat: false });
  for (const { address } of [accounts.deployer, accounts.layerZero, accounts.owner])
    await rpc('anvil_setBalance', address, numberToHex(10n ** 24n));
  const uniswap = await deployUniswap(anvil.url, createWallet(anvil.url, 84532), accounts);
  await deployLayerZero(anvil.url, createWallet(anvil.url, 84532), accounts, chain.eid, [peer.eid]);
  options = {
    rpcUrl: anvil.url,
    account: accounts.deployer,
    chain: localBridgeChain(chain, accounts),
    usd: 'test',
    venue: { kind: 'uniswap_v4', poolManager: uniswap.poolManager },
    bridge: { guardian: accounts.guardian.address, peers: [peer] },
    owner: accounts.owner.address,
    treasury: accounts.treasury.address,
    voucherSigner: accounts.voucherSigner.address,
    testPoolType: true,
    pollMs: 20,
  };
});
afterAll(async () => {
  await anvil.stop();
  rmSync(scratch, { recursive: true, force: true });
});
beforeEach(async () => {
  if (clean !== undefined) await rpc('evm_revert', clean);
  clean = await rpc('evm_snapshot');
});

describe('deploy', () => {
  it('writes what it did, with the hash of each runtime code', async () => {
    const out = join(scratch, 'deployments', '84532.json');
    const deployment = await deploy({ ...options, out });
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(deployment);
    expect(deployment).toMatchObject({ chainId: 84532, usdDecimals: 6, usdSymbol: 'USDC', usdMintable: true });
    const addresses = {
      TokenBridge: deployment.tokenBridge as Address,
      TestUSD: deployment.usd,
      LaunchToken: deployment.tokenImplementation,
      Launchpad: deployment.launchpad,
      TokenFactory: deployment.tokenFactory,
      Opening: addressesOf(deployment.create3Factory).Opening,
      Lens: deployment.lens,
    };
    expect(new Set(Object.keys(deployment.codeHashes))).toEqual(new Set(Object.keys(addresses)));
    for (const [name, address] of Object.entries(addresses))
      expect(keccak256((await codeAt(address)) as Hex)).toBe(deployment.codeHashes[name]);
    expect(deployment.poolHook).toBe(deployment.launchpad);
  });

  it('starts at the block in which the Launchpad came', async () => {
    const { startBlock, launchpad } = await deploy(options);
    expect((await deploy(options)).startBlock).toBe(startBlock);
    expect(await rpc('eth_getCode', launchpad, numberToHex(startBlock - 1))).toBe('0x');
    expect(await rpc('eth_getCode', launchpad, numberToHex(startBlock))).not.toBe('0x');
  });

  it('sends nothing when everything is there', async () => {
    const out = join(scratch, 'twice.json');
    const first = await deploy({ ...options, out });
    const nonce = await rpc('eth_getTransactionCount', accounts.deployer.address, 'latest');
    expect(await deploy({ ...options, out })).toEqual(first);
    expect(await rpc('eth_getTransactionCount', accounts.deployer.address, 'latest')).toBe(nonce);
  });

  it('takes up a deployment that was interrupted', async () => {
    const whole = await deploy(options);
    await rpc('evm_revert', clean);
    clean = await rpc('evm_snapshot');
    // The second half fails: nobody can be owner zero.
    await expect(deploy({ ...options, owner: pad('0x', { size: 20 }) })).rejects.toThrow();
    expect(await codeAt(whole.usd)).not.toBe('0x');
    expect(await codeAt(whole.launchpad)).toBe('0x');
    expect((await deploy(options)).codeHashes).toEqual(whole.codeHashes);
  });

  it('behavior: a block that comes while the chain answers slowly, and that no other follows, is not overlooked', async () => {
    const proxy = await startProxy(anvil.url);
    let asked = 0;
    proxy.intercept = async ([call], forward) => {
      // A block comes each time after a receipt was asked for in vain, and just then a block takes its time.
      if (call?.method === 'eth_getBlockByNumber') await sleep(100);
      const answer = await forward();
      if (call?.method === 'eth_getTransactionReceipt' && ++asked % 3 === 2) await rpc('evm_mine');
      return answer;
    };
    await rpc('evm_setAutomine', false);
    try {
      const { launchpad } = await deploy({ ...options, rpcUrl: proxy.url });
      expect(await codeAt(launchpad as Address)).not.toBe('0x');
    } finally {
      await rpc('evm_setAutomine', true);
      await proxy.stop();
    }
  });

  it('behavior: another deployer has other addresses', async () => {
    const own = await deploy(options);
    await rpc('anvil_setBalance', accounts.alice.address, numberToHex(10n ** 24n));
    const other = await deploy({ ...options, account: accounts.alice });
    expect(other.create3Factory).not.toBe(own.create3Factory);
    expect(other.launchpad).not.toBe(own.launchpad);
  });

  it('error: the provider is another chain', async () => {
    const wrong = deploy({ ...options, chain: chainBySlug('base') });
    await expect(wrong).rejects.toThrow('answers for chain 84532, but base is chain 8453');
  });

  it('error: there is no PoolManager', async () => {
    await expect(deploy({ ...options, venue: { kind: 'uniswap_v4', poolManager: someone } })).rejects.toThrow(
      'no code at',
    );
  });

  it('C18 error: what stands there has another owner', async () => {
    await deploy(options);
    const taken = deploy({ ...options, owner: someone });
    await expect(taken).rejects.toThrow(`The bridge's owner is "${options.owner.toLowerCase()}", not "${someone}".`);
  });

  it('C18 L2 error: the owner of a real deployment acts at once, after less than 48 hours, or says only that it waits', async () => {
    await expect(deployOwnedBy(accounts.owner.address)).rejects.toThrow('is no timelock');
    await rpc('anvil_setCode', someone, answering(48 * 3600));
    await expect(deployOwnedBy(someone)).rejects.toThrow('is no timelock that we know');
    const short = await placeTimelock(48 * 3600 - 1, [proposer], [zeroAddress], zeroAddress);
    await expect(deployOwnedBy(short)).rejects.toThrow('waits 172799 seconds');
  });

  it('L2 error: the timelock has an admin beside itself, other proposers than were named, or nobody who executes', async () => {
    const days = 48 * 3600;
    const administered = await placeTimelock(days, [proposer], [zeroAddress], someone);
    await expect(deployOwnedBy(administered)).rejects.toThrow(/not its only admin: 0x0{34}.*11ce has to renounce/i);
    const another = await placeTimelock(days, [proposer, someone], [zeroAddress], zeroAddress);
    await expect(deployOwnedBy(another)).rejects.toThrow('takes proposals of');
    await expect(deployOwnedBy(await placeTimelock(days, [], [zeroAddress], zeroAddress), [])).rejects.toThrow(
      'of nobody',
    );
    const mute = await placeTimelock(days, [proposer], [], zeroAddress);
    await expect(deployOwnedBy(mute)).rejects.toThrow('has no executor');

    const right = await placeTimelock(days, [proposer], [zeroAddress], zeroAddress);
    expect((await deployOwnedBy(right)).owner).toBe(right.toLowerCase());
  });

  it('L2 error: an operation waits in the timelock that was announced while it acted at once, or long before', async () => {
    const timelock = await placeTimelock(0, [proposer, deployer], [zeroAddress], deployer);
    const back = updateDelay(timelock, 0, 'back');
    await act(timelock, 'schedule', ...back, 0);
    const raise = updateDelay(timelock, 48 * 3600, 'raise');
    await act(timelock, 'schedule', ...raise, 0);
    await act(timelock, 'execute', ...raise);
    await act(timelock, 'renounceRole', keccak256(stringToHex('PROPOSER_ROLE')), deployer);
    await act(timelock, 'renounceRole', zeroHash, deployer);
    await expect(deployOwnedBy(timelock)).rejects.toThrow(/has the operation 0x[0-9a-f]{64} pending/);
    // So it would have gone.
    await act(timelock, 'execute', ...back);
    await expect(deployOwnedBy(timelock)).rejects.toThrow('waits 0 seconds');

    const old = await placeTimelock(48 * 3600, [deployer], [zeroAddress], zeroAddress);
    await act(old, 'schedule', ...updateDelay(old, 0, 'back'), 48 * 3600);
    await rpc('evm_increaseTime', 48 * 3600);
    await expect(deployOwnedBy(old, [deployer])).rejects.toThrow(/has the operation 0x[0-9a-f]{64} pending/);
  });

  it('L2 behavior: what was executed or cancelled before does not matter', async () => {
    const timelock = await placeTimelock(0, [deployer], [zeroAddress], zeroAddress);
    const back = updateDelay(timelock, 0, 'back');
    await act(timelock, 'schedule', ...back, 0);
    await act(timelock, 'cancel', keccak256(encodeAbiParameters(operationParameters, back)));
    const raise = updateDelay(timelock, 48 * 3600, 'raise');
    await act(timelock, 'schedule', ...raise, 0);
    await act(timelock, 'execute', ...raise);
    expect((await deployOwnedBy(timelock, [deployer])).owner).toBe(timelock.toLowerCase());
  });

  it.each(['Launchpad', 'Lens', 'LaunchToken', 'TokenFactory', 'TokenBridge', 'Opening', 'TestUSD'] as const)(
    'C16 error: other code at the address of %s',
    async (name) => {
      const { create3Factory } = await deploy(options);
      const address = addressesOf(create3Factory)[name];
      const code = (await codeAt(address)) as Hex;
      await rpc('anvil_setCode', address, `${code.slice(0, -2)}${code.endsWith('00') ? '01' : '00'}`);
      await expect(deploy(options)).rejects.toThrow(`${name} at ${address} is not what this version deploys`);
    },
  );

  it('C16 behavior: all that tokens and the Launchpad trust names the others', async () => {
    const { launchpad, tokenFactory, tokenImplementation, tokenBridge } = await deploy(options);
    const answer = async (to: Address, getter: string): Promise<string> =>
      `0x${((await rpc('eth_call', { to, data: toFunctionSelector(`${getter}()`) }, 'latest')) as Hex).slice(-40)}`;
    for (const trusting of [tokenFactory, tokenImplementation]) {
      expect(await answer(trusting, 'launchpad')).toBe(launchpad);
      expect(await answer(trusting, 'bridge')).toBe(tokenBridge);
    }
    expect(await answer(tokenFactory, 'implementation')).toBe(tokenImplementation);
    expect(await answer(tokenImplementation, 'factory')).toBe(tokenFactory);
    expect(await answer(launchpad, 'factory')).toBe(tokenFactory);
    expect(hasHookFlags(launchpad)).toBe(true);
  });

  it('error: a contract is created without the library that it needs, or with one too many', () => {
    const args = [{}, zeroAddress];
    expect(() => creationCodeOf('LaunchpadV4', args)).toThrow('LaunchpadV4 is linked with OpeningV4, not nothing.');
    const withLibrary = () => creationCodeOf('OpeningV4', [], { OpeningV4: someone });
    expect(withLibrary).toThrow('OpeningV4 is linked with nothing, not OpeningV4.');
  });

  it('error: what stands there was built with other settings', async () => {
    await deploy(options);
    await expect(deploy({ ...options, testPoolType: false })).rejects.toThrow('Launchpad at');
  });
});

/** Places a token of ours by hand, so that its address is `someone`. */
const placeUsd = async (decimals: number): Promise<void> => {
  const code = await rpc('eth_call', { data: creationCodeOf('TestUSD', ['Dollar', 'USD', decimals]) }, 'latest');
  await rpc('anvil_setCode', someone, code);
};

describe('deploy, the dollar token', () => {
  it('is read from the chain, its transfers checked with a holder that has some', async () => {
    await placeUsd(18);
    await createWallet(anvil.url, 84532).send(accounts.deployer, {
      to: someone,
      data: `0x40c10f19${pad(accounts.deployer.address).slice(2)}${pad('0x64').slice(2)}`,
    });
    const deployment = await deploy({ ...options, usd: someone });
    expect(deployment).toMatchObject({ usd: someone, usdDecimals: 18, usdMintable: false });
    expect(deployment.codeHashes.TestUSD).toBeUndefined();
  });

  it('error: nobody named holds any', async () => {
    await placeUsd(6);
    await expect(deploy({ ...options, usd: someone })).rejects.toThrow('name an account that does');
  });

  it('error: too few decimals', async () => {
    await placeUsd(2);
    await expect(deploy({ ...options, usd: someone })).rejects.toThrow('has 2 decimals; 6 to 18 can be used');
  });

  it('error: no token', async () => {
    await expect(deploy({ ...options, usd: someone })).rejects.toThrow('does not answer decimals() and symbol()');
  });
});

const commandWords = () => {
  const people = `--owner ${options.owner} --treasury ${options.treasury} --voucher-signer ${options.voucherSigner}`;
  const bridge = `--guardian ${accounts.guardian.address}`;
  return `base-sepolia --rpc ${anvil.url} ${people} ${bridge} --out ${join(scratch, 'command.json')}`.split(' ');
};

/** LayerZero's local contracts where the real chain has its own. */
const standIn = async (): Promise<void> => {
  const { dvns: ours, ...local } = layerZeroOf(accounts);
  const { dvns, ...real } = chain.layerZero as NonNullable<typeof chain.layerZero>;
  for (const name of ['endpoint', 'sendLibrary', 'receiveLibrary', 'executor'] as const)
    await rpc('anvil_setCode', real[name], await codeAt(local[name]));
  await rpc('anvil_setCode', dvns.layerZeroLabs, await codeAt(ours.verifierA as Address));
};

describe('deploy, on a v3 exchange', () => {
  const { exchange } = exchangeOf('uniswap_v3');
  const onV3 = (change: Partial<ExchangeV3> = {}): DeployOptions => ({
    ...options,
    venue: { kind: 'uniswap_v3', exchange: { ...exchange, ...change } },
  });
  beforeEach(() => deployExchange(anvil.url, createWallet(anvil.url, 84532), accounts, 'uniswap_v3'));

  it('takes the other Launchpad, token and Lens, at the same addresses', async () => {
    const deployment = await deploy(onV3());
    expect(deployment).toMatchObject({ venue: 'uniswap_v3', poolManager: null, exchange });
    await rpc('evm_revert', clean);
    clean = await rpc('evm_snapshot');
    const other = await deploy(options);
    const same = ['launchpad', 'tokenImplementation', 'tokenFactory', 'lens', 'tokenBridge'] as const;
    for (const name of same) expect(deployment[name], name).toBe(other[name]);
    for (const name of ['Launchpad', 'LaunchToken', 'Lens', 'Opening'])
      expect(deployment.codeHashes[name], name).not.toBe(other.codeHashes[name]);
  });

  it.each<[string, Partial<ExchangeV3>, string]>([
    ['no factory', { factory: someone }, 'does not make and price a pool'],
    ['another deployer of pools', { deployer: someone }, 'makes a pool at'],
    ['other pools', { poolCodeHash: `0x${'12'.repeat(32)}` }, 'makes a pool at'],
    ["EraVM's formula on the EVM", { isEra: true }, 'makes a pool at'],
  ])('C1 error: %s, before anything is sent', async (_name, change, message) => {
    await expect(deploy(onV3(change))).rejects.toThrow(message);
    expect(await codeAt(create3FactoryOf(accounts.deployer.address).address)).toBe('0x');
  });

  it('without an exchange nothing is created, and the chain says why', async () => {
    const { launchpad, exchange: none } = await deploy({ ...options, venue: { kind: 'uniswap_v3', exchange: null } });
    expect(none).toBeNull();
    const token = { name: 'a', symbol: 'A', uri: '', salt: zeroHash, poolType: 9, deadline: 2n ** 40n };
    const created = createWallet(anvil.url, 84532).send(accounts.owner, { to: launchpad, data: encodeCreate(token) });
    await expect(created).rejects.toThrow('NoVenue');
  });
});

describe('deploy, the bridge', () => {
  /** A call of the bridge's owner, who is the endpoint's delegate too. */
  const asOwner = (to: Address, data: Hex) => createWallet(anvil.url, 84532).send(accounts.owner, { to, data });
  const layerZero = layerZeroOf(accounts);
  const faultsOf = async ({ tokenBridge, tokenFactory }: EvmDeployment) => {
    const { owner, bridge } = options;
    const [guardian, routes] = [bridge?.guardian as Address, bridgeRoutes(options.chain, [peer])];
    const client = createPublicClient({ transport: http(anvil.url), cacheTime: 0 });
    const expected = { owner, guardian, layerZero, factory: tokenFactory, routes };
    return bridgeFaults(client, tokenBridge as Address, expected);
  };

  it('X2 I4 every setting of every path is pinned, and one that is changed is told', async () => {
    const deployment = await deploy(options);
    expect(await faultsOf(deployment)).toEqual([]);
    const oapp = deployment.tokenBridge as Address;
    const unset = encodeAbiParameters(parseAbiParameters('(uint64, uint8, uint8, uint8, address[], address[])'), [
      [0n, 0, 0, 0, [], []],
    ]);
    const setConfig = parseAbi([
      'function setConfig(address oapp, address library, (uint32 eid, uint32 configType, bytes config)[] params)',
    ]);
    const args = [oapp, layerZero.receiveLibrary, [{ eid: peer.eid, configType: 2, config: unset }]] as const;
    await asOwner(layerZero.endpoint, encodeFunctionData({ abi: setConfig, functionName: 'setConfig', args }));
    const [fault, ...others] = await faultsOf(deployment);
    expect(fault).toMatch(/^What is verified on arrival of the path to 40333 is /);
    expect(others).toEqual([]);
    await expect(deploy(options)).rejects.toThrow('What is verified on arrival');
  });

  it('X7 a change of gas, guardian or owner is told', async () => {
    const deployment = await deploy(options);
    const bridge = deployment.tokenBridge as Address;
    const abi = tokenBridgeAbi;
    await asOwner(bridge, encodeFunctionData({ abi, functionName: 'setGas', args: [peer.eid, 1, 2] }));
    await asOwner(bridge, encodeFunctionData({ abi, functionName: 'setGuardian', args: [someone] }));
    expect((await faultsOf(deployment)).map((fault) => fault.split(' is ')[0])).toEqual([
      "The bridge's guardian",
      'The gas of the path to 40333',
    ]);
  });

  it('error: an endpoint of another chain, none at all, or a mainnet route with one verifier', async () => {
    const elsewhere = { ...options.chain, eid: chainBySlug('base').eid };
    await expect(deploy({ ...options, chain: elsewhere })).rejects.toThrow(
      'has the id 40245, but base-sepolia is 30184',
    );
    const none = { ...options.chain, layerZero: { ...layerZero, endpoint: someone } };
    await expect(deploy({ ...options, chain: none })).rejects.toThrow("LayerZero's endpoint");
    const routes = (here: Slug, there: Slug) => () => bridgeRoutes(chainBySlug(here), [chainBySlug(there)]);
    expect(routes('base', 'unichain')).toThrow('base and unichain share 1 of the verifiers that we know');
    expect(routes('base', 'arbitrum')()).toMatchObject([
      { eid: 30110, sendConfirmations: 450n, receiveConfirmations: 3600n },
    ]);
    expect(routes('base', 'monad')()).toMatchObject([{ transferGas: 240_000, registrationGas: 800_000 }]);
  });
});

/** What the real chain has, at the real addresses. */
const realVenue = async (): Promise<UniswapV4> => {
  const venue = chain.venue as UniswapV4;
  const local = (options.venue as UniswapV4).poolManager;
  await rpc('anvil_setCode', venue.poolManager, await codeAt(local));
  await standIn();
  return venue;
};

describe('the command', () => {
  const command = fileURLToPath(new URL('../../contracts/script/main.ts', import.meta.url));
  const run = (words: string[], key: string) =>
    promisify(execFile)(process.execPath, [command, ...words], { env: { ...process.env, DEPLOYER_KEY: key } });
  it('says what is missing and how it is used', async () => {
    const fails = run(commandWords(), 'none');
    await expect(fails).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('DEPLOYER_KEY must hold') });
    await expect(fails).rejects.toMatchObject({ stderr: expect.stringContaining('Usage: ') });
  });

  it("stops where the chain's own PoolManager is missing, before anything is sent", async () => {
    const fails = run(commandWords(), devKey('deployer'));
    await expect(fails).rejects.toMatchObject({ stderr: expect.stringContaining('(PoolManager) on this chain') });
    expect(await codeAt(create3FactoryOf(accounts.deployer.address).address)).toBe('0x');
  });

  it('asks for the exchange where no list names it, and for none where the venue is Uniswap v4', async () => {
    const on = (slug: string, ...more: string[]) =>
      run([slug, ...commandWords().slice(1), ...more], devKey('deployer')).catch(({ stderr }) => stderr);
    expect(await on('abstract')).toContain('No list names the factory of abstract: give --pool-factory');
    expect(await on('base-sepolia', '--pool-factory', someone)).toContain('it takes no --pool-factory');
    const bad = await on('zksync-testnet', '--pool-factory', someone, '--pool-code-hash', '0x12');
    expect(bad).toContain('--pool-code-hash must be');
  });

  it('error: a treasury that keeps what it gets, or an address with a wrong checksum', async () => {
    const withTreasury = (treasury: string) =>
      run([...commandWords(), '--treasury', treasury], devKey('deployer')).catch(({ stderr }) => stderr);
    expect(await withTreasury('0x000000000000000000000000000000000000dEaD')).toContain('must not be a burn address');
    expect(await withTreasury(chain.dollarToken.address)).toContain('must not be the contract of the dollar token');
    expect(await withTreasury('0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toContain('must be an address');
  });

  it('C18 error: on a mainnet the owner has to be a timelock, before anything is sent', async () => {
    await rpc('anvil_setChainId', chainBySlug('base')?.chainId);
    try {
      const fails = run(['base', ...commandWords().slice(1)], devKey('deployer'));
      await expect(fails).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('is no timelock') });
      expect(await codeAt(create3FactoryOf(accounts.deployer.address).address)).toBe('0x');
    } finally {
      await rpc('anvil_setChainId', chain.chainId);
    }
  });

  it('deploys and writes the file; a dry run before says the same, and does nothing', async () => {
    const { poolManager } = await realVenue();
    const words = [...commandWords(), '--usd', 'test'];
    const before = await rpc('eth_blockNumber');
    const { stdout } = await run([...words, '--dry-run'], devKey('deployer'));
    const { dryRun, ...foretold } = JSON.parse(stdout);
    expect(dryRun.deployer).toBe(accounts.deployer.address);
    expect(Number(dryRun.gasCost)).toBeGreaterThan(0);
    expect(await rpc('eth_blockNumber')).toBe(before);
    expect(existsSync(join(scratch, 'command.json'))).toBe(false);

    await run(words, devKey('deployer'));
    expect(JSON.parse(readFileSync(join(scratch, 'command.json'), 'utf8'))).toEqual({
      ...foretold,
      startBlock: expect.any(Number),
    });
    const written = JSON.parse(readFileSync(join(scratch, 'command.json'), 'utf8')) as EvmDeployment;
    expect(written).toMatchObject({ chainId: 84532, poolManager, usdMintable: true });
    expect(await codeAt(written.launchpad)).not.toBe('0x');
  });
});

describe('mintage deploy', () => {
  const script = fileURLToPath(new URL('../../../scripts/deploy.ts', import.meta.url));
  const out = join(scratch, 'interrupted', '84532.json');
  const words = () => [...commandWords().slice(0, -1), out, '--usd', 'test', '--yes', '--json'];
  const start = () => {
    const env = { ...process.env, DEPLOYER_KEY: devKey('deployer') };
    const child = spawn(process.execPath, [script, ...words()], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk));
    const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return {
      child,
      said: () => said,
      ended: ended.then(([stdout, stderr, [code]]) => ({ stdout, stderr, code: code as number | null })),
    };
  };
  const countOf = async (block: string) => Number(await rpc('eth_getTransactionCount', deployer, block));
  const isWaiting = async () => (await countOf('pending')) > (await countOf('latest'));

  afterEach(async () => {
    await rpc('evm_setIntervalMining', 0);
    await rpc('evm_setAutomine', true);
  });

  it('behavior: ended by Ctrl-C with a transaction on its way, it sends that one no second time and goes on', async () => {
    await realVenue();
    await rpc('evm_setAutomine', false);
    const before = await countOf('latest');
    const first = start();
    // The factory and one contract are there, and the next is sent and in no block.
    for (const mined of [1, 2]) {
      await expect.poll(isWaiting).toBe(true);
      await rpc('evm_mine');
      expect(await countOf('latest')).toBe(before + mined);
    }
    await expect.poll(isWaiting).toBe(true);
    first.child.kill('SIGINT');
    const { code, stderr } = await first.ended;
    expect({ code, stderr }).toMatchObject({ code: 130, stderr: expect.stringContaining('goes on where it stopped') });
    expect(existsSync(out) || existsSync(`${out}.${first.child.pid}`)).toBe(false);

    const second = start();
    await expect.poll(second.said).toContain('"dryRun"');
    await sleep(3_000); // long enough to send another
    expect(await countOf('pending')).toBe(before + 3);
    // A block a second, as anvil's automine leaves a transaction waiting now and then.
    await rpc('evm_setIntervalMining', 1);
    const done = await second.ended;
    expect(done, done.stderr).toMatchObject({ code: 0, stderr: '' });
    const [dryRun, deployment] = done.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(dryRun).toMatchObject({ dryRun: { deployer } });
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(deployment);
    // One for the factory and one for each contract: none twice.
    expect((await countOf('latest')) - before).toBe(1 + Object.keys(deployment.codeHashes).length);
  });
});
