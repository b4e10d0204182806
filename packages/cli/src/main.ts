import { ReadStream } from 'node:tty'
import { runCommandLine } from './run-command-line.ts'
import { askOn } from './terminal/ask.ts'

// A reader that has seen enough (head, less) is no failure.
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
  ask: stdin instanceof ReadStream ? askOn(stdin, (text) => void stderr.write(text)) : undefined,
  startService: async (flags) => {
    const { startService } = await import('@aisle/server')
    await startService(flags, process.env, 'aisle server')
  },
})
if (exitCode !== 0) process.exitCode = exitCode
