import { compact } from './compaction.ts'
import { census } from './folder-census.ts'
import { DAMAGED_EXIT_CODE, problemsOf } from './full-check.ts'

/**
 * The process that reads a document file to its end, because a garbled page can kill it. Arguments:
 * a task, and the folder of the file. Its output says what it found.
 */
const [task, folder = ''] = process.argv.slice(2)

if (task === 'census') process.stdout.write(JSON.stringify(await census(folder)))

if (task === 'check') {
  const problems = await problemsOf(folder)
  if (problems !== undefined) {
    process.stdout.write(`${problems}\n`)
    process.exitCode = DAMAGED_EXIT_CODE
  }
}

if (task === 'compact') {
  await compact(folder).catch((error: unknown) => {
    process.stdout.write(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  })
}
