import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ReadStream } from 'node:tty'

// Compiling, and stripping types from TypeScript, takes most of a command's start, so the results
// are cached beside the installed packages, where only those can write who could change the code
// itself. Node checks each entry against its source. The service has its own cache in the data
// folder.
const root = join(import.meta.dirname, '../../..')
const modules =
  basename(join(root, '..')) === 'node_modules' ? join(root, '..') : join(root, 'node_modules')
const serves = ['serve', 'server'].includes(process.argv[2] ?? '')
if (!serves && existsSync(modules)) {
  enableCompileCache(join(modules, '.cache', 'aisle'))
}
const { runCommandLine } = await import('./run-command-line.ts')
const { askOn } = await import('./terminal/ask.ts')

// A reader that has seen enough (head, less) is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

const { stdin, stdout, stderr } = process
const exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  stdin,
  out: { write: (text) => void stdout.write(text), isTerminal: stdout.isTTY },
  err: { write: (text) => void stderr.write(text), isTerminal: stderr.isTTY },
  now: () => Date.now(),
  pause: (ms) => sleep(ms),
  ask: stdin instanceof ReadStream ? askOn(stdin, (text) => void stderr.write(text)) : undefined,
  onInterrupt: (listener) => {
    process.once('SIGINT', listener)
    return () => void process.off('SIGINT', listener)
  },
  startService: async (flags) => {
    const { startService } = await import('@aisle/server')
    await startService(flags, process.env, 'aisle server')
  },
})
if (exitCode !== 0) process.exitCode = exitCode
