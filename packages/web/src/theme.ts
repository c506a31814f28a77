// Loaded before anything is painted: a theme that a person chose is there from the first moment.
const chosen = localStorage.getItem('mintage theme')?.replaceAll('"', '');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
