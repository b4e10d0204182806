import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EXIT_CODES } from '../../packages/cli/src/index.ts'

export type Exit = keyof typeof EXIT_CODES

/** One command, run three times: for a person, with --json, and with an error. */
export interface Walk {
  readonly command: string
  /** Arguments and options; may use the output of earlier commands. */
  readonly text: () => string[]
  readonly says: RegExp
  readonly json: () => string[]
  /** Whether the answer is correct. */
  readonly gives: (answer: never) => boolean
  readonly wrong: () => string[]
  readonly exit: Exit
  readonly complains: RegExp
  /** Expected exit code on success: partial for `diff`. */
  readonly wellExit?: Exit
  /** JSON lines are written to standard output even without an option. */
  readonly isStream?: true
}

/** What the walks share: the folder of files, and the output of earlier commands. */
export const world = { folder: '', dataDir: '', said: new Map<string, string>() }

export function at(name: string): string {
  return join(world.folder, name)
}

export function file(name: string, content: unknown): string {
  writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content))
  return at(name)
}
