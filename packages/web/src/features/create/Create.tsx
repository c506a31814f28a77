import type { ServedChain } from '@mintage/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { apiOf } from '../../lib/api.ts';
import { chainName } from '../../lib/chainLooks.ts';
import { useDeployment } from '../../lib/deployment.ts';
import { short } from '../../lib/format.ts';
import { isJobDone, isOver } from '../../lib/jobs.ts';
import { embeddedOn, sameAddress } from '../../lib/onChain.ts';
import { account } from '../../lib/ownQueries.ts';
import { chains as chainsQuery } from '../../lib/queries.ts';
import { useSession } from '../../lib/session.ts';
import { ElsewhereError, useJob } from '../../lib/useJob.ts';
import { useWallet, useWalletOn } from '../../lib/wallet.ts';
import * as t from '../../messages/en/create.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Discard } from '../../ui/Discard.tsx';
import { Hero } from '../../ui/Hero.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { SignInLink } from '../../ui/SignInLink.tsx';
import { Cost } from './Cost.tsx';
import './create.css';
import { PictureField } from '../../ui/PictureField.tsx';
import {
  type About,
  isCreated,
  metadataOf,
  newCreation,
  StillOpeningError,
  waitForOpening,
  waitForPage,
} from './creation.ts';
import { type Draft, problemsOf } from './draft.ts';
import { ChainChoice, Names, say } from './Fields.tsx';
import { FirstBuy } from './FirstBuy.tsx';
import { More } from './More.tsx';
import { Preview } from './Preview.tsx';
import { Steps } from './Steps.tsx';
import { useDraft } from './useDraft.ts';

