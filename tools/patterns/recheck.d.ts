/** The JavaScript engine of `recheck`, by the names of its declarations. */
declare module 'recheck/lib/browser.js' {
  import type { checkSync } from 'recheck'

  const recheck: { readonly checkSync: typeof checkSync }
  export default recheck
}
