import { type ComponentType, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { answerAsked, useAsked } from '../lib/askSignIn.ts';
import { useSession } from '../lib/session.ts';
import * as t from '../messages/en/common.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Blocks } from '../ui/Empty.tsx';

interface Answers {
  Ways: ComponentType<{ next: string; onDone?(): void }>;
  SecondWay: ComponentType<{ onDone(): void; onLater(): void }>;
}

/** The one dialog that anything on a page can ask for: to sign in, or to add a second way in. */
export const Asked = () => {
  const question = useAsked();
  const session = useSession();
  const [path] = useLocation();
  const [answers, setAnswers] = useState<Answers | null>(null);
  useEffect(() => {
    if (question === null || answers !== null) return;
    void Promise.all([import('../features/account/Ways.tsx'), import('../features/account/SecondWay.tsx')]).then(
      ([{ Ways }, { SecondWay }]) => setAnswers({ Ways, SecondWay }),
    );
  }, [question, answers]);
  useEffect(() => {
    // Here or in another tab.
    if (question === 'signIn' && session !== null) answerAsked(true);
    if (question === 'secondWay' && session === null) answerAsked(false);
  }, [question, session]);
  const title = question === 'secondWay' ? t.secondWay.title : t.signIn.title;
  return (
    <Dialog title={title} isOpen={question !== null} onClose={() => answerAsked(false)}>
      {answers === null ? (
        <Blocks count={4} height={48} />
      ) : question === 'secondWay' ? (
        <answers.SecondWay onDone={() => answerAsked(true)} onLater={() => answerAsked(false)} />
      ) : (
        <answers.Ways next={path} />
      )}
    </Dialog>
  );
};
