import { isDeepStrictEqual } from 'node:util';
import { MintageError } from '@mintage/protocol';

/**
 * How the words of a chain's providers become a fact: two have to say the same, where two are configured. They are asked
 * at the same time, and a further one only when one of them is silent, late, or says something else.
 * What rests on this, and what does not: docs/decisions/0037-agreement.md
 */

/** Whose state is asked for: a block by its number, or the newest that a provider has. */
export type At = number | 'latest';

/** So many have to say the same: with one provider there is nobody to ask beside it. */
export const votesNeeded = (providers: number): number => Math.min(2, providers);

export type Verdict<Provider, Answer> =
  /** `answers`: those that are alike, in the order in which they came; `against`: who said something else. */
  | { type: 'agreed'; answers: readonly [Answer, ...Answer[]]; against: readonly Provider[] }
  /** Two are needed, and the others do not answer, or nothing to the point. */
  | ({ type: 'alone'; answer: Answer; provider: Provider } & Others<Answer>)
  /** No two alike. */
  | { type: 'split'; providers: readonly Provider[] }
  | ({ type: 'silent' } & Others<Answer>);

interface Others<Answer> {
  /** Answers that say nothing for or against another one. */
  empty: readonly Answer[];
  /** Why some did not answer. */
  reasons: readonly unknown[];
}

export interface AgreementOptions<Answer> {
  /** Whether two answers say the same; in every field when absent. */
  same?: ((one: Answer, other: Answer) => boolean) | undefined;
  /** Whether an answer says nothing for or against another one, as of a block that a provider does not have yet. */
  isEmpty?: ((answer: Answer) => boolean) | undefined;
  /** When those that were asked take longer, one more is asked; never when absent. */
  lateMs?: number | undefined;
}

/**
 * What the first provider says that answers: one word.
 *
 * @param providers - In the order in which they are asked.
 * @param lateMs - When the one that was asked takes longer, one more is asked.
 * @returns No answer, and why, when none answers.
 */
export const firstOf = async <Provider, Answer>(
  providers: readonly Provider[],
  ask: (provider: Provider) => Promise<Answer>,
  lateMs?: number,
): Promise<{ answer?: Answer; reasons: readonly unknown[] }> => {
  const { said, reasons } = await hear(providers, ask, (heard) => 1 - heard.length, lateMs);
  const [first] = said;
  return first === undefined ? { reasons } : { answer: first.answer, reasons };
};

/**
 * What enough of the providers say.
 *
 * @param providers - In the order in which they are asked.
 * @param ask - Asks one of them; a rejection is no answer.
 */
export const agree = async <Provider, Answer>(
  providers: readonly Provider[],
  ask: (provider: Provider) => Promise<Answer>,
  { same = isDeepStrictEqual, isEmpty = () => false, lateMs }: AgreementOptions<Answer> = {},
): Promise<Verdict<Provider, Answer>> => {
  const votes = votesNeeded(providers.length);
  /** Those that are alike, the earliest first; each answer is compared once. */
  const groups: Said<Provider, Answer>[][] = [];
  const empty: Answer[] = [];
  let sorted = 0;
  const largest = (said: readonly Said<Provider, Answer>[]): readonly Said<Provider, Answer>[] => {
    for (const one of said.slice(sorted)) {
      if (isEmpty(one.answer)) empty.push(one.answer);
      else {
        const group = groups.find(([first]) => first !== undefined && same(first.answer, one.answer));
        if (group === undefined) groups.push([one]);
        else group.push(one);
      }
    }
    sorted = said.length;
    return groups.reduce((most, group) => (group.length > most.length ? group : most), []);
  };
  const { said, reasons } = await hear(providers, ask, (heard) => votes - largest(heard).length, lateMs);
  const winners = largest(said);
  const [first, ...others] = winners;
  if (first === undefined) return { type: 'silent', empty, reasons };
  if (winners.length >= votes) {
    return {
      type: 'agreed',
      answers: [first.answer, ...others.map(({ answer }) => answer)],
      against: groups.filter((group) => group !== winners).flatMap((group) => group.map(({ provider }) => provider)),
    };
  }
  if (groups.length === 1) return { type: 'alone', ...first, empty, reasons };
  return { type: 'split', providers: groups.flatMap((group) => group.map(({ provider }) => provider)) };
};

/**
 * What enough of the providers say of the newest block that enough of them have. Each is first asked for its own newest
 * block; whoever is ahead is asked again for the one that the others have.
 *
 * @param mostApart - Heads further apart than so many blocks are no coincidence: then all are asked, so that neither an
 *   old head nor one that is not there moves the block.
 */
