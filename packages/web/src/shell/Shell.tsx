import type { ReactNode } from 'react';
import * as t from '../messages/en/common.ts';
import { Asked } from './Asked.tsx';
import { Bar } from './Bar.tsx';
import { Foot } from './Foot.tsx';
import { Invited } from './Invited.tsx';
import { Offline } from './Offline.tsx';
import { OtherAccount } from './OtherAccount.tsx';
import { TabBar } from './TabBar.tsx';

/** What is around every page. */
export const Shell = ({ children }: { children: ReactNode }) => (
  <>
    <a className="skip" href="#main">
      {t.skip}
    </a>
    <Bar />
    <Offline />
    <Invited />
    <OtherAccount />
    {children}
    <Foot />
    <TabBar />
    <Asked />
  </>
);
