// Runs before the first paint, so that a chosen theme does not flash.
try {
  const theme = localStorage.getItem('tautan.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the system's theme applies.
}