export const Create = () => {
  const deployment = useDeployment();
  const client = useQueryClient();
  const [, go] = useLocation();
  const session = useSession();
  const connected = useWallet();
  const { draft, change, picture, setPicture, banner, setBanner, clear } = useDraft();
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { data: served } = useQuery(chainsQuery());
  const { data: own } = useQuery(account(deployment, session !== null));

  const creation = useJob<About>('creation', async (step) => {
    const { job } = newest.current;
    if (job !== null) await waitForOpening(apiOf(client), job, step);
  });
  const newest = useRef(creation);
  newest.current = creation;
  const { job } = creation;

  const chains = (served?.chains ?? []).filter(({ canCreate }) => canCreate);
  const chain =
    chains.find(({ slug }) => slug === draft.chain) ?? chains.find(({ status }) => status === 'live') ?? null;
  const wallets = own?.wallets ?? [];
  const balances = own?.balances.find(({ chainSlug }) => chainSlug === chain?.slug);
  /** Who signs there; null: the wallet here. */
  const signer = useWalletOn(chain?.slug ?? null)?.address ?? null;
  const sender = signer ?? embeddedOn(wallets, chain?.slug ?? '')?.address;
  const held = balances?.wallets.find(({ address }) => sameAddress(address, sender));
  const balance = held?.usd.balance == null ? null : { amount: held.usd.balance, symbol: balances?.usd.symbol ?? '' };

  const problems = problemsOf(draft, picture);
  const shown = isTried ? problems : {};
  const isBusy = !creation.isRead || job !== null;
  const begun = job?.steps[0]?.wallet ?? null;
  const isOtherWallet = begun !== null && begun !== connected?.address;
  const isOtherUser = job !== null && session !== null && job.userId !== session.userId;

  const run = async (...given: Parameters<typeof creation.run>): Promise<void> => {
    const done = await creation.run(...given);
    if (done === null || !isJobDone(done)) return;
    const metadata = metadataOf(done);
    if (metadata !== null) await waitForPage(apiOf(client), metadata.tokenId);
    await client.invalidateQueries();
    finish.current = () => {
      void creation.drop();
      clear();
    };
    go(`/token/${metadata?.slug ?? ''}`);
  };
  // Once the page of the token is there: until then this one shows what was created.
  const finish = useRef<(() => void) | null>(null);
  useEffect(() => () => finish.current?.(), []);
  const submit = (): void => {
    setTried(true);
    if (Object.keys(problems).length > 0 || picture === null || chain === null || session === null) {
      // The first field that is wrong; told by its own text.
      setTimeout(() =>
        form.current?.querySelector<HTMLElement>('[aria-invalid=true], .drop:has(.down) button')?.focus(),
      );
      return;
    }
    const destinations = destinationsOf(draft, chain, served?.chains ?? []);
    void run(
      newCreation(
        { ...draft, destinations },
        { userId: session.userId, wallet: signer, chain: chain.slug, picture, banner },
      ),
    );
  };

  // What was sent is looked up by itself after a reload; what needs a signature waits for a press.
  const wasResumed = useRef(false);
  const isSent = job?.steps.some(({ status }) => status === 'sent') ?? false;
  const canGoOn = job !== null && session !== null && !isOtherWallet && !isOtherUser && !creation.isRunning;
  useEffect(() => {
    if (!canGoOn || !(isSent || isJobDone(job)) || wasResumed.current) return;
    wasResumed.current = true;
    void run(undefined, false);
  });

  const about: About = job?.about ?? {
    name: draft.name,
    symbol: draft.symbol,
    chain: chain?.slug ?? '',
    firstBuy: draft.firstBuy,
    buyUsd: draft.buyUsd,
    destinations: destinationsOf(draft, chain, served?.chains ?? []),
  };
  const part = { draft, change, problems: shown, isDisabled: isBusy };
  const isDone = job !== null && isJobDone(job);
  const isDead = job?.steps.some(isOver) ?? false;
  const slug = job !== null && isCreated(job) ? metadataOf(job)?.slug : undefined;
  return (
    <>
      <Hero title={t.create.title}>{t.create.text}</Hero>
      <div className="create">
        <form
          ref={form}
          className="stack"
          aria-label={t.create.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (!isBusy) submit();
          }}
        >
          <PictureField
            label={t.create.picture}
            picture={picture}
            isDisabled={isBusy}
            problem={say(shown, 'picture')}
            onChange={setPicture}
          />
          <Names {...part} />
          <ChainChoice
            chains={chains}
            chosen={chain?.slug ?? null}
            canCross={chain === null || chain.contracts.tokenBridge !== null}
            isDisabled={isBusy}
            onChoose={(next) => change({ chain: next })}
          />
          <More
            {...part}
            banner={banner}
            setBanner={setBanner}
            others={reachedFrom(chain, served?.chains ?? [])}
            isTestnet={chain?.testnet ?? false}
          />
          <FirstBuy {...part} chain={chain?.slug ?? null} balance={balance} />
          {/* Enter in a field does what the button does. */}
          <input type="submit" hidden />
        </form>
        <aside>
          <Preview draft={draft} picture={picture} chain={chain?.slug ?? null} />
          <Cost draft={draft} chain={chain}>
            {job === null ? (
              session === null ? (
                <SignInLink kind="ink" size="l">
                  {t.create.signInAct}
                </SignInLink>
              ) : (
                <Button kind="ink" size="l" disabled={!creation.isRead || chain === null} onClick={submit}>
                  {t.create.act(chain === null ? '…' : chainName(chain.slug))}
                </Button>
              )
            ) : isDone ? (
              <div className="stack" role="status">
                <div>
                  <div className="lab">{t.create.created(about.name)}</div>
                  <p className="soft">{t.create.opening}</p>
                </div>
                <ButtonLink kind="ink" size="l" href={`/token/${slug ?? ''}`}>
                  {t.create.toToken}
                </ButtonLink>
              </div>
            ) : (
              <div className="stack" role="status">
                <div>
                  <div className="lab">{t.create.underWay(about.name)}</div>
                  <p className="soft">
                    {slug === undefined
                      ? t.create.underWayText
                      : creation.isRunning
                        ? t.create.underWayText
                        : t.create.exists}
                  </p>
                </div>
                {isOtherUser && <p className="note">{t.money.otherAccount}</p>}
                {isOtherWallet && !isOtherUser && !creation.isRunning && (
                  <p className="note">{t.money.unknownWallet(short(begun))}</p>
                )}
                {!isDead && (
                  <Button kind="ink" size="l" disabled={!canGoOn} onClick={() => void run()}>
                    {creation.isRunning ? t.money.step.now : t.money.goOn}
                  </Button>
                )}
                {slug !== undefined && !creation.isRunning && (
                  <ButtonLink href={`/token/${slug}`}>{t.create.toToken}</ButtonLink>
                )}
                <Discard steps={job.steps} onDiscard={() => void creation.drop()} />
              </div>
            )}
            {creation.error !== null && <RunProblem error={creation.error} />}
          </Cost>
          <Steps
            about={about}
            job={job}
            isRunning={creation.isRunning}
            isEmbedded={job === null ? signer === null && session !== null : begun === null}
            base={deployment.base}
          />
        </aside>
      </div>
    </>
  );
};

/** Where tokens of a chain can be announced: by its bridge, which leads to no other family of chains. */
const reachedFrom = (chain: ServedChain | null, served: readonly ServedChain[]): ServedChain[] =>
  chain === null || chain.contracts.tokenBridge === null
    ? []
    : served.filter(
        ({ slug, type, testnet, contracts }) =>
          slug !== chain.slug && type === chain.type && testnet === chain.testnet && contracts.tokenBridge !== null,
      );

/** What was chosen for another chain than the one chosen now may be out of its reach. */
const destinationsOf = (
  { destinations }: Draft,
  chain: ServedChain | null,
  served: readonly ServedChain[],
): string[] => {
  const reached = new Set<string>(reachedFrom(chain, served).map(({ slug }) => slug));
  return destinations.filter((slug) => reached.has(slug));
};

const RunProblem = ({ error }: { error: unknown }) =>
  error instanceof ElsewhereError || error instanceof StillOpeningError ? (
    <p className="note" role="alert">
      {error instanceof ElsewhereError ? t.money.elsewhere : t.create.stillOpening}
    </p>
  ) : (
    <Problem error={error} />
  );
