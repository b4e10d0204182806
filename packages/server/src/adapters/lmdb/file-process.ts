import { compact } from './compaction.ts'
import { digests } from './file-digest.ts'
import { census } from './folder-census.ts'
import { DAMAGED_EXIT_CODE, problemsOf } from './full-check.ts'

/**
 * The process that reads a document file to its end, because a garbled page can kill it, and
 * computes checksums, because they take long. Arguments: a task, and the folder of the file, or
 * files. Its output says what it found.
 */
const [task, ...paths] = process.argv.slice(2)
const [folder = ''] = paths

if (task === 'digest') process.stdout.write(JSON.stringify(await digests(paths)))

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
