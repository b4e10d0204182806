import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { until } from '@aisle/testing'

const MAIN = join(import.meta.dirname, '..', 'main.ts')

/** Runs in every thread before all else: notes who loads TypeBox, or what nobody needs. */
const NOTE_LOADS = `
  import { registerHooks } from 'node:module'
  import { appendFileSync } from 'node:fs'
  import { isMainThread, threadName } from 'node:worker_threads'
  const thread = isMainThread ? 'main' : threadName
  registerHooks({
    load(url, context, next) {
      if (url.includes('/typebox/')) appendFileSync(process.env.LOADS_FILE, thread + '\\n')
      const isUnwanted = thread !== 'main' && /\\/node_modules\\/(ajv|@opentelemetry)\\//.test(url)
      const isCluster = /\\/(packages\\/cluster|@opensearch-project)\\//.test(url)
      if (isUnwanted || isCluster) appendFileSync(process.env.UNWANTED_FILE, thread + ' ' + url + '\\n')
      if (url.endsWith('-thread.ts')) appendFileSync(process.env.STARTS_FILE, thread + '\\n')
      return next(url, context)
    },
    resolve(specifier, context, next) {
      const isImport = context.conditions.includes('import')
      if (/^(node:)?https?$/.test(specifier) && isImport) appendFileSync(process.env.UNWANTED_FILE, thread + ' ' + context.parentURL + '\\n')
      return next(specifier, context)
    },
  })
`

suite('the code that threads load', () => {
  // Goal: a start is quick. TypeBox is hundreds of modules; once every thread loaded all of them.
  test('only threads that plan searches load TypeBox, and of it only the compiler; none imports node:http, Ajv, OpenTelemetry or anything of a cluster', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'aisle-loads-'))
    const [loads, starts] = [join(folder, 'loads'), join(folder, 'starts')]
    const unwanted = join(folder, 'unwanted')
    try {
      const flags = ['--data-dir', join(folder, 'data'), '--port', '0', '--threads', '1']
      const hook = `data:text/javascript,${encodeURIComponent(NOTE_LOADS)}`
      const child = spawn(process.execPath, ['--import', hook, MAIN, ...flags], {
        env: {
          ...process.env,
          LOADS_FILE: loads,
          STARTS_FILE: starts,
          UNWANTED_FILE: unwanted,
          AISLE_DEMO: 'false',
        },
        stdio: 'ignore',
      })
      const exited = once(child, 'exit')
      const linesOf = (file: string): string[] =>
        existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
      const wanted = ['doorway', 'events', 'reports', 'serve-0', 'suggestions']
      const missing = (): string[] => wanted.filter((name) => !linesOf(starts).includes(name))
      await until(
        () => `started: ${missing().join()}`,
        () => missing().length === 0,
      )
      // They are told to close, which they hear when all is loaded.
      child.kill()
      await exited
      const names = linesOf(loads)
      // Suggestions ask for what a search would correct.
      assert.deepEqual([...new Set(names)].toSorted(), ['serve-0', 'suggestions'])
      assert.deepEqual(linesOf(unwanted), [], 'see node-http.ts, prometheus.ts, app.ts')
      assert.ok(names.length < 2 * 300, `${names.length} modules of TypeBox`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
