import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const MAIN = join(import.meta.dirname, 'main.ts')

/** Runs before all else: nothing finds the client of OpenSearch. */
const HOOK = `
  import { registerHooks } from 'node:module'
  const CLIENT = '@opensearch-project/opensearch'
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== CLIENT) return next(specifier, context)
      const message = "Cannot find package '" + CLIENT + "' imported from " + context.parentURL
      throw Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' })
    },
  })
`

test('without the client of OpenSearch, --opensearch-url says in one line what to install', async () => {
  const hook = `data:text/javascript,${encodeURIComponent(HOOK)}`
  const words = ['--import', hook, MAIN, '--opensearch-url', 'http://127.0.0.1:1']
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, words, (error, _, text) =>
      resolve({ code: error?.code, stderr: text }),
    )
  })
  assert.equal(code, 2, stderr)
  assert.equal(
    stderr,
    '--opensearch-url needs the package @opensearch-project/opensearch, which is not installed: run npm install --include=optional\n',
  )
})
