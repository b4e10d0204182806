import { fileURLToPath } from 'node:url'
import { readBuiltPages, type BuiltPages } from '../adapters/pages/built-pages.ts'
import type { Config } from '../config.ts'

/** The output folder of packages/dashboard/build, in a checkout and in an image alike. */
const DASHBOARD = new URL('../../../dashboard/dist/', import.meta.url)
const DOCS = new URL('../../../../docs/.vitepress/dist/', import.meta.url)
const DEMO_SHOP = new URL('../../../../examples/storefront-react/dist/', import.meta.url)

/** Built pages, for all serving threads; absent: not built, or not enabled. */
export interface Pages {
  readonly pages: BuiltPages | undefined
  readonly demoPages: BuiltPages | undefined
  readonly docsPages: BuiltPages | undefined
}

export function readPages({ demo }: Pick<Config, 'demo'>): Pages {
  return {
    pages: readBuiltPages(fileURLToPath(DASHBOARD)),
    demoPages: demo ? readBuiltPages(fileURLToPath(DEMO_SHOP)) : undefined,
    docsPages: readBuiltPages(fileURLToPath(DOCS)),
  }
}
