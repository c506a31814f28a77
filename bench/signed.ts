import type { System } from '@mintage/devnet';
import { freePort } from '@mintage/devnet/freePort';
import { digestOf, infoAuthTypedData, infoBodyHashes, type SigningContext } from '@mintage/protocol';
import { addApiKey, recoverDigestSigner, userOfWallet } from '@mintage/server/api';
import { recoverAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { otherCore, serverCore, startApiProcess, untilListening } from './apiServer.ts';
import { type BenchSystem, withBenchSystem } from './benchSystem.ts';
import { startPinned, stopChild } from './pinned.ts';
import {
  connections,
  fireRound,
  type Measured,
  measured,
  median,
  micros,
  microsOf,
  roundMs,
  warmUp,
} from './rounds.ts';

const rounds = 5;
const body = { type: 'getUserFees' };

/**
 * One read of `/info`, signed by a wallet (wire contract 4.6), beside the same read with an API key and beside a bare node:http
 * server that answers as many bytes: same core, same run, rounds in turn. The result is the ratio of requests per second of the
 * server's CPU. The same signature is sent again and again: nothing is remembered of it, so it costs what a new one does.
 */
export const benchSigned = (): Promise<void> => withBenchSystem('base-sepolia', run);

const run = async ({ system, databaseUrl, home, onEnd }: BenchSystem): Promise<void> => {
  const reader = await makeReader(system);
  await timeInProcess(reader);

  const api = await startApiProcess(system, databaseUrl, home);
  onEnd(() => stopChild(api.child));
  const load = startPinned(otherCore, new URL('load.ts', import.meta.url), {});
  onEnd(() => stopChild(load));
  const fire = (port: number, headers: Record<string, string>) => (ms: number) =>
    fireRound(load, { host: '127.0.0.1', port, request: requestText(port, headers), connections, ms, most: 400_000 });

  const signed = fire(api.port, reader.signedHeaders);
  const keyed = fire(api.port, { Authorization: `Bearer ${reader.key}` });
  await warmUp(signed);
  const bodyLength = await warmUp(keyed);
  const barePort = await freePort();
  const bareServer = startPinned(serverCore, new URL('bareServer.ts', import.meta.url), {
    PORT: String(barePort),
    LENGTH: String(bodyLength),
  });
  onEnd(() => stopChild(bareServer));
  await untilListening(barePort);
  const bare = fire(barePort, {});
  await warmUp(bare);

  const ratios: number[] = [];
  const bareRatios: number[] = [];
  console.log(`\n${connections} connections, ${roundMs / 1000} s a round, ${bodyLength} bytes an answer`);
  console.log(
    'round     signed req/s    by key req/s    bare req/s   CPU of by key / signed   CPU µs: signed / by key / bare',
  );
  for (let round = 1; round <= rounds; round++) {
    const ours = await measured(api.child, () => signed(roundMs));
    const byKey = await measured(api.child, () => keyed(roundMs));
    const theirs = await measured(bareServer, () => bare(roundMs));
    if (ours.refused + byKey.refused + theirs.refused > 0) {
      throw new Error('Requests were refused: the figures mean nothing.');
    }
    ratios.push(cpuRatio(byKey, ours));
    bareRatios.push(cpuRatio(theirs, ours));
    const cells = [
      String(round).padEnd(8),
      ours.perSecond.toFixed(0).padStart(14),
      byKey.perSecond.toFixed(0).padStart(16),
      theirs.perSecond.toFixed(0).padStart(14),
      (ratios.at(-1) ?? 0).toFixed(3).padStart(25),
      [ours, byKey, theirs]
        .map(({ cpuMicros }) => micros(cpuMicros))
        .join(' / ')
        .padStart(34),
    ];
    console.log(cells.join(''));
  }
  console.log(`signed to bare ${median(bareRatios).toFixed(3)}`);
  console.log(`ratio ${median(ratios).toFixed(3)}`);
};

/** NaN where the system does not tell the CPU time. */
const cpuRatio = (one: Measured, other: Measured): number =>
  (one.cpuMicros ?? Number.NaN) / (other.cpuMicros ?? Number.NaN);

interface Reader {
  signing: SigningContext;
  signature: `0x${string}`;
  signedHeaders: Record<string, string>;
  key: string;
}

/** A registered wallet that signed the read, and an API key of the same user. */
const makeReader = async ({ api }: System): Promise<Reader> => {
  if (!api) throw new Error('The system has no API.');
  const account = privateKeyToAccount(generatePrivateKey());
  const { userId } = await userOfWallet(api.context, account.address.toLowerCase() as `0x${string}`);
  const { key } = await addApiKey(api.context, api.context.auth.apiKeyBrand, {
    userId,
    name: 'bench',
    scopes: ['read'],
    createdAt: new Date(),
    expiresAt: null,
    actsFrom: null,
  });
  const { platformName } = api.context.config;
  const signing = { platformName, signatureChainId: 1n, nonce: Date.now(), expiresAfter: 3_600_000 };
  const signature = await account.sign({ hash: signedDigest(signing) });
  return {
    signing,
    signature,
    key,
    signedHeaders: {
      Authorization: `Bearer ${account.address}`,
      'x-info-signature': signature,
      'x-info-nonce': String(signing.nonce),
      'x-info-expires-after': String(signing.expiresAfter),
      'x-info-signature-chain-id': '0x1',
    },
  };
};

const signedDigest = (signing: SigningContext): `0x${string}` => {
  const [bodyHash] = infoBodyHashes(body, []);
  return digestOf(infoAuthTypedData(signing, body.type, bodyHash as `0x${string}`));
};

const line = (what: string, value: number): void => console.log(`${what.padEnd(44)}${value.toFixed(1).padStart(9)} µs`);

/** Microseconds of what a signature costs, beside the same recovery in JavaScript. */
const timeInProcess = async ({ signing, signature }: Reader): Promise<void> => {
  const digest = signedDigest(signing);
  line('hash of the read', await microsOf(5_000, () => signedDigest(signing)));
  line('recovery of the signer', await microsOf(10_000, () => recoverDigestSigner(digest, signature)));
  line('both', await microsOf(5_000, () => recoverDigestSigner(signedDigest(signing), signature)));
  line(
    'recovery in JavaScript (viem), to compare',
    await microsOf(500, () => recoverAddress({ hash: digest, signature })),
  );
};

const requestText = (port: number, headers: Record<string, string>): string => {
  const text = JSON.stringify(body);
  return [
    'POST /functions/v1/info HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    text,
  ].join('\r\n');
};
