import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newKey, secretOf, signedHeaders } from './sign.ts';

describe('signedHeaders', () => {
  it('default: as the specification has it', () => {
    // Key, id, time and body of the specification's own example.
    const key = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const body = '{"test": 2432232314}';
    expect(signedHeaders([key], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330_500, body)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('behavior: the reference library accepts every signature by either key, and no changed text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), (text, more) => {
        const [old, young] = [newKey(), newKey()];
        const headers = signedHeaders([young, old], 'msg_1', Date.now(), text);
        const verify = (key: string, body: string) =>
          new Webhook(secretOf(key)).verify(body, { ...headers }, { jsonParse: false });
        expect(() => verify(young, text)).not.toThrow();
        expect(() => verify(old, text)).not.toThrow();
        expect(() => verify(newKey(), text)).toThrow('No matching signature');
        expect(() => verify(young, text + more)).toThrow('No matching signature');
      }),
      { numRuns: 50 },
    );
  });
});
