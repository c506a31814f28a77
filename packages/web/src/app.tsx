import { type QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Router, useLocation, useSearch } from 'wouter';
import { apiOf } from './lib/api.ts';
import { type Deployment, DeploymentContext, useDeployment } from './lib/deployment.ts';
import type { PageModule } from './lib/route.ts';
import { scrollToPlace } from './lib/scrollPlace.ts';
import * as t from './messages/en/common.ts';
import { matchRoute } from './routes/routes.ts';
import { Shell } from './shell/Shell.tsx';

/** A page that is loaded, and where it was asked for. */
export interface Shown {
  page: PageModule;
  params: Record<string, string>;
}

export const loadPage = async (path: string): Promise<Shown> => {
  const matched = matchRoute(path);
  if (matched === null) return { page: await import('./routes/notFound.tsx'), params: {} };
  return { page: await matched.route.load(), params: matched.params };
};

/** Says in the tab, and to readers of screens, which page this is. The first one came with its title. */
const useTitle = (shown: Shown): void => {
  const client = useQueryClient();
  const deployment = useDeployment();
  const first = useRef(shown);
  useEffect(() => {
    if (shown === first.current) return;
    let isShown = true;
    const { page, params } = shown;
    const asked = { params, search: new URLSearchParams(location.search), deployment, client, api: apiOf(client) };
    // It asks what the page itself asks at the same moment, so nothing is asked twice. What fails is said by the page.
    void Promise.resolve(page.prepare(asked))
      .then((head) => (head === null ? t.notFound.title : head.title))
      .catch(() => null)
      .then((title) => {
        if (isShown) document.title = title === null ? deployment.name : t.title(title, deployment.name);
      });
    return () => {
      isShown = false;
    };
  }, [shown, client, deployment]);
};

/** The page of the address. The one before stays until the next one is loaded, so nothing blinks. */
const Page = ({ first }: { first: Shown }) => {
  const [path] = useLocation();
  const search = useSearch();
  const [shown, setShown] = useState({ path, ...first });
  useTitle(shown);
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    if (path === shown.path) return;
    let isWanted = true;
    loadPage(path).then(
      (next) => {
        if (!isWanted) return;
        setShown({ path, ...next });
        // Readers of screens go on at the new page's beginning.
        main.current?.focus({ preventScroll: true });
      },
      // A file of an older build is gone: the page itself is asked for again.
      () => location.reload(),
    );
    return () => {
      isWanted = false;
    };
  }, [path, shown.path]);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (!isFirst.current) scrollToPlace();
    isFirst.current = false;
  }, [shown]);
  const { page, params } = shown;
  return (
    <Shell>
      <main className="page" id="main" tabIndex={-1} ref={main}>
        <page.default key={shown.path} params={params} search={new URLSearchParams(search)} />
      </main>
    </Shell>
  );
};

export interface AppProps {
  deployment: Deployment;
  client: QueryClient;
  first: Shown;
  /** Where it is rendered on the server. */
  at?: { path: string; search: string };
}

export const App = ({ deployment, client, first, at }: AppProps) => (
  <DeploymentContext value={deployment}>
    <QueryClientProvider client={client}>
      <Router
        base={deployment.base}
        ssrPath={at && deployment.base + at.path}
        ssrSearch={at?.search.replace(/^\?/, '')}
      >
        <Page first={first} />
      </Router>
    </QueryClientProvider>
  </DeploymentContext>
);
