import type { MeAnswer } from '@mintage/sdk';
import { useState } from 'react';
import { embeddedOn, sameAddress } from '../../lib/onChain.ts';
import { hasOnePasskeyAlone } from '../../lib/secondWay.ts';
import * as t from '../../messages/en/account.ts';
import { Copy } from '../../ui/Address.tsx';
import { Button } from '../../ui/Button.tsx';
import { ChainName } from '../../ui/chains.tsx';
import { Blocks, Empty } from '../../ui/Empty.tsx';
import { Balance, type Pocket } from './Balance.tsx';
import { SecondWay } from './SecondWay.tsx';
import { SendOut } from './SendOut.tsx';

type Account = MeAnswer['data'];

const pocketsOf = ({ balances, wallets: all }: Account): Pocket[] =>
  balances.flatMap(({ chainSlug, native, usd, wallets }) => {
    const own = wallets.find(({ address }) => sameAddress(address, embeddedOn(all, chainSlug)?.address));
    return own === undefined ? [] : [{ chainSlug, native: { ...native, ...own.native }, usd: { ...usd, ...own.usd } }];
  });

const isEmpty = ({ native, usd }: Pocket): boolean => native.balanceRaw === '0' && usd.balanceRaw === '0';

/**
 * The wallet that the service keeps for a person: its address for deposits on each family of chains, what is in it, and how to send it
 * out.
 *
 * @param account - Undefined while it is asked for: what is the same for everybody is there already.
 */
export const EmbeddedWallet = ({ account }: { account: Account | undefined }) => {
  const wallets = account?.wallets.filter(({ embedded }) => embedded) ?? [];
  const [isAll, setAll] = useState(false);
  const [isSending, setSending] = useState(false);
  const pockets = account === undefined ? [] : pocketsOf(account);
  const filled = pockets.filter((pocket) => !isEmpty(pocket));
  const shown = isAll ? pockets : filled;
  return (
    <section className="card" aria-labelledby="embedded">
      <div className="head">
        <h2 id="embedded">{t.account.wallet.title}</h2>
        {filled.length > 0 && (
          <Button size="s" onClick={() => setSending(true)}>
            {t.account.wallet.send}
          </Button>
        )}
      </div>
      {account === undefined ? (
        <div className="pad stack">
          <p className="soft">{t.account.wallet.text}</p>
          <Blocks count={1} height={122} />
        </div>
      ) : wallets.length === 0 ? (
        <Empty>{t.account.wallet.none}</Empty>
      ) : (
        <>
          <div className="pad stack">
            <p className="soft">{t.account.wallet.text}</p>
            <Deposits account={account} wallets={wallets} />
          </div>
          {shown.length === 0 ? (
            <p className="nothing">{t.account.wallet.empty}</p>
          ) : (
            <table className="data">
              <thead>
                <tr>
                  <th>{t.account.wallet.chain}</th>
                  <th className="right">{t.account.wallet.coin}</th>
                  <th className="right">{t.account.wallet.dollars}</th>
                </tr>
              </thead>
              <tbody>
                {shown.map(({ chainSlug, native, usd }) => (
                  <tr key={chainSlug}>
                    <td>
                      <ChainName slug={chainSlug} />
                    </td>
                    <td className="right soft">
                      <Balance of={native} places={4} />
                    </td>
                    <td className="right num">
                      <Balance of={usd} places={2} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {pockets.length > filled.length && !isAll && (
            <div className="more-rows">
              <Button kind="bare" size="s" onClick={() => setAll(true)}>
                {t.account.wallet.all(pockets.length)}
              </Button>
            </div>
          )}
          <SendOut pockets={filled} isOpen={isSending} onClose={() => setSending(false)} />
        </>
      )}
    </section>
  );
};

/** The addresses, once the account has a second way in or its owner wants them anyway. */
const Deposits = ({ account, wallets }: { account: Account; wallets: Account['wallets'] }) => {
  const [isShown, setShown] = useState(false);
  if (hasOnePasskeyAlone(account) && !isShown)
    return (
      <div className="weak">
        <p>{t.account.wallet.hidden}</p>
        <SecondWay onDone={() => undefined} onLater={() => setShown(true)} laterText={t.account.wallet.show} />
      </div>
    );
  return wallets.map(({ address, chainType }) => (
    <div key={chainType}>
      {wallets.length > 1 && <div className="hint">{t.account.wallet.on[chainType]}</div>}
      <div className="deposit">
        <span className="mono grow">{address}</span>
        <Copy text={address} label={wallets.length > 1 ? t.account.wallet.copyOn[chainType] : t.account.wallet.copy} />
      </div>
    </div>
  ));
};
