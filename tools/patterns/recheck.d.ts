/** The engine in JavaScript of `recheck`, by the names of its own declarations. */
declare module 'recheck/lib/browser.js' {
  import type { checkSync } from 'recheck'

  const recheck: { readonly checkSync: typeof checkSync }
  export default recheck
}
