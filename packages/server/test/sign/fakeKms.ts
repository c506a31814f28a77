import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { patientServer } from '@mintage/devnet/patientServer';

/** What the fake does with the next requests. */
export type KmsMood = 'well' | 'throttles' | 'fails' | 'hangs' | 'denies' | 'cutsOff' | 'babbles' | 'emptyAnswer';

/**
 * The protocol of AWS KMS as its documentation has it, for Encrypt and Decrypt: JSON 1.1 by `X-Amz-Target`, signed by Signature
 * Version 4, which is computed here anew. Keys never leave it.
 */
export interface FakeKms {
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Ids of its keys. */
  keyIds: readonly string[];
  /** Lasts until it is changed, or for so many requests. */
  become(mood: KmsMood, requests?: number): void;
  /** Targets of the requests so far, refused ones too. */
  asked: string[];
  /** Plain data keys that it saw; for tests that search for them. */
  seen: Buffer[];
  stop(): Promise<void>;
}

const json = 'application/x-amz-json-1.1';

export const startFakeKms = async (keyIds: readonly string[]): Promise<FakeKms> => {
  const region = 'eu-test-1';
  const [accessKeyId, secretAccessKey] = ['AKIAFAKEFAKEFAKEFAKE', randomBytes(30).toString('base64')];
  const keys = new Map(keyIds.map((id) => [id, randomBytes(32)]));
  const asked: string[] = [];
  const seen: Buffer[] = [];
  let mood: KmsMood = 'well';
  let moodRequests = Number.POSITIVE_INFINITY;
  const stopping = new AbortController();

  const moodNow = (): KmsMood => {
    if (moodRequests <= 0) mood = 'well';
    moodRequests -= 1;
    return mood;
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const target = String(request.headers['x-amz-target']);
    asked.push(target);
    const answer = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': json }).end(JSON.stringify(value));
    const refuse = (type: string, message: string, status = 400) => answer(status, { __type: type, message });

    const now = moodNow();
    if (now === 'hangs') return setTimeout(600_000, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    if (now === 'throttles') return void refuse('ThrottlingException', 'Rate exceeded');
    if (now === 'fails') return void refuse('KMSInternalException', 'Try again', 500);
    if (now === 'denies') return void refuse('AccessDeniedException', 'Not authorised');
    if (now === 'cutsOff') return void request.socket.destroy();

    const wrong = signatureError(request, body, { region, accessKeyId, secretAccessKey });
    if (wrong !== null) return void refuse('IncompleteSignatureException', wrong, 403);
    if (request.method !== 'POST' || request.headers['content-type'] !== json)
      return void refuse('Sender', 'not JSON 1.1');
    const input = JSON.parse(body) as Record<string, string> & { EncryptionContext?: Record<string, string> };
    const id = input.KeyId?.split('/').at(-1) ?? '';
    const key = keys.get(id);
    if (key === undefined) return void refuse('NotFoundException', `Key '${id}' does not exist`);
    const words = JSON.stringify(Object.entries(input.EncryptionContext ?? {}).toSorted());
    const arn = `arn:aws:kms:${region}:111122223333:key/${id}`;

    const answerWith = (values: Record<string, string>): void => {
      if (now === 'emptyAnswer') return void answer(200, { KeyId: arn });
      const text = JSON.stringify({ KeyId: arn, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT', ...values });
      response.writeHead(200, { 'content-type': json }).end(now === 'babbles' ? broken(values) : text);
    };
    if (target === 'TrentService.Encrypt') {
      const plain = Buffer.from(input.Plaintext ?? '', 'base64');
      seen.push(plain);
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(words));
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
      const blob = Buffer.concat([Buffer.from([id.length]), Buffer.from(id), nonce, cipher.getAuthTag(), sealed]);
      return answerWith({ CiphertextBlob: blob.toString('base64') });
    }
    if (target !== 'TrentService.Decrypt') return void refuse('UnknownOperationException', target);
    const blob = Buffer.from(input.CiphertextBlob ?? '', 'base64');
    const idEnd = 1 + (blob[0] ?? 0);
    try {
      if (blob.subarray(1, idEnd).toString() !== id) {
        return void (keys.has(blob.subarray(1, idEnd).toString())
          ? refuse(
              'IncorrectKeyException',
              'The key ID in the request does not identify a CMK that can perform this operation',
            )
          : refuse('InvalidCiphertextException', ''));
      }
      const decipher = createDecipheriv('aes-256-gcm', key, blob.subarray(idEnd, idEnd + 12), { authTagLength: 16 });
      decipher.setAAD(Buffer.from(words)).setAuthTag(blob.subarray(idEnd + 12, idEnd + 28));
      const plain = Buffer.concat([decipher.update(blob.subarray(idEnd + 28)), decipher.final()]);
      seen.push(plain);
      return answerWith({ Plaintext: plain.toString('base64') });
    } catch {
      return void refuse('InvalidCiphertextException', '');
    }
  };

  const server = createServer(patientServer, (request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region,
    accessKeyId,
    secretAccessKey,
    keyIds,
    become(next, requests = Number.POSITIVE_INFINITY) {
      mood = next;
      moodRequests = requests;
    },
    asked,
    seen,
    async stop() {
      stopping.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
};

/** Not JSON, in the way that has a parser quote what follows. */
const broken = (values: Record<string, string>): string => `{"":x${Object.values(values).join()}}`;

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * What is wrong with a request's signature, null when nothing is.
 * Source: docs.aws.amazon.com, "Create a signed AWS API request" (Signature Version 4).
 */
const signatureError = (
  { method, url, headers }: IncomingMessage,
  body: string,
  who: Pick<FakeKms, 'region' | 'accessKeyId' | 'secretAccessKey'>,
): string | null => {
  const parsed =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/kms\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (parsed === null) return 'no signature of this form';
  const [, accessKeyId, day = '', region, signed = '', signature] = parsed;
  if (accessKeyId !== who.accessKeyId) return 'an unknown access key';
  if (region !== who.region) return 'another region';
  const names = signed.split(';');
  for (const name of ['host', 'x-amz-date', 'x-amz-target']) if (!names.includes(name)) return `${name} is not signed`;
  const time = String(headers['x-amz-date']);
  if (!time.startsWith(day)) return 'another day';
  const bodyHash = sha256(body);
  if ((headers['x-amz-content-sha256'] ?? bodyHash) !== bodyHash) return 'another body';
  const headerLines = names.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
  const canonical = [method, url, '', headerLines, signed, bodyHash].join('\n');
  const scope = `${day}/${region}/kms/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [day, region as string, 'kms', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${who.secretAccessKey}`,
  );
  return hmac(key, toSign).toString('hex') === signature ? null : 'another signature';
};
