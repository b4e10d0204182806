import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Beat, FILE_PROCESS, runCheckingProcess } from './checking-process.ts'

/** Files per process: their paths are its arguments. */
const FILES_MAX = 200

/**
 * SHA-256 of files, in hex, in their order. Computed in a separate process: of a file of gigabytes
 * it takes seconds of a processor, which writes of all stores would wait for.
 */
export async function digestsOf(files: readonly string[]): Promise<string[]> {
  const digests: string[] = []
  for (let from = 0; from < files.length; from += FILES_MAX) {
    digests.push(...(await inProcess(files.slice(from, from + FILES_MAX))))
  }
  return digests
}

/** The digests themselves, in such a process. */
export async function digests(files: readonly string[]): Promise<string[]> {
  const [all, beat]: [string[], Beat] = [[], new Beat(true)]
  for (const file of files) {
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(file)) {
      beat.done()
      hash.update(chunk as Buffer)
    }
    all.push(hash.digest('hex'))
  }
  return all
}

async function inProcess(files: readonly string[]): Promise<string[]> {
  const { code, output } = await runCheckingProcess(FILE_PROCESS, ['digest', ...files])
  if (code === 0) return JSON.parse(output) as string[]
  throw new Error(`Cannot read all of ${files.join(', ').slice(0, 500)}`)
}
