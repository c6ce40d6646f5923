// What the pages need beside htmx: the code behind `#`, open parts that stay open, and the button that is held.
(() => {
  const code = document.getElementById('code');
  if (code instanceof HTMLInputElement && location.hash.length > 1) {
    code.value = decodeURIComponent(location.hash.slice(1));
    history.replaceState(null, '', location.pathname);
  }

  /** Parts that a person opened, by their place, while what is around them is drawn anew. */
  let open = [];
  document.addEventListener('htmx:sseBeforeMessage', (event) => {
    const part = event.target;
    open = part instanceof Element ? [...part.querySelectorAll('details')].map((each) => each.open) : [];
  });
  document.addEventListener('htmx:sseMessage', (event) => {
    const part = event.target;
    if (!(part instanceof Element)) return;
    for (const [index, each] of [...part.querySelectorAll('details')].entries())
      each.open = open[index] ?? each.open;
  });

  // A page that hears nothing any more says so; one that the browser kept is loaded again.
  for (const [type, live] of [
    ['htmx:sseOpen', 'yes'],
    ['htmx:sseError', 'no'],
  ])
    document.addEventListener(type, () => {
      document.body.dataset.live = live;
    });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });

  // Words that were sent are not sent again.
  document.addEventListener('sent', (event) => {
    if (event.target instanceof HTMLFormElement) event.target.reset();
  });

  const holdMs = 2_000;
  const said = () => document.getElementById('said');
  const post = (button, what) =>
    window.htmx.ajax('POST', button.dataset.hold, {
      source: button,
      target: said(),
      swap: 'innerHTML',
      values: { do: what },
    });
  let holding = null;
  const begin = async (button) => {
    const own = { button, timer: 0 };
    holding = own;
    await post(button, 'hold');
    // The two seconds count from where `serve` has heard of them; it may have refused.
    if (holding !== own || said()?.querySelector('.bad') !== null) return end();
    button.classList.add('held');
    own.timer = setTimeout(() => {
      end();
      post(button, 'abort');
    }, holdMs + 100);
  };
  const end = () => {
    if (holding === null) return;
    clearTimeout(holding.timer);
    holding.button.classList.remove('held');
    holding = null;
  };
  const heldButton = (event) =>
    event.target instanceof Element ? event.target.closest('button[data-hold]') : null;
  const isPress = (event) => event.type === 'pointerdown' || event.key === 'Enter' || event.key === ' ';
  for (const type of ['pointerdown', 'keydown'])
    document.addEventListener(type, (event) => {
      const button = heldButton(event);
      if (button === null || !isPress(event)) return;
      event.preventDefault();
      if (holding === null) {
        button.focus();
        begin(button);
      }
    });
  // Also where the finger or the pointer only leaves the button.
  for (const type of ['pointerup', 'pointercancel', 'pointerout', 'keyup', 'blur'])
    document.addEventListener(type, end, type === 'blur');

  // Notices by the browser's own push service, where it has one and the page is reached safely.
  const notices = document.getElementById('notices');
  const say = (text) => {
    const words = document.createElement('span');
    words.className = 'bad';
    words.textContent = text;
    said().replaceChildren(words);
  };
  const keep = (values) =>
    window.htmx.ajax('POST', notices.dataset.push, {
      source: notices,
      target: said(),
      swap: 'innerHTML',
      values,
    });
  const base64url = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  /** A browser refuses to subscribe a worker that still starts. */
  const activated = ({ active, waiting, installing }) =>
    new Promise((resolve, reject) => {
      const worker = active ?? waiting ?? installing;
      const look = () => {
        if (worker.state === 'activated') resolve();
        else if (worker.state === 'redundant') reject(new Error('its service worker did not start'));
      };
      worker.addEventListener('statechange', look);
      look();
    });
  const subscribe = async () => {
    if ((await Notification.requestPermission()) !== 'granted')
      return say('This browser does not allow notices: allow them in its settings for this page.');
    const registration = await navigator.serviceWorker.register(notices.dataset.worker);
    await activated(registration);
    const made = await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: notices.dataset.key,
    });
    await keep({
      endpoint: made.endpoint,
      p256dh: base64url(made.getKey('p256dh')),
      auth: base64url(made.getKey('auth')),
    });
  };
  const unsubscribe = async () => {
    const registration = await navigator.serviceWorker.getRegistration(notices.dataset.worker);
    const made = await registration?.pushManager.getSubscription();
    await made?.unsubscribe();
    await keep({ do: 'stop' });
  };
  if (notices !== null && window.isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window) {
    notices.hidden = false;
    notices.addEventListener('click', (event) => {
      const way = event.target instanceof HTMLElement ? event.target.dataset.notices : undefined;
      if (way === undefined) return;
      (way === 'on' ? subscribe() : unsubscribe()).catch((error) =>
        say(`This browser gives no notices: ${error.message}`),
      );
    });
    notices.addEventListener('sent', () => {
      for (const button of notices.querySelectorAll('button')) button.hidden = !button.hidden;
    });
  }
})();
