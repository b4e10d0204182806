import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { FILE_PROCESS } from './checking-process.ts'

/** Files per process: their paths are its arguments. */
const FILES_MAX = 200
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024

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
  const all: string[] = []
  for (const file of files) {
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
    all.push(hash.digest('hex'))
  }
  return all
}

function inProcess(files: readonly string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [fileURLToPath(FILE_PROCESS), 'digest', ...files],
      { maxBuffer: OUTPUT_MAX_BYTES },
      (error, stdout) => {
        if (error === null) resolve(JSON.parse(stdout) as string[])
        else reject(new Error(`Cannot read all of ${files.join(', ').slice(0, 500)}`))
      },
    )
  })
}
