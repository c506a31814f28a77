/// <reference lib="webworker" />
import tokens from '@mintage/brand/tokens.css?inline';
import { offlinePage } from './messages/en/offline.ts';

/**
 * The worker of a browser. It shows what the service pushes while no page is open, and a page in our words where a page cannot be
 * reached. It keeps nothing, so it can neither show an old price nor hold an update back.
 */
declare const self: ServiceWorkerGlobalScope;

/** What the service pushes: our own words, and where to look. */
export interface Told {
  id: string;
  text: string;
  url: string;
}

self.addEventListener('push', (event) => {
  const told = event.data?.json() as Told | undefined;
  if (told === undefined) return;
  // Told twice, as after a lost answer, it takes the place of itself.
  event.waitUntil(self.registration.showNotification(told.text, { tag: told.id, data: told.url }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(String(event.notification.data)));
});

// A new one takes over at once: it has nothing that a page could lose.
self.addEventListener('install', () => void self.skipWaiting());
// The page is asked for while the worker starts.
self.addEventListener('activate', (event) => event.waitUntil(self.registration.navigationPreload?.enable()));

self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(reach(event));
});

/** The page as the network has it. */
const reach = async ({ request, preloadResponse }: FetchEvent): Promise<Response> => {
  try {
    return ((await preloadResponse) as Response | undefined) ?? (await fetch(request));
  } catch {
    return new Response(offlineHtml, {
      status: 503,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
      },
    });
  }
};

const offlineHtml = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${offlinePage.title}</title>
<style>${tokens}
body { margin: 0; min-height: 100dvh; display: grid; place-content: center; padding: 24px; box-sizing: border-box; background: var(--bg); color: var(--ink); font: 1rem/1.5 var(--font); }
main { max-width: 28rem; } h1 { font: 600 1.75rem/2.125rem var(--font); margin: 0; } p { color: var(--ink-2); margin: 12px 0 24px; }
a { display: inline-block; padding: 12px 20px; border-radius: 10px; background: var(--ink); color: var(--on-ink); font-weight: 550; text-decoration: none; } a:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
</style>
<main>
<h1>${offlinePage.title}</h1>
<p>${offlinePage.text}</p>
<a href="">${offlinePage.act}</a>
</main>
</html>`;
