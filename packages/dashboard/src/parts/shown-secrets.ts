/**
 * Secrets that the service shows only once, kept while this tab is open, so that the code of the
 * guide can contain them. They do not outlive the tab.
 */
const KEY = 'aisle.secret.'

export function keepSecret(storeId: string, secret: string): void {
  try {
    sessionStorage.setItem(KEY + storeId, secret)
  } catch {
    // The guide then shows a placeholder.
  }
}

export function keptSecret(storeId: string): string | undefined {
  return sessionStorage.getItem(KEY + storeId) ?? undefined
}
