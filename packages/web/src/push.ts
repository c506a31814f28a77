/// <reference lib="webworker" />
/**
 * The worker of a browser that is told of notifications while no page is open. It shows what came, and leads to the list. It answers no
 * requests of pages.
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
