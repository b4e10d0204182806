import { buildDashboard } from './build-dashboard.ts'
import { buildDocs } from './build-docs.ts'
import { buildStorefront } from './build-storefront.ts'

/** `npm ci` and `npm start` run this: it builds what has changed of the pages that are served. */
for (const [name, build] of [
  ['Dashboard', buildDashboard],
  ['Demo shop', buildStorefront],
  ['Docs', buildDocs],
] as const) {
  const startedMs = performance.now()
  if (!(await build())) continue
  console.error(`${name} built in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`)
}
