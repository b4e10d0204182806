/**
 * Secrets that the service shows once, for as long as this tab is open: the code of the guide can
 * then have them in it. Nothing of it outlives the tab.
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
