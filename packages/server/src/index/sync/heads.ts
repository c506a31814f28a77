import type { Line, Provider } from '../../chain/provider.ts';
import { ProvidersDownError } from './poll.ts';
import type { Quorum } from './quorum.ts';

/** A provider that is asked for its newest block. */
export interface HeadLine<Head extends { number: number }> extends Line {
  head(): Promise<Head>;
}

/**
 * Asks the providers for their newest blocks. Late answers are used the next time.
 *
 * @returns Highest first: as many as have to agree, or one where one suffices.
 * @throws ProvidersDownError when fewer answer.
 */
export const headsOf = <Head extends { number: number }>({
  candidates,
  votes,
  oneMaySuffice,
}: Quorum<HeadLine<Head>>): (() => Promise<Head[]>) => {
  const askHeads = headAsker<Head>();
  return async () => {
    const asked = candidates();
    const failure = await askHeads.ask(asked, votes);
    const heads = asked.flatMap((provider) => askHeads.headOf(provider) ?? []).toSorted((a, b) => b.number - a.number);
    const [best] = heads;
    if (best === undefined) throw new ProvidersDownError(failure);
    for (const provider of asked) provider.noticeStandstill(best.number);
    if (heads.length < votes && !oneMaySuffice) throw new ProvidersDownError(failure, 'only one provider answers');
    return heads;
  };
};

const headAsker = <Head extends { number: number }>() => {
  type Asked = Provider<HeadLine<Head>>;
  const running = new Map<Asked, Promise<void>>();
  const heads = new WeakMap<Asked, Head>();
  const askOne = async (provider: Asked): Promise<void> => {
    const head = await provider.ask((line) => line.head());
    heads.set(provider, head);
    provider.sawHead(head.number);
  };
  return {
    /** Its newest block at the last request; undefined before the first, and after a failure. */
    headOf: (provider: Asked): Head | undefined => (provider.head === undefined ? undefined : heads.get(provider)),

    /**
     * Asks all of them for their heads, each only when its last answer is in, and waits for as many as have to agree.
     *
     * @returns Why one of them failed, if one did.
     */
    ask: async (providers: readonly Asked[], votes: number): Promise<unknown> => {
      let answers = 0;
      let failure: unknown;
      const enough = Promise.withResolvers<void>();
      const all = providers.map(async (provider) => {
        const answer = running.get(provider) ?? askOne(provider).finally(() => running.delete(provider));
        running.set(provider, answer);
        try {
          await answer;
          answers += 1;
          if (answers >= votes) enough.resolve();
        } catch (error) {
          failure = error;
        }
      });
      await Promise.race([enough.promise, Promise.all(all)]);
      return failure;
    },
  };
};
