import { describe, expect, it } from 'vitest';
import { agree, agreeAtHead, agreeNear, areNear } from './agreement.ts';

/** What each of the providers says at a block; undefined: it does not answer. */
type Says = (at: number | 'latest') => { block: number; state: string } | undefined;

const ask = async (says: Says, at: number | 'latest' = 'latest') => {
  const answer = says(at);
  if (answer === undefined) throw new Error('silent');
  return answer;
};
const saying =
  (state: string, head = 10): Says =>
  (at) => {
    const block = at === 'latest' ? head : at;
    return block > head ? undefined : { block, state: `${state} at ${block}` };
  };
const silent: Says = () => undefined;

describe('agree', () => {
  const of = async (...providers: Says[]) => {
    const asked: number[] = [];
    const verdict = await agree(providers, (one) => {
      asked.push(providers.indexOf(one));
      return ask(one);
    });
    const said = verdict.type === 'agreed' ? verdict.answers[0].state : verdict.type;
    return { said, asked };
  };

  it('default: two of three, the third is not asked', async () => {
    expect(await of(saying('true'), saying('true'), saying('true'))).toEqual({ said: 'true at 10', asked: [0, 1] });
  });

  it('W9 behavior: whoever lies, sits or is silent, two others say what is so', async () => {
    for (const liar of [saying('a lie'), silent])
      for (let place = 0; place < 3; place += 1) {
        const others = [saying('true'), saying('true')];
        expect((await of(...others.slice(0, place), liar, ...others.slice(place))).said).toBe('true at 10');
      }
  });

  it('behavior: one of one is believed, one of several is alone, and no two alike is a split', async () => {
    expect(await of(saying('it'))).toEqual({ said: 'it at 10', asked: [0] });
    expect((await of(saying('it'), silent)).said).toBe('alone');
    expect((await of(silent, saying('it'), silent)).said).toBe('alone');
    expect((await of(saying('this'), saying('that'))).said).toBe('split');
    expect((await of(saying('this'), silent, saying('that'))).said).toBe('split');
    expect((await of(silent, silent, silent)).said).toBe('silent');
  });

  it('behavior: one more is asked when the others are late', async () => {
    const hangs = new Promise<string>(() => {});
    const verdict = await agree(['a', 'hangs', 'b'], async (name) => (name === 'hangs' ? hangs : 'true'), {
      lateMs: 1,
    });
    expect(verdict).toMatchObject({ type: 'agreed', answers: ['true', 'true'] });
  });
});

describe('agreeAtHead', () => {
  const of = async (...providers: Says[]) => {
    const verdict = await agreeAtHead(providers, ask, { mostApart: 2 });
    return verdict.type === 'agreed' ? verdict.answers[0].state : verdict.type;
  };

  it('default: the newest block that two have', async () => {
    expect(await of(saying('true', 10), saying('true', 10))).toBe('true at 10');
    expect(await of(saying('true', 11), saying('true', 10))).toBe('true at 10');
    expect(await of(saying('true', 9), saying('true', 11), silent)).toBe('true at 9');
    expect(await of(saying('it', 7))).toBe('it at 7');
    expect(await of(saying('it', 7), silent)).toBe('alone');
  });

  it('W9 behavior: neither an old head nor one that is not there moves the block', async () => {
    for (const head of [0, 3, 1_000_000])
      for (let place = 0; place < 3; place += 1) {
        const liar: Says = (at) => ({ block: at === 'latest' ? head : at, state: 'a lie' });
        const others = [saying('true', 11), saying('true', 10)];
        expect(await of(...others.slice(0, place), liar, ...others.slice(place))).toBe('true at 10');
      }
  });
});

describe('agreeNear', () => {
  /** A chain whose state changes at block 12; each provider is asked once a block, from `head` on. */
  const moving = (head: number, lie?: string) => {
    let now = head;
    return (at: number | 'latest') => {
      now = Math.max(now, at === 'latest' ? now : at);
      const block = now;
      now += 1;
      return { block, state: lie ?? (block < 12 ? 'before' : 'after') };
    };
  };
  const of = async (...providers: ReturnType<typeof moving>[]) => {
    const verdict = await agreeNear(
      providers,
      async (says, at): Promise<{ block: number; state: string }> => says(at),
      { mostApart: 2, same: (one, other) => one.state === other.state },
    );
    return verdict.type === 'agreed'
      ? [verdict.answers[0].state, verdict.answers[0].block, verdict.against.length]
      : verdict.type;
  };

  it('default: what two say at blocks close to each other, at the older one', async () => {
    expect(await of(moving(10), moving(11))).toEqual(['before', 10, 0]);
    expect(await of(moving(15), moving(13), moving(13))).toEqual(['after', 13, 0]);
    expect(await of(moving(7))).toEqual(['before', 7, 0]);
  });

  it('behavior: a state that changed between two looks is looked at again, and nobody is against it', async () => {
    expect(await of(moving(11), moving(12))).toEqual(['after', 12, 0]);
    expect(await of(moving(11), moving(12), moving(12))).toEqual(['after', 12, 0]);
  });

  it('W9 behavior: a lie is outvoted wherever it is asked for, and so is a head far behind', async () => {
    for (const liar of [() => moving(13, 'a lie'), () => moving(1_000, 'a lie'), () => () => stuck])
      for (let place = 0; place < 3; place += 1) {
        const others = [moving(13), moving(13)];
        const against = place < 2 ? 1 : 0;
        expect(await of(...others.slice(0, place), liar(), ...others.slice(place))).toEqual([
          'after',
          expect.any(Number),
          against,
        ]);
      }
    expect(await of(moving(13, 'a lie'), moving(13))).toBe('split');
    expect(await of(() => stuck, moving(13))).toBe('split');
  });
  const stuck = { block: 1, state: 'after' };
});

it('areNear: within a quarter', () => {
  expect([areNear(100n, 125n), areNear(125n, 100n), areNear(100n, 126n), areNear(0n, 1n), areNear(0n, 0n)]).toEqual([
    true,
    true,
    false,
    false,
    true,
  ]);
});
