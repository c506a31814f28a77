import type { DecryptCommandOutput, KMSClient } from '@aws-sdk/client-kms';
import { BrokenSealError, KekMissingError, KekUnavailableError, type KeyEncryption } from './keyEncryption.ts';

type Sdk = typeof import('@aws-sdk/client-kms');

/** Timeout of one attempt, milliseconds; three attempts with pauses stay below the time for which a caller waits. */
const connectionTimeoutMs = 1_000;
const requestTimeoutMs = 2_000;
const maxAttempts = 3;

/**
 * A KEK that never leaves AWS KMS: a symmetric key, which wraps and unwraps data keys there. The seal context is passed
 * as encryption context, so that KMS itself refuses any other context, and its log names it. Endpoint, region and
 * credentials come from the SDK's usual environment.
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

/** Loads the SDK on first use, so that only processes with KMS keys load it. */
const start = async (): Promise<{ sdk: Sdk; client: KMSClient }> => {
  const sdk = await import('@aws-sdk/client-kms');
  const requestHandler = {
    connectionTimeout: connectionTimeoutMs,
    requestTimeout: requestTimeoutMs,
    throwOnRequestTimeout: true,
  };
  return { sdk, client: new sdk.KMSClient({ maxAttempts, requestHandler }) };
};

/** A safe reason in place of the error itself: the error holds the answer, which may hold a data key. */
const reasonOf = (error: unknown): string => {
  const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  // The parser quotes the unparsable text in its message.
  if (error instanceof SyntaxError) return 'an answer that cannot be read';
  return `${name}${status === undefined ? '' : ` (status ${status})`}: ${message}`;
};
