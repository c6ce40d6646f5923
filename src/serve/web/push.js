// Shows notices that `serve` sends while no page is open, and opens the session that one is about.
self.addEventListener('push', (event) => {
  const notice = event.data?.json() ?? {};
  const more = notice.waiting > 1 ? `, and ${notice.waiting - 1} more` : '';
  const shown = self.registration.showNotification(notice.goal ?? 'ralph-tui needs you', {
    body: `${notice.text ?? `Waits for you: ${notice.kind}`}${more}`,
    tag: notice.session,
    icon: new URL('icon.svg', self.registration.scope).href,
    data: notice.session,
  });
  event.waitUntil(shown);
});
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const session = encodeURIComponent(event.notification.data ?? '');
  event.waitUntil(self.clients.openWindow(new URL(`../s/${session}`, self.registration.scope).href));
});
