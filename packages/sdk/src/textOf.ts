import { MintageError } from '@mintage/protocol/errors';

/** Of an answer, or of one event of a stream. No answer of the service has a tenth of it. */
export const mostBytes = 32 * 1_024 ** 2;

/** Of no service of ours. */
export const tooLong = (url: string): MintageError =>
  new MintageError('UNEXPECTED_ANSWER', `${url} answers more than ${mostBytes} bytes, as no service of ours does`);

/**
 * The text of an answer. What never ends is given up before it fills the memory.
 *
 * @throws MintageError UNEXPECTED_ANSWER. What its body is refused with is thrown on.
 */
export const textOf = async (response: Response): Promise<string> => {
  if (!response.body) return response.text(); // empty, or of a fetch that has no streams
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > mostBytes) {
      reader.cancel().catch(() => {}); // why it is left is told here
      throw tooLong(response.url);
    }
    text += decoder.decode(value, { stream: true });
  }
};
