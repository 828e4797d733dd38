import MiniSearch from './minisearch.js';

const byId = (id) => document.getElementById(id);

// Theme toggle.
byId('theme').addEventListener('click', () => {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme ? dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  dataset.theme = isDark ? 'light' : 'dark';
  localStorage.setItem('theme', dataset.theme);
});

// Collapse the navigation on narrow screens.
if (matchMedia('(max-width: 60rem)').matches) document.querySelector('nav details').open = false;

// Show the address of this installation in code samples.
for (const code of document.querySelectorAll('pre code')) {
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    text.data = text.data.replaceAll('http://localhost:8080', location.origin);
}

// Add a copy button to every code block.
for (const block of document.querySelectorAll('.code')) {
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'copy',
    textContent: 'Copy',
  });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2_000);
  });
  block.append(button);
}

// Show one tab per group of code samples. The choice applies to all pages.
function choose(group, tab) {
  const tabs = [...group.querySelectorAll('.code')];
  const chosen = tabs.find(({ dataset }) => dataset.tab === tab) ?? tabs[0];
  for (const each of tabs) each.hidden = each !== chosen;
  for (const each of group.querySelectorAll('[role=tab]'))
    each.setAttribute('aria-selected', String(each.textContent === chosen.dataset.tab));
}

const groups = document.querySelectorAll('.tabs');
for (const group of groups) {
  const bar = Object.assign(document.createElement('div'), { className: 'bar', role: 'tablist' });
  for (const { dataset } of group.querySelectorAll('.code')) {
    const button = Object.assign(document.createElement('button'), {
      type: 'button',
      role: 'tab',
      textContent: dataset.tab,
    });
    button.addEventListener('click', () => {
      localStorage.setItem('tab', dataset.tab);
      for (const each of groups) choose(each, dataset.tab);
    });
    bar.append(button);
  }
  group.prepend(bar);
  choose(group, localStorage.getItem('tab'));
}

// Make code and tables that do not fit scrollable with the keyboard. Safari does not focus them by itself.
const overflowObserver = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute('tabindex');
  }
});
for (const element of document.querySelectorAll('.code pre, .table')) overflowObserver.observe(element);

// Client-side search. The index is loaded on first use.
const input = byId('search');
const results = byId('results');
const options = { fields: ['title', 'page', 'text'], storeFields: ['page', 'title'] };
let index;
/** Returns the index, or undefined if it cannot be loaded. The next call then tries again. */
const load = () =>
  (index ??= fetch('/docs/assets/search.json')
    .then((response) => response.text())
    .then((text) => MiniSearch.loadJSON(text, options))
    .catch(() => (index = undefined)));

async function search() {
  const loaded = await load();
  const found = loaded?.search(input.value, {
    prefix: true,
    fuzzy: 0.15,
    boost: { title: 4, page: 2 },
    combineWith: 'AND',
  });
  const entries = found?.slice(0, 12) ?? [];
  results.replaceChildren(
    ...entries.map(({ id, page, title }) => {
      const link = Object.assign(document.createElement('a'), { href: id, textContent: title });
      link.append(Object.assign(document.createElement('span'), { textContent: page }));
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
  const textContent = found ? 'No results.' : 'The search index could not be loaded. Type again to retry.';
  if (entries.length === 0) results.append(Object.assign(document.createElement('li'), { textContent }));
  results.hidden = input.value.trim() === '';
}

input.addEventListener('focus', load, { once: true });
input.addEventListener('input', search);
results.addEventListener('click', () => (results.hidden = true));
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') results.hidden = true;
  if (event.key === '/' && !event.target.closest('input, textarea')) {
    event.preventDefault();
    input.focus();
  }
  if (event.target === input && event.key === 'Enter') results.querySelector('a')?.click();
});
