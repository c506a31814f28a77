import type { DecryptCommandOutput, KMSClient } from '@aws-sdk/client-kms';
import { BrokenSealError, KekMissingError, KekUnavailableError, type KeyEncryption } from './keyEncryption.ts';

type Sdk = typeof import('@aws-sdk/client-kms');

/** One try, at most; three tries with pauses stay below the time for which a caller waits. */
const connectionTimeoutMs = 1_000;
const requestTimeoutMs = 2_000;
const maxAttempts = 3;

/**
 * A KEK that never leaves AWS KMS: a symmetric key, which wraps and unwraps data keys there. The words of a secret are its
 * encryption context, so that KMS itself refuses others, and its log names them. Endpoint, region and credentials come from
 * the SDK's usual environment.
 *
 * @param keyId - Id or ARN of the key.
 */
export const awsKek = (keyId: string): KeyEncryption => {
  const id = `aws-kms:${keyId.split('/').at(-1)}`;
  let loaded: Promise<{ sdk: Sdk; client: KMSClient }> | undefined;
  const load = () => (loaded ??= start());

  return {
    id,
    ids: [id],
    async wrap(dataKey, context) {
      const { sdk, client } = await load();
      const command = new sdk.EncryptCommand({ KeyId: keyId, Plaintext: dataKey, EncryptionContext: { ...context } });
      const { CiphertextBlob: wrapped } = await client.send(command).catch((error: unknown) => {
        throw new KekUnavailableError(id, reasonOf(error));
      });
      if (wrapped === undefined || wrapped.length === 0) throw new KekUnavailableError(id, 'an answer without a key');
      return wrapped;
    },
    async unwrap(kek, wrapped, context) {
      if (kek !== id) throw new KekMissingError(kek, [id]);
      const { sdk, client } = await load();
      const command = new sdk.DecryptCommand({
        KeyId: keyId,
        CiphertextBlob: wrapped,
        EncryptionContext: { ...context },
      });
      let answer: DecryptCommandOutput;
      try {
        answer = await client.send(command);
      } catch (error) {
        const isRefused = error instanceof sdk.InvalidCiphertextException || error instanceof sdk.IncorrectKeyException;
        throw isRefused ? new BrokenSealError(id) : new KekUnavailableError(id, reasonOf(error));
      }
      if (answer.Plaintext?.length !== 32) throw new KekUnavailableError(id, 'an answer without a key');
      return answer.Plaintext;
    },
  };
};

/** Loaded by those alone who use it. */
const start = async (): Promise<{ sdk: Sdk; client: KMSClient }> => {
  const sdk = await import('@aws-sdk/client-kms');
  const requestHandler = {
    connectionTimeout: connectionTimeoutMs,
    requestTimeout: requestTimeoutMs,
    throwOnRequestTimeout: true,
  };
  return { sdk, client: new sdk.KMSClient({ maxAttempts, requestHandler }) };
};

/** Not the error itself: it holds the answer, and an answer may hold a data key. */
const reasonOf = (error: unknown): string => {
  const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  // What could not be parsed is quoted in the message.
  if (error instanceof SyntaxError) return 'an answer that cannot be read';
  return `${name}${status === undefined ? '' : ` (status ${status})`}: ${message}`;
};
