import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMPILED_CODE, REPOSITORY } from '@aisle/testing'
import type { TestMessage } from './test-messages-reporter.ts'
import type { TestReport } from './test-report.ts'

/** So long a process may take to end when all its tests have run. */
const END_MAX_MS = 20_000

/**
 * Runs test files one after another in one process.
 *
 * @param stop ends the process
 */
export function runGroup(
  files: readonly string[],
  report: TestReport,
  environment: Readonly<Record<string, string>>,
  stop: AbortSignal,
): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      `--test-reporter=${fileURLToPath(new URL('./test-messages-reporter.ts', import.meta.url))}`,
      fileURLToPath(new URL('./run-files.ts', import.meta.url)),
      ...files.map((file) => resolve(REPOSITORY, file)),
    ],
    {
      cwd: REPOSITORY,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED_CODE, ...environment },
    },
  )
  stop.addEventListener('abort', () => child.kill())
  const open = new Set(files)
  let failed = 0
  child.on('message', (message: TestMessage) => {
    process.stdout.write(report.take(message))
    if (message.outcome === 'failed') failed++
    if (message.outcome !== 'file') return
    open.delete(message.file)
    if (open.size === 0) setTimeout(() => child.kill('SIGKILL'), END_MAX_MS).unref()
  })
  return new Promise((resolve) => {
    child.on('error', (error) => report.fail(`Cannot run ${files.join(' ')}: ${error.message}`))
    child.on('close', (code, signal) => {
      const how = signal ?? `exit code ${code}`
      const [current, ...rest] = open
      if (current !== undefined) {
        const missed = rest.length === 0 ? '' : `; these have not run: ${rest.join(' ')}`
        report.fail(`${current}: its process ended early with ${how}${missed}`, [...open])
      } else if (signal === 'SIGKILL') {
        report.fail(`A test has left something running: ${files.join(' ')}`, files)
      } else if (code !== 0 && failed === 0) {
        report.fail(`The process ended with ${how}: ${files.join(' ')}`, files)
      }
      resolve()
    })
  })
}
