import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Beat, runCheckingProcess } from '../checking-process.ts'

/** A process that checks nothing: its first argument decides how it behaves. */
const [how = '', path] = process.argv.slice(2)
const beat = new Beat(how !== 'starter')
switch (how) {
  case 'busy':
    for (let i = 0; i < 24; i++) {
      beat.now()
      await sleep(250)
    }
    process.stdout.write('done')
    process.exitCode = 3
    break
  case 'still':
    for (;;);
  case 'killed':
    process.kill(process.pid, 'SIGSEGV')
    await sleep(60_000)
    break
  case 'endless':
    writeFileSync(path!, String(process.pid))
    for (;;) {
      beat.done()
      await sleep(10)
    }
  case 'starter':
    await runCheckingProcess(new URL(import.meta.url), ['endless', path!])
}
