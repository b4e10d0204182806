import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EXIT_CODES } from '../../packages/cli/src/index.ts'

export type Exit = keyof typeof EXIT_CODES

/** One command, run three times: for a person, with --json, and with something wrong in it. */
export interface Walk {
  readonly command: string
  /** Arguments and options; may use what earlier commands have said. */
  readonly text: () => string[]
  readonly says: RegExp
  readonly json: () => string[]
  /** Whether the answer is the right one. */
  readonly gives: (answer: never) => boolean
  readonly wrong: () => string[]
  readonly exit: Exit
  readonly complains: RegExp
  /** Of a run that is well: done in part, for `diff`. */
  readonly wellExit?: Exit
  /** Lines of JSON come on the standard output by themselves. */
  readonly isStream?: true
}

/** What the walks share: where files go, and what earlier commands have said. */
export const world = { folder: '', dataDir: '', said: new Map<string, string>() }

export function at(name: string): string {
  return join(world.folder, name)
}

export function file(name: string, content: unknown): string {
  writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content))
  return at(name)
}
