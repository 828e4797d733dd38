// Runs before the first paint, so that the page does not flash in the system's theme if the user has chosen another
// one.
try {
  const theme = localStorage.getItem('tautan.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the system's theme applies.
}
