/** The name of the script that this page started with; it changes with every build. */
const OWN_SCRIPT = new URL(import.meta.url).pathname

/**
 * A page that stays open while the service is updated asks for files that no longer exist. Then the
 * page is reloaded at the same address; drafts survive that. If the service has the same page or
 * does not respond, the error has another cause and stays visible.
 */
export function reloadWhenReplaced(): void {
  addEventListener('vite:preloadError', () => void reloadIfReplaced())
}

async function reloadIfReplaced(): Promise<void> {
  // Two versions that respond alternately, behind a proxy, must not cause endless reloads.
  const mark = `aisle.left.${OWN_SCRIPT}`
  if (sessionStorage.getItem(mark) !== null) return
  try {
    const page = await fetch('/', { cache: 'no-store' })
    if (!page.ok || (await page.text()).includes(OWN_SCRIPT)) return
  } catch {
    return
  }
  sessionStorage.setItem(mark, '')
  location.reload()
}
