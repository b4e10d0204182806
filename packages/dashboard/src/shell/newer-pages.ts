/** The name of the script that this page began with: it changes with every build. */
const OWN_SCRIPT = new URL(import.meta.url).pathname

/**
 * A page that stays open while the service gets a newer version asks for parts that are not there
 * any more. Then the page is loaded anew, at the same address; drafts survive that. When the
 * service has no other page, or does not answer, the failure has another cause and stays visible.
 */
export function reloadWhenReplaced(): void {
  addEventListener('vite:preloadError', () => void reloadIfReplaced())
}

async function reloadIfReplaced(): Promise<void> {
  // Two versions that answer in turns, behind a proxy, must not send a page to and fro.
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
