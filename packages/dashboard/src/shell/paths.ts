/**
 * Addresses of the dashboard. What begins otherwise belongs to the interface (`/v1`, `/api`,
 * `/health`, …).
 */
export const FIRST_RUN_PATH = '/first-run'
export const REFERENCE_PATH = '/docs'

export function storePath(storeId: string, screen = 'overview'): string {
  return `/stores/${encodeURIComponent(storeId)}/${screen}`
}
