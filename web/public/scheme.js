// Runs before the first paint, so that a dark console never flashes white. Kept out of the page: the policy allows no inline script.
;(() => {
  let chosen = null
  let site = null
  try {
    chosen = localStorage.getItem('theme')
    site = JSON.parse(localStorage.getItem('status') || 'null')?.theme
  } catch {}
  const wanted = chosen || (site === 'light' || site === 'dark' ? site : 'auto')
  const dark = wanted === 'dark' || (wanted === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
