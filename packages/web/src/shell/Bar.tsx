import { Link, useLocation } from 'wouter';
import { useDeployment } from '../lib/deployment.ts';
import * as t from '../messages/en/common.ts';
import { AccountButton } from './AccountButton.tsx';
import { Bell } from './Bell.tsx';
import { Logo } from './Logo.tsx';
import { Search } from './Search.tsx';
import { SearchSheet } from './SearchSheet.tsx';

const places = [
  ['/', t.nav.market],
  ['/feed', t.nav.feed],
  ['/create', t.nav.create],
  ['/portfolio', t.nav.portfolio],
  ['/rewards', t.nav.rewards],
  ['/leaderboard', t.nav.leaderboard],
] as const;

export const Bar = () => {
  const { name } = useDeployment();
  const [path] = useLocation();
  return (
    <header className="bar">
      <div>
        <Link className="logo" href="/">
          <Logo />
          {name}
        </Link>
        <nav className="nav" aria-label={t.nav.main}>
          {places.map(([href, text]) => (
            <Link key={href} href={href} aria-current={path === href ? 'page' : undefined}>
              {text}
            </Link>
          ))}
        </nav>
        <Search isMain />
        <SearchSheet />
        <Bell />
        <AccountButton />
      </div>
    </header>
  );
};
