import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useDeployment } from '../../lib/deployment.ts';
import { comeBack, isReturn } from '../../lib/signInElsewhere.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/account.ts';
import { Hero } from '../../ui/Hero.tsx';
import { Trouble } from './Trouble.tsx';
import { Ways } from './Ways.tsx';

/** The page of those who are not signed in; those who come back from a provider are signed in by it. */
export const SignInPage = ({ search, next }: { search: URLSearchParams; next: string }) => {
  const deployment = useDeployment();
  const [, go] = useLocation();
  const act = useAct();
  const isBegun = useRef(false);
  const isBack = isReturn(search);
  useEffect(() => {
    // A code is good once.
    if (!isBack || isBegun.current) return;
    isBegun.current = true;
    void act.run(t.signIn.finishing, async () => go(await comeBack(deployment, search), { replace: true }));
  });
  return (
    <>
      <Hero title={t.signIn.title}>{t.signIn.text(deployment.name)}</Hero>
      <section className="card pad narrow-card">
        <Trouble act={act} />
        {act.doing === null && <Ways next={next} />}
      </section>
    </>
  );
};