export const agreeAtHead = async <Provider, Answer extends { block: number }>(
  providers: readonly Provider[],
  ask: (provider: Provider, at: At) => Promise<Answer>,
  { mostApart, same, lateMs }: AgreementOptions<Answer> & { mostApart: number },
): Promise<Verdict<Provider, Answer>> => {
  const votes = votesNeeded(providers.length);
  const heads = (said: readonly Said<Provider, Answer>[]) =>
    said.map(({ answer }) => answer.block).toSorted((a, b) => b - a);
  const missing = (heard: readonly Said<Provider, Answer>[]): number => {
    const [highest, ...rest] = heads(heard);
    if (heard.length < votes || highest === undefined) return votes - heard.length;
    return highest - (rest[votes - 2] ?? highest) > mostApart ? 1 : 0;
  };
  const { said, reasons } = await hear(providers, (provider) => ask(provider, 'latest'), missing, lateMs);
  const known = new Map(said.map(({ provider, answer }) => [provider, answer]));
  const answered = (provider: Provider): boolean => known.has(provider);
  const at = (block: number): Promise<Verdict<Provider, Answer>> => {
    const isThere = (provider: Provider): boolean => known.get(provider)?.block === block;
    return agree(
      providers.toSorted(
        (a, b) => Number(isThere(b)) - Number(isThere(a)) || Number(answered(b)) - Number(answered(a)),
      ),
      async (provider) => (isThere(provider) ? (known.get(provider) as Answer) : ask(provider, block)),
      { same, lateMs },
    );
  };
  const [newest, ...older] = new Set(heads(said).slice(Math.min(votes, said.length) - 1));
  if (newest === undefined) return { type: 'silent', empty: [], reasons };
  let verdict = await at(newest);
  // One of two heads was not there, or its provider says something else of it: what a third one has decides.
  for (const block of older) if (verdict.type !== 'agreed' && newest - block <= mostApart) verdict = await at(block);
  return verdict;
};

/**
 * What enough of the providers say of blocks close to each other, for chains that tell of no state but the newest. `same` is asked
 * only of answers that are close; it looks past what changes with every block. Two that differ at different blocks may both be right:
 * then all are asked again, each for a block that another one has already. Whoever differs still is against the others.
 *
 * @param mostApart - Blocks that two answers may be apart.
 */
export const agreeNear = async <Provider, Answer extends { block: number }>(
  providers: readonly Provider[],
  ask: (provider: Provider, at: At) => Promise<Answer>,
  { mostApart, same = isDeepStrictEqual, lateMs }: AgreementOptions<Answer> & { mostApart: number },
): Promise<Verdict<Provider, Answer>> => {
  const areSame = (one: Answer, other: Answer): boolean =>
    Math.abs(one.block - other.block) <= mostApart && same(one, other);
  let from: At = 'latest';
  for (let round = 1; ; round += 1) {
    const blocks = new Map<Provider, number>();
    const verdict: Verdict<Provider, Answer> = await agree(
      providers,
      async (provider) => {
        const answer = await ask(provider, from);
        blocks.set(provider, answer.block);
        return answer;
      },
      { same: areSame, lateMs },
    );
    if (round < roundsNear && mayBothBeRight(verdict, blocks)) {
      from = [...blocks.values()].toSorted((a, b) => b - a)[1] ?? 'latest';
      continue;
    }
    if (verdict.type !== 'agreed') return verdict;
    const [oldest, ...newer] = verdict.answers.toSorted((a, b) => a.block - b.block);
    return { ...verdict, answers: [oldest as Answer, ...newer] };
  }
};

/** A state that changes between two looks in each of so many rounds is somebody's invention. */
const roundsNear = 4;

const mayBothBeRight = <Provider, Answer extends { block: number }>(
  verdict: Verdict<Provider, Answer>,
  blocks: ReadonlyMap<Provider, number>,
): boolean => {
  if (verdict.type === 'split') return new Set(blocks.values()).size > 1;
  if (verdict.type !== 'agreed') return false;
  const [{ block }] = verdict.answers;
  return verdict.against.length > 0 && verdict.against.every((provider) => blocks.get(provider) !== block);
};

/** Two figures that honest providers may measure a little differently, such as gas: within a quarter of each other. */
export const areNear = (one: bigint, other: bigint): boolean => {
  const [low, high] = one < other ? [one, other] : [other, one];
  return high * 4n <= low * 5n;
};

interface Said<Provider, Answer> {
  provider: Provider;
  answer: Answer;
}

/** Asks as many as are missing at the same time, in their order, until none is missing or nobody is left. */
const hear = <Provider, Answer>(
  providers: readonly Provider[],
  ask: (provider: Provider) => Promise<Answer>,
  missing: (said: readonly Said<Provider, Answer>[]) => number,
  lateMs?: number,
): Promise<{ said: readonly Said<Provider, Answer>[]; reasons: readonly unknown[] }> =>
  new Promise((resolve, reject) => {
    const waiting = [...providers];
    const said: Said<Provider, Answer>[] = [];
    const reasons: unknown[] = [];
    let running = 0;
    let isDone = false;
    const start = (): void => {
      const provider = waiting.shift();
      if (provider === undefined || isDone) return;
      running += 1;
      ask(provider)
        .then(
          (answer) => void said.push({ provider, answer }),
          (reason: unknown) => void reasons.push(reason),
        )
        .then(() => {
          running -= 1;
          goOn();
        })
        .catch(reject);
    };
    const goOn = (): void => {
      if (isDone) return;
      const wanted = missing(said);
      for (let more = wanted - running; more > 0 && waiting.length > 0; more -= 1) start();
      if (wanted > 0 && running > 0) return;
      isDone = true;
      clearTimeout(late);
      resolve({ said: [...said], reasons: [...reasons] });
    };
    const late = lateMs === undefined ? undefined : setTimeout(start, lateMs);
    goOn();
  });

/**
 * Of a transaction that the only provider that answers does not know: it may lag behind, and whoever hears that there is none may send
 * it again.
 */
export const unknownToOne = (slug: string): MintageError =>
  new MintageError('NETWORK_ERROR', `Only one provider of ${slug} answers now, and does not know it: try again.`);
