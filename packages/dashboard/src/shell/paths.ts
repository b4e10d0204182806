/** Addresses of the dashboard. All others belong to the API (`/v1`, `/api`, `/health`, …). */
export const FIRST_RUN_PATH = '/first-run'
export const REFERENCE_PATH = '/docs/api'
/** The site of docs/, beside the dashboard. */
export const DOCS_PATH = '/docs/'

export function storePath(storeId: string, screen = 'overview'): string {
  return `/stores/${encodeURIComponent(storeId)}/${screen}`
}
