import { buildDashboard } from '../packages/dashboard/build/build-dashboard.ts'
import { buildDocs } from '../packages/dashboard/build/build-docs.ts'
import { buildStorefront } from '../packages/dashboard/build/build-storefront.ts'
import { buildService } from './lib/bundle-service.ts'

/** `npm ci` and `npm start` run this: it builds what has changed of the service and its pages. */
for (const [name, build] of [
  ['Service', buildService],
  ['Dashboard', buildDashboard],
  ['Demo shop', buildStorefront],
  ['Docs', buildDocs],
] as const) {
  const startedMs = performance.now()
  if (!(await build())) continue
  console.error(`${name} built in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`)
}
