import { suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'

/**
 * The program of a process that runs test files: `node run-files.ts FILE...`, one after another. A
 * file is loaded when its turn comes, and its hooks are its own, so that what it opens is closed
 * before the next one is loaded. Loading counts as its time.
 */
for (const file of process.argv.slice(2)) {
  test(file, () => {
    // A suite collects all tests of the file before it runs the first one.
    suite(file, async () => {
      await import(pathToFileURL(file).href)
    })
  })
}
