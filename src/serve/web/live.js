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

  const holdMs = 2_200;
  const post = (button, what) => {
    const form = button.closest('form');
    return window.htmx.ajax('POST', button.dataset.hold, {
      source: button,
      target: form.querySelector('.said'),
      swap: 'innerHTML',
      values: { do: what },
    });
  };
  let holding = null;
  const begin = (button) => {
    if (holding !== null) return;
    button.classList.add('held');
    post(button, 'hold');
    holding = setTimeout(() => {
      end(button);
      post(button, 'abort');
    }, holdMs);
  };
  const end = (button) => {
    clearTimeout(holding);
    holding = null;
    button.classList.remove('held');
  };
  const heldButton = (event) =>
    event.target instanceof Element ? event.target.closest('button[data-hold]') : null;
  const isPress = (event) => event.type === 'pointerdown' || event.key === 'Enter' || event.key === ' ';
  for (const type of ['pointerdown', 'keydown'])
    document.addEventListener(type, (event) => {
      const button = heldButton(event);
      if (button === null || !isPress(event)) return;
      event.preventDefault();
      begin(button);
    });
  for (const type of ['pointerup', 'pointercancel', 'pointerleave', 'keyup', 'blur'])
    document.addEventListener(
      type,
      () => {
        for (const button of document.querySelectorAll('button.held')) end(button);
      },
      type === 'blur',
    );
})();
