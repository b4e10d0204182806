// Before the first paint: the theme that was chosen in this browser.
const chosen = localStorage.getItem('aisle.theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
