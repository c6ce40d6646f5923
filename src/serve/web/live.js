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
})();
