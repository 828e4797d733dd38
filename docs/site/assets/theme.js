// Before the page is shown, so that it does not flash in the other theme.
const theme = localStorage.getItem('theme');
if (theme) document.documentElement.dataset.theme = theme;
